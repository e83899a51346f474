"""Tests that when an original file is read again for a question, passages are added and none is replaced."""

from __future__ import annotations

import asyncio
import json

import pytest

from core.errors import PalimpsestError
from core.library.rereading import AGAIN
from core.setting_groups import Chunking, Search
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, judgement
from tests.service.conftest import Open
from tests.service.house import House, until

TEXT = "\n\n".join(
    f"The reservoir of zone {n} was drained in {1990 + n} and lined again by the contractor Oren. "
    f"Its pump house number {n} was moved to the northern bank after the flood."
    for n in range(8)
)
REPORT = "\n\n".join(
    f"In the year {1900 + n} the firm drained the basins of valley {n}, weighed their silt and drew their banks. "
    f"The basins of valley {n} were then lined by masons of the firm, and the keeper noted how high the water stood."
    for n in range(80)
)
QUESTION = "Who lined the reservoir of zone 5 again?"


@pytest.fixture
async def house(open_house: Open) -> House:
    return await open_house(chunking=Chunking(max_tokens=120, overlap_tokens=10))


async def test_passages_are_added_once_and_recorded(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    before = {item.id for item in await house.workbench.library.chunks("ada", document.id)}
    added = (await house.workbench._library.rereading.reread("ada", document.id, QUESTION)).added
    assert added > 0
    items = await house.workbench.library.chunks("ada", document.id)
    assert before < {item.id for item in items}
    assert len({item.place.order for item in items}) == len(items) == len(before) + added
    new = [item.text for item in items if item.id not in before]
    assert any("zone 5" in text for text in new)
    now = await house.workbench.library.get("ada", document.id)
    assert (now.chunks, now.searchable) == (len(items), len(items))
    assert [(each.question, each.added) for each in now.augmentations] == [(QUESTION, added)]
    assert (await house.workbench._library.rereading.reread("ada", document.id, QUESTION)).added == 0
    await house.assert_whole(now)


async def test_what_was_shown_is_not_told_again(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    rereading = house.workbench._library.rereading
    first = await rereading.reread("ada", document.id, QUESTION)
    shown = [item.text for item in first.items]
    again = await rereading.reread("ada", document.id, QUESTION, shown)
    assert any("zone 5" in text for text in shown)
    assert again.items
    assert {item.text for item in again.items}.isdisjoint(shown)


async def test_a_file_is_read_once_for_several_questions(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    document = await house.read("reservoirs.md", TEXT)
    rereading = house.workbench._library.rereading
    await rereading.reread("ada", document.id, QUESTION)
    await house.workbench._files.delete(document.sha256, "ada", document.id)
    again = await rereading.reread("ada", document.id, "Where was the pump house of zone 3 moved?")
    assert any("zone 3" in item.text for item in again.items)


async def test_what_is_read_again_reaches_the_answer(open_house: Open) -> None:
    """A context window of four thousand tokens holds only two of the report's passages, and the model says that they do
    not suffice."""
    said = iter([json.dumps({"ratings": [], "sufficient": False})])

    def respond(request: Request) -> Reply:
        rules = str(request.body["messages"][0]["content"])
        if "Rate how useful each passage" in rules:
            return chat_stream(next(said, json.dumps({"sufficient": True})))
        return judgement() if asks_for_json(request) else chat_stream("The contractor Oren [1].")

    async with LocalServer(responder=respond) as server:
        house = await open_house(
            model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k", model_window=4_096,
            search=Search(rereading=True),
        )  # fmt: skip
        await house.read("reservoirs.md", REPORT)
        answer = await house.ask("Which masons of valley 33 were paid?", action="inquire")
        prompts = [str(each.body["messages"][0]["content"]) for each in server.requests if each.body]
    first, second = (each for each in prompts if "Rate how useful each passage" in each)
    written = next(each for each in prompts if "BEGIN SOURCES" in each and "bare JSON" not in each)
    again = [p.text for source in answer.view.sources for p in source.passages if p.position >= AGAIN]
    assert again
    assert all(_words(text) not in _words(first) for text in again)
    assert any(_words(text) in _words(written) for text in again)
    assert _words(again[0]) in _words(second)
    assert answer.view.response is not None
    assert answer.view.response.text == "The contractor Oren [1]."


def _words(text: str) -> str:
    return " ".join(text.split())


async def test_many_at_once_add_the_same_passages_once(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    questions = [QUESTION, "Which contractor lined the reservoir of zone 5?"]
    await asyncio.gather(*(house.workbench._library.rereading.reread("ada", document.id, each) for each in questions))
    now = await house.workbench.library.get("ada", document.id)
    await house.assert_whole(now)
    assert len(now.augmentations) == 2


async def test_a_question_about_something_else_adds_nothing(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    assert (await house.workbench._library.rereading.reread("ada", document.id, "xylophone lessons")).added == 0


async def test_deleted_or_of_another_it_is_not_read(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    with pytest.raises(PalimpsestError):
        await house.workbench._library.rereading.reread("bob", document.id, QUESTION)
    await house.workbench.library.delete("ada", document.id)
    with pytest.raises(PalimpsestError):
        await house.workbench._library.rereading.reread("ada", document.id, QUESTION)
    assert {row["status"] for row in await house.items("ada", document.id)} == {"deleted"}


async def test_a_file_that_is_gone_is_no_failure(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    document = await house.read("reservoirs.md", TEXT)
    await house.workbench._files.delete(document.sha256, "ada", document.id)
    assert (await house.workbench._library.rereading.reread("ada", document.id, QUESTION)).added == 0


async def test_what_was_added_gets_its_vectors(open_house: Open, embeddings) -> None:
    house = await open_house(chunking=Chunking(max_tokens=120, overlap_tokens=10), dense_enabled=True)
    document = await house.read("reservoirs.md", TEXT)
    assert (await house.workbench._library.rereading.reread("ada", document.id, QUESTION)).added > 0
    await house.workbench.library.upkeep.finish_vectors()

    async def finished() -> bool:
        now = await house.workbench.library.get("ada", document.id)
        return now.embedded == now.chunks

    await until(finished, "vectors of all passages")
