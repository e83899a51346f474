from __future__ import annotations

from typing import cast

from core.graph.nodes.disambiguate import disambiguate
from core.graph.services import Services
from core.graph.state import State


async def test_whoever_took_a_chip_off_is_not_asked_for_less() -> None:
    assert await disambiguate(cast("Services", None), State(sources=[], without=["organisation:Acme"])) == {}
