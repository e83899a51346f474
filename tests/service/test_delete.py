from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from tests.service.conftest import Open
from tests.service.house import POLICY, GatedEmbeddings, House

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


async def test_what_is_deleted_is_gone_at_once_and_comes_back_when_that_is_undone(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    assert await house.found(QUESTION) == {"policy.md"}
    await house.workbench.library.delete("ada", document.id)
    assert await house.found(QUESTION) == set()
    assert await house.workbench.library.find("ada") == []
    assert not (await house.ask(QUESTION)).view.sources

    back = await house.workbench.library.undelete("ada", document.id)
    assert back.state == "completed"
    assert await house.found(QUESTION) == {"policy.md"}
    await house.assert_whole(back)


async def test_what_is_deleted_while_its_vectors_are_computed_stays_gone(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True)
    embeddings.gate.clear()
    document = (await house.give("policy.md", POLICY)).document
    await asyncio.wait_for(embeddings.waiting.wait(), 10)
    await house.workbench.library.delete("ada", document.id)
    assert await house.found(QUESTION) == set()
    embeddings.gate.set()
    await house.entries("ada", document.run_id or "")
    assert await house.found(QUESTION) == set()
    assert await house.outcomes(document) == ["cancelled"]

    await house.workbench.library.undelete("ada", document.id)
    back = await house.settled(document)
    assert (back.state, back.embedded) == ("completed", back.chunks)
    await house.assert_whole(back)
    assert await house.found(QUESTION) == {"policy.md"}


async def test_a_worker_that_does_not_hear_of_the_deletion_brings_nothing_back(
    open_house: Open, embeddings: GatedEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(dense_enabled=True)
    embeddings.gate.clear()
    document = (await house.give("policy.md", POLICY)).document
    await asyncio.wait_for(embeddings.waiting.wait(), 10)

    async def unheard(*_: object) -> None:
        return None

    monkeypatch.setattr(house.workbench.library, "_cancel_job", unheard)
    await house.workbench.library.delete("ada", document.id)
    embeddings.gate.set()
    await house.entries("ada", document.run_id or "")
    assert await house.workbench.library.find("ada") == []
    assert await house.found(QUESTION) == set()
    assert await house.outcomes(document) == ["cancelled"]


async def test_what_is_deleted_while_it_is_read_is_read_again_when_that_is_undone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        reading.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr("core.library.reading.Readers.read_file", never)
        document = (await house.give("policy.md", POLICY)).document
        await asyncio.wait_for(reading.wait(), 10)
        await house.workbench.library.delete("ada", document.id)
        await house.entries("ada", document.run_id or "")
    assert await house.workbench.library.find("ada") == []
    await house.workbench.library.undelete("ada", document.id)
    back = await house.settled(document)
    assert back.state == "completed"
    await house.assert_whole(back)


async def test_compacting_removes_every_copy(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    await house.workbench.library.delete("ada", document.id)
    assert await house.workbench.library.upkeep.compact(60) == 0
    assert house.stored_files() != []

    assert await house.workbench.library.upkeep.compact(-1) == 1
    await house.assert_nothing_stored(document)
    assert house.stored_files() == []
    with pytest.raises(PalimpsestError):
        await house.workbench.library.undelete("ada", document.id)


async def test_a_deleted_document_may_be_uploaded_again(house: House) -> None:
    first = await house.read("policy.md", POLICY)
    await house.workbench.library.delete("ada", first.id)
    second = await house.read("policy.md", POLICY)
    await house.workbench.library.upkeep.compact(-1)
    assert await house.found(QUESTION) == {"policy.md"}
    await house.assert_whole(second)
    assert len(house.stored_files()) == 1
