"""Reading an original again around a question adds passages and replaces none."""

from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from core.settings import Chunking
from tests.service.conftest import Open
from tests.service.house import House, until

TEXT = "\n\n".join(
    f"The reservoir of zone {n} was drained in {1990 + n} and lined again by the contractor Oren. "
    f"Its pump house number {n} was moved to the northern bank after the flood."
    for n in range(8)
)
QUESTION = "Who lined the reservoir of zone 5 again?"


@pytest.fixture
async def house(open_house: Open) -> House:
    return await open_house(chunking=Chunking(max_tokens=120, overlap_tokens=10))


async def test_passages_are_added_once_and_recorded(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    before = {item.id for item in await house.workbench.library.chunks("ada", document.id)}
    added = await house.workbench._library.rereading.reread("ada", document.id, QUESTION)
    assert added > 0
    items = await house.workbench.library.chunks("ada", document.id)
    assert before < {item.id for item in items}
    assert len({item.place.order for item in items}) == len(items) == len(before) + added
    new = [item.text for item in items if item.id not in before]
    assert any("zone 5" in text for text in new)
    now = await house.workbench.library.get("ada", document.id)
    assert (now.chunks, now.searchable) == (len(items), len(items))
    assert [(each.question, each.added) for each in now.augmentations] == [(QUESTION, added)]
    assert await house.workbench._library.rereading.reread("ada", document.id, QUESTION) == 0
    await house.assert_whole(now)


async def test_many_at_once_add_the_same_passages_once(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    questions = [QUESTION, "Which contractor lined the reservoir of zone 5?"]
    await asyncio.gather(*(house.workbench._library.rereading.reread("ada", document.id, each) for each in questions))
    now = await house.workbench.library.get("ada", document.id)
    await house.assert_whole(now)
    assert len(now.augmentations) == 2


async def test_a_question_about_something_else_adds_nothing(house: House) -> None:
    document = await house.read("reservoirs.md", TEXT)
    assert await house.workbench._library.rereading.reread("ada", document.id, "xylophone lessons") == 0


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
    assert await house.workbench._library.rereading.reread("ada", document.id, QUESTION) == 0


async def test_what_was_added_gets_its_vectors(open_house: Open, embeddings) -> None:
    house = await open_house(chunking=Chunking(max_tokens=120, overlap_tokens=10), dense_enabled=True)
    document = await house.read("reservoirs.md", TEXT)
    assert await house.workbench._library.rereading.reread("ada", document.id, QUESTION) > 0
    await house.workbench.library.finish_vectors()

    async def finished() -> bool:
        now = await house.workbench.library.get("ada", document.id)
        return now.embedded == now.chunks

    await until(finished, "vectors of all passages")
