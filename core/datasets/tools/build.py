"""Builds what the tools need of datasets: the tool that queries them, and the store of fetched rows."""

from __future__ import annotations

from collections.abc import Sequence

from core.clock import Clock
from core.datasets.fetched.rows import FetchedRowStore
from core.datasets.service import Datasets
from core.datasets.tools.querying import query_tool
from core.library.library import Library
from core.tools.tool import Tool


class DataTools:
    """``tools`` are ``further`` tools over documents and the one that queries datasets; ``rows`` keeps rows of open
    data as datasets."""

    def __init__(self, library: Library, datasets: Datasets, clock: Clock, further: Sequence[Tool]) -> None:
        self.tools = [*further, query_tool(library, datasets)]
        self.rows = FetchedRowStore(library, datasets, clock)
