from __future__ import annotations

from typing import cast

from core.graph.nodes.single_out import single_out
from core.graph.services import Services
from core.graph.state import State


async def test_an_organisation_that_is_named_speaks_for_itself() -> None:
    node = single_out(cast("Services", None))
    assert await node(State(sources=[], bound=True)) == {}
