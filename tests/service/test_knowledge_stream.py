"""Tests the Knowledge tab's stream: it reports new texts, readings and learning, and does not send a state twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from core.knowledge.views import GraphState
from core.memory.items.records import NewMemory
from core.store.items import Quality
from pages import live
from tests.service.house import House

PATIENCE = 30.0
FACT = NewMemory(
    tier="memory_bank",
    text="Wolfram Observatory is kept by Tova Almog.",
    tags=["context"],
    quality=Quality(importance=0.5, confidence=0.5, quality_score=0.5),
)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "GRAPH_SECONDS", 0.0)


async def until_told(stream: AsyncIterator[str], wanted: object) -> GraphState:
    """Returns the next state for which ``wanted`` is true."""
    async with asyncio.timeout(PATIENCE):
        async for part in stream:
            if part.startswith("data: "):
                state = GraphState.model_validate(json.loads(part.removeprefix("data: ")))
                if wanted(state):  # type: ignore[operator]
                    return state
    raise AssertionError("the stream ended")


async def test_what_the_page_has_is_not_told_and_what_comes_then_is(house: House) -> None:
    known = house.workbench.memory.knowledge
    has = (await known.state("ada")).version
    stream = live._knowledge_stream(house.workbench, "ada", has)
    assert not (await anext(stream)).startswith("data: ")
    await house.workbench.memory.bank.add("ada", FACT)
    state = await until_told(stream, lambda each: not each.pending)
    assert state.version != has
    assert "Wolfram Observatory" in {node.label for node in (await known.graph("ada")).nodes}
    await stream.aclose()


async def test_what_is_learned_from_an_outcome_is_told(house: House) -> None:
    answer = await house.ask("How often is the Wolfram Observatory open?")
    await house.workbench.memory.settle()
    known = house.workbench.memory.knowledge
    stream = live._knowledge_stream(house.workbench, "ada", (await known.state("ada")).version)
    await anext(stream)
    seen = known.changes.version_of("ada")
    await house.workbench.memory.record_outcome("ada", answer.asked.message_id, "worked")
    await house.workbench.memory.settle()
    assert known.changes.version_of("ada") > seen
    await until_told(stream, lambda each: True)
    await stream.aclose()


async def test_nobody_is_told_of_the_graph_of_another(house: House) -> None:
    known = house.workbench.memory.knowledge
    seen = known.changes.version_of("bob")
    await house.workbench.memory.bank.add("ada", FACT)
    await house.workbench.memory.settle()
    assert known.changes.version_of("bob") == seen
