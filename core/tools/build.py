"""Builds ``Tools`` from library, memory and settings: the built-in and external tool servers and the services that run
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from core.clock import Clock
from core.ids import NewId
from core.library.library import Library
from core.memory.memory import Memory
from core.memory.retrieval import Retrieval
from core.resilience.dependencies import Observation
from core.settings import Settings
from core.store.overrides import Overrides
from core.store.truth import Truth
from core.tools.datagov.row_keeping import RowStore
from core.tools.datagov.server import DatagovServer
from core.tools.library_server import LibraryServer
from core.tools.mcp.servers import McpServers
from core.tools.memory_server import MemoryServer
from core.tools.tool import Tool
from core.tools.tools import Tools
from core.tools.web.server import WebServer


class ToolServices:
    """All tool services; ``start`` before use, ``stop`` at the end."""

    def __init__(
        self,
        truth: Truth,
        settings: Settings,
        overrides: Overrides,
        clock: Clock,
        identifiers: NewId,
        observe: Callable[[str, Observation], None],
        count: Callable[[str, str, float | None], None],
    ) -> None:
        self._settings = settings
        self._new_id = identifiers
        self._stack = AsyncExitStack()
        self.tools = Tools(truth, settings, overrides, clock, identifiers, observe, count)
        self.open_data = DatagovServer(settings, clock)
        self.servers = McpServers(truth, settings, self.tools.registry, clock, identifiers)

    async def start(
        self,
        library: Library,
        retrieval: Retrieval,
        memory: Memory,
        further: Sequence[Tool] = (),
        rows: RowStore | None = None,
    ) -> None:
        """Register the built-in servers, then external ones. If two tools have the same name, the first one keeps
        it. ``further`` are tools over the documents that are defined elsewhere; ``rows`` keeps rows of open data."""
        self.open_data.keeping.store = rows
        self.open_data.compare_by(retrieval.embeddings)
        own = LibraryServer(library, retrieval.documents, self._settings.deadlines.retrieval, further)
        self._stack.push_async_callback(self.tools.stop)
        await self.tools.start([own, MemoryServer(memory, self._new_id), WebServer(self._settings), self.open_data])
        self._stack.push_async_callback(self.servers.stop)
        await self.servers.start()

    async def stop(self) -> None:
        await self._stack.aclose()
