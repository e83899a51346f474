from __future__ import annotations

from typing import cast

from core.graph.nodes.disambiguate import disambiguate
from core.graph.services import Services
from core.graph.state import Asked
from core.runs.records import Ask
from tests.core.graph.turn_states import turn_of


async def test_whoever_took_a_chip_off_is_not_asked_for_less() -> None:
    state = turn_of("?", Asked(ask=Ask(question="?", without=("organisation:Acme",))))
    assert await disambiguate(cast("Services", None), state) == {}
