"""Tests the graph explorer on a workbench: all colours, filters, links, paths, files, and no data of other users."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from core.errors import PalimpsestError
from pages.actions import Call
from pages.handlers.knowledge import Explorer, Exported, Named, OneAnswer, OneConcept, Two, View
from tests.service.calling import Someone
from tests.service.house import POLICY, Answer, House, until

METERS = """# Metering contract

Pelagit Metering Ltd. must give notice of a price rise ninety days before it takes effect.
"""
QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


@pytest.fixture
async def answered(house: House) -> Answer:
    """Stores two documents and asks a question whose answer worked; waits until the graph contains all of it."""
    await house.read("policy.md", POLICY)
    await house.read("contract.md", METERS)
    answer = await house.ask(QUESTION)
    await house.workbench.memory.record_outcome("ada", answer.asked.message_id, "worked")
    await house.workbench.memory.settle()

    async def is_read() -> bool:
        view = await house.workbench.memory.knowledge.graph("ada")
        return bool(view.nodes) and not view.pending

    await until(is_read, "a graph that is read")
    return answer


@pytest.fixture
def explorer(house: House) -> Explorer:
    return Explorer(house.workbench, Someone("ada"))


async def ids(explorer: Explorer, user: str = "ada", **given: object) -> dict[str, str]:
    reply = await explorer.graph(user, View(**given))  # type: ignore[arg-type]
    return {node["label"]: node["id"] for node in reply["nodes"]}  # type: ignore[index,union-attr,call-overload,misc]


async def test_every_colour_is_in_the_first_picture(answered: Answer, explorer: Explorer) -> None:
    reply = await explorer.graph("ada", View(top=5))
    nodes = reply["nodes"]
    assert isinstance(nodes, list)
    assert {node["colour"] for node in nodes} >= {"content", "both", "action"}  # type: ignore[index,call-overload]
    assert len(nodes) <= 5
    shown = {node["id"] for node in nodes}  # type: ignore[index,call-overload]
    assert all(edge["a"] in shown and edge["b"] in shown for edge in reply["edges"])  # type: ignore[index,union-attr,call-overload]
    orange = await explorer.graph("ada", View(colours=["action"]))
    assert {node["colour"] for node in orange["nodes"]} == {"action"}  # type: ignore[index,union-attr,call-overload]


async def test_a_graph_that_has_not_changed_is_not_sent_again(answered: Answer, explorer: Explorer) -> None:
    first = await explorer.graph("ada", View())
    again = await explorer.graph("ada", View(version=str(first["version"])))
    assert again["unchanged"] is True
    assert "nodes" not in again


async def test_a_concept_leads_to_its_answers_and_an_answer_to_its_concepts(
    house: House, answered: Answer, explorer: Explorer
) -> None:
    haifa = (await ids(explorer, search="Haifa"))["Haifa"]
    html = str((await explorer.concept("ada", OneConcept(id=haifa)))["html"])
    assert f'data-answer="{answered.asked.message_id}"' in html
    assert f'data-conversation="{answered.asked.conversation.id}"' in html
    small = await explorer.answer_graph("ada", OneAnswer(id=answered.asked.run_id))
    assert haifa in {node["id"] for node in small["nodes"]}  # type: ignore[index,union-attr,call-overload]
    assert len(small["nodes"]) <= 8  # type: ignore[arg-type]
    found = await explorer.find_concept("ada", Named(name="haifa", answer=answered.asked.run_id))
    assert found == {"id": haifa}
    assert await explorer.find_concept("ada", Named(name="no such thing")) == {"id": None}
    around = await ids(explorer, answer=answered.asked.run_id)
    assert "Haifa" in around


async def test_a_way_says_what_its_edges_rest_on(answered: Answer, explorer: Explorer) -> None:
    known = await ids(explorer, top=200)
    haifa = known.pop("Haifa")
    near = await explorer.neighbours("ada", OneConcept(id=haifa))
    other = near["nodes"][0]["id"]  # type: ignore[index,call-overload]
    way = await explorer.path("ada", Two(a=haifa, b=str(other)))
    assert way["found"] is True
    assert "data-document=" in str(way["html"]) or "data-answer=" in str(way["html"])
    nowhere = await explorer.path("ada", Two(a=haifa, b="conc_none"))
    assert nowhere["found"] is False
    assert "no path" in str(nowhere["html"])


async def test_files_and_charts_hold_what_is_seen(answered: Answer, explorer: Explorer) -> None:
    data = json.loads(str((await explorer.export_graph("ada", Exported(search="haifa")))["text"]))
    assert [node["label"] for node in data["nodes"]] == ["Haifa"]
    page = str((await explorer.export_graph("ada", Exported(format="html")))["text"])
    assert "Haifa" in page
    figures = (await explorer.charts("ada", Call()))["figures"]
    assert set(figures) == {"outcomes", "tiers", "routing"}  # type: ignore[arg-type]


async def test_a_search_keeps_what_is_around_and_a_document_or_kind_narrows(
    house: House, answered: Answer, explorer: Explorer
) -> None:
    searched = await explorer.graph("ada", View(search="pelagit", surroundings=True))
    names = {node["id"]: node["label"] for node in searched["nodes"]}  # type: ignore[index,union-attr,call-overload,misc]
    found = [names[each] for each in searched["found"]]  # type: ignore[union-attr,index,misc]
    assert found
    assert all("Pelagit" in str(name) for name in found)
    assert "Haifa" in names.values(), "the rest of the picture stays"
    documents = {each.metadata.title: each.id for each in await house.workbench.library.find("ada")}
    contract = await ids(explorer, document=documents["Metering contract"], top=100)
    assert any("Pelagit" in name for name in contract)
    assert "Haifa" not in contract
    assert set(await ids(explorer, kinds=["place"], top=100)) == {"Haifa"}
    assert not await ids(explorer, since="2999-01", top=100)


async def test_deleting_a_document_takes_its_concepts_at_once(
    house: House, answered: Answer, explorer: Explorer
) -> None:
    assert "Pelagit Metering Ltd." in await ids(explorer, top=200)
    contract = next(each for each in await house.workbench.library.find("ada") if each.filename == "contract.md")
    await house.workbench.library.delete("ada", contract.id)
    assert "Pelagit Metering Ltd." not in await ids(explorer, top=200)


async def test_nobody_else_sees_any_of_it(answered: Answer, explorer: Explorer) -> None:
    haifa = (await ids(explorer, search="Haifa"))["Haifa"]
    assert await ids(explorer, "ben", top=200) == {}
    assert await ids(explorer, "ben", focus=[haifa], answer=answered.asked.run_id) == {}
    with pytest.raises(PalimpsestError):
        await explorer.concept("ben", OneConcept(id=haifa))
    assert (await explorer.concept("ben", OneConcept(id=haifa, optional=True)))["html"] == ""
    assert (await explorer.neighbours("ben", OneConcept(id=haifa)))["nodes"] == []
    assert (await explorer.path("ben", Two(a=haifa, b=haifa)))["found"] is False
    assert await explorer.answer_graph("ben", OneAnswer(id=answered.asked.run_id)) == {"nodes": [], "edges": []}
    assert (await explorer.charts("ben", Call()))["figures"] == {}
    assert json.loads(str((await explorer.export_graph("ben", Exported(top=2000)))["text"]))["nodes"] == []


@pytest.mark.parametrize(
    "given", [{"top": 0}, {"top": 2001}, {"colours": ["red"]}, {"period": "ever"}, {"search": "x" * 201}]
)
def test_what_cannot_be_shown_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        View.model_validate(given)
