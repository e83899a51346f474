"""Tests programs' memory requests through its endpoints, each only for the caller."""

from __future__ import annotations

from typing import Any

import pytest

from core.ids import new_id
from core.memory.items.records import AnswerRecord, NewMemory
from core.memory.outcomes.scoring import quality
from core.memory.outcomes.tier_routing import concepts_of
from tests.service.calling import Endpoints
from tests.service.house import POLICY, House

QUESTION = "How is the valve at Nahariya closed?"


@pytest.fixture
def ada(house: House) -> Endpoints:
    return Endpoints(house)


@pytest.fixture
def bea(house: House) -> Endpoints:
    return Endpoints(house, "bea")


async def fact(house: House, text: str, **given: Any) -> str:
    new = NewMemory(tier="memory_bank", text=text, quality=quality(0.9, 0.9), summary="A fact", **given)
    return (await house.workbench.memory.store("ada", new)).id


async def answered(house: House) -> str:
    """Records an answer of the user Ada that uses one memory."""
    memory = house.workbench.memory
    exchange = NewMemory(tier="working", kind="exchange", text="User: valve?\nAssistant: By hand.", question="valve?")
    stored = await memory.store("ada", exchange)
    record = AnswerRecord(
        id=new_id("msg"),
        user_id="ada",
        question=QUESTION,
        context_type="general",
        concepts=concepts_of(QUESTION),
        positions=[stored.id],
        tiers={stored.id: "working"},
        created_at=1.0,
    )
    return (await memory.remember_answer(record)).id


async def test_facts_that_name_an_entity(house: House, ada: Endpoints, bea: Endpoints) -> None:
    named = await fact(house, "Miriam keeps the keys of the depot.", tags=["context"], entities=["Miriam"])
    await fact(house, "The depot closes at six.", tags=["context"], entities=["depot"])
    found = (await ada.get_facts_for_entities(["Miriam", "Ruth"]))["facts"]
    assert [each["id"] for each in found] == [named]
    assert (await bea.get_facts_for_entities(["Miriam"]))["facts"] == []
    assert "problem" in await ada.get_facts_for_entities([])


async def test_what_is_known_before_anything_is_asked(house: House, ada: Endpoints, bea: Endpoints) -> None:
    mine = await fact(house, "My name is Ada Byron.", tags=["identity"], always_inject=True)
    assert [each["id"] for each in (await ada.get_user_context())["facts"]] == [mine]
    assert "Ada Byron" in (await ada.get_cold_start_context())["text"]
    assert (await bea.get_user_context())["facts"] == []
    assert "Ada Byron" not in (await bea.get_cold_start_context())["text"]


async def test_passages_of_published_documents_alone(house: House, ada: Endpoints, bea: Endpoints) -> None:
    document = await house.read("policy.md", POLICY)
    await fact(house, "Lodging in Haifa is booked by Dana.", tags=["context"])
    hits = (await ada.retrieve_from_books("lodging in Haifa", 3))["hits"]
    assert 0 < len(hits) <= 3
    assert {hit["tier"] for hit in hits} == {"books"}
    assert [each["id"] for each in (await ada.list_books())["books"]] == [document.id]
    assert (await bea.retrieve_from_books("lodging in Haifa"))["hits"] == []
    assert (await bea.list_books())["books"] == []


async def test_small_values_are_kept_for_each_caller(ada: Endpoints, bea: Endpoints) -> None:
    assert await ada.store_data("layout", {"columns": [3, 4]}) == {"key": "layout"}
    assert (await ada.retrieve_data("layout"))["value"] == {"columns": [3, 4]}
    assert (await bea.retrieve_data("layout"))["value"] is None
    assert "problem" in await ada.store_data("../escape", 1)


async def test_how_tools_and_actions_ended_becomes_advice(house: House, ada: Endpoints, bea: Endpoints) -> None:
    for _ in range(3):
        answer = await answered(house)
        assert await ada.record_action_outcome(answer, "web_search", "tool", result="timeout") == {"known": True}
        assert await ada.record_action_outcome(answer, "measure", tier="working") == {"known": True}
        assert await bea.record_action_outcome(answer, "measure") == {"known": False}
        assert "problem" not in await ada.record_feedback(answer, "worked")
    await house.workbench.memory.settle()
    advice = {each["action"]: each for each in (await ada.get_action_effectiveness("general"))["actions"]}
    assert advice["web_search"]["success_rate"] == 0.0
    assert advice["measure"]["success_rate"] == 1.0
    assert (await bea.get_action_effectiveness("general"))["actions"] == []
    best = (await ada.get_tier_recommendations(QUESTION))["recommendations"]
    assert best[0]["tier"] == "working"
    assert best[0]["uses"] == 3
    insights = await ada.get_context_insights(QUESTION)
    assert insights["context_type"] == "general"
    assert {each["action"] for each in insights["actions"]} >= {"measure"}
