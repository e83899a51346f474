"""Tests knowledge graphs on a workbench: entities from documents and facts are added automatically, and removed with
their sources."""

from __future__ import annotations

import pytest

from core.memory.items.records import NewMemory
from core.memory.outcomes.scoring import quality
from core.memory.recall.records import MemoryQuery
from core.setting_groups import Memory
from tests.service.conftest import Open
from tests.service.house import POLICY, House, until

HEBREW = '# נוהל רכש\n\nדנה לוי מאשרת כל הזמנה של משרד הבריאות בחיפה מעל 5,000 ש"ח.\n'


async def labels(house: House, user: str = "ada") -> set[str]:
    return {node.label for node in (await house.workbench.memory.knowledge.graph(user, top=200)).nodes}


async def read_in(house: House, label: str) -> None:
    """Waits until all written texts are in the graph, and ``label`` is among its entities."""

    async def is_there() -> bool:
        view = await house.workbench.memory.knowledge.graph("ada", top=200)
        return not view.pending and label in {node.label for node in view.nodes}

    await until(is_there, f"{label} in the graph")


async def test_documents_are_read_into_the_graph_and_leave_it_at_once(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    await read_in(house, "Haifa")
    view = await house.workbench.memory.knowledge.graph("ada", top=200)
    haifa = next(node for node in view.nodes if node.label == "Haifa")
    detail = await house.workbench.memory.knowledge.concept("ada", haifa.id)
    assert [each.document_id for each in detail.documents] == [document.id]
    assert await labels(house, "ben") == set()

    await house.workbench.library.delete("ada", document.id)
    assert await labels(house) == set()
    await house.workbench.library.undelete("ada", document.id)
    assert "Haifa" in await labels(house)


async def test_both_languages_and_the_bank_meet_in_one_concept(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("rehesh.md", HEBREW)
    text = "Ada lives in Haifa"
    new = NewMemory(tier="memory_bank", text=text, tags=["identity"], quality=quality(0.9, 0.9), summary=text)
    item = await house.workbench.memory.store("ada", new)
    await read_in(house, "דנה לוי")
    await house.workbench.memory.settle()
    view = await house.workbench.memory.knowledge.graph("ada", top=200, search="haifa")
    assert [(node.label in ("Haifa", "חיפה"), node.mentions) for node in view.nodes if node.kind == "place"] == [
        (True, 3)
    ]
    await house.workbench.memory.bank.archive("ada", item.id)
    view = await house.workbench.memory.knowledge.graph("ada", top=200, search="haifa")
    assert [node.mentions for node in view.nodes if node.kind == "place"] == [2]


async def test_what_was_stored_before_a_process_died_is_read_by_the_next(open_house: Open) -> None:
    first = await open_house()
    await first.workbench._remembering._reading.stop()
    await first.read("policy.md", POLICY)
    view = await first.workbench.memory.knowledge.graph("ada")
    assert (view.nodes, view.pending > 0) == ([], True)
    await first.workbench.stop()
    second = await open_house()
    await read_in(second, "Haifa")
    assert (await second.workbench.memory.knowledge.graph("ada")).pending == 0


@pytest.mark.parametrize("on", [True, False])
async def test_facts_that_name_what_is_asked_are_raised_where_that_is_wanted(open_house: Open, on: bool) -> None:
    house = await open_house(memory=Memory(entity_boost=on))
    memory = house.workbench.memory
    text = "Maya Rosen prefers green tea"
    new = NewMemory(tier="memory_bank", text=text, tags=["preference"], quality=quality(0.9, 0.9), summary=text)
    await memory.store("ada", new)
    await read_in(house, "Maya Rosen")
    found = await memory.search(MemoryQuery("ada", "What does Maya Rosen prefer?"))
    boosts = found.hits[0].parts.boosts
    assert ("entities" in boosts) is on
    assert not on or 1 < boosts["entities"] <= 1.5


async def test_an_answer_opens_its_concepts_and_they_lead_back_to_it(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("contract.md", "# Contract\n\nThe meters are made by Pelagit Metering Ltd. and read by radio.\n")
    await read_in(house, "Haifa")
    await read_in(house, "Pelagit Metering Ltd.")
    answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?")
    knowledge = house.workbench.memory.knowledge

    async def is_known() -> bool:
        return bool((await knowledge.concepts_of_answer("ada", answer.asked.run_id)).concepts)

    await until(is_known, "the answer's concepts")
    named = await knowledge.concepts_of_answer("ada", answer.asked.run_id)
    haifa = next(concept for concept in named.concepts if concept.label == "Haifa")
    detail = await knowledge.concept("ada", haifa.id)
    assert [each.run_id for each in detail.answers] == [answer.asked.run_id]
    assert named.answer is not None
    await house.workbench.memory.record_outcome("ada", named.answer.id, "worked")
    await house.workbench.memory.settle()
    view = await knowledge.graph("ada", top=200)
    assert {node.colour for node in view.nodes} == {"routing", "content", "both", "action"}
    assert (await knowledge.history("ada", 2)).outcomes[-1].worked == 1
