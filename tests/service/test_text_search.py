"""Tests keyword search in the texts of the library: who can find them, which texts are available, and positions of
matches."""

from __future__ import annotations

import pytest

from core.search.documents.records import FoundIn
from tests.service.conftest import Open
from tests.service.house import CONTRACT, HEBREW, POLICY, House


async def found(house: House, text: str, user: str = "ada") -> list[FoundIn]:
    return await house.workbench.retrieval.text.find(user, text)


def words(one: FoundIn) -> list[str]:
    return [piece.text for place in one.places for piece in place.pieces if piece.found]


async def test_documents_with_all_the_words_and_the_words_marked(house: House) -> None:
    policy = await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    [one] = await found(house, "hotel Haifa")
    assert one.document_id == policy.id
    assert words(one) == ["hotel", "Haifa"]
    assert one.places[0].item_id.startswith("mem_")
    assert await found(house, "hippopotamus") == []
    assert await found(house, "hotel hippopotamus") == []
    assert await found(house, "?!") == []


async def test_three_places_are_shown_and_the_others_counted(open_house: Open) -> None:
    house = await open_house()
    text = "\n\n".join(f"## Meter {n}\n\n" + f"Meter {n} stands in yard {n}. " * 60 for n in range(8))
    await house.read("meters.md", f"# Meters\n\n{text}")
    [one] = await found(house, "yard")
    assert len(one.places) == 3
    assert one.more >= 4


async def test_hebrew_in_any_form(house: House) -> None:
    document = await house.read("נוהל.md", HEBREW)
    [one] = await found(house, "מלון")
    assert one.document_id == document.id
    assert words(one) == ["במלון"]


async def test_nothing_of_others_of_conversations_or_of_what_is_deleted(house: House) -> None:
    thread = await house.workbench.conversations.start("ada", "Thread")
    await house.read("attached.md", POLICY, scope=thread.id)
    await house.read("theirs.md", POLICY, user="eve")
    assert await found(house, "hotel") == []
    mine = await house.read("mine.md", POLICY + "\nMine.")
    assert [one.document_id for one in await found(house, "hotel")] == [mine.id]
    await house.workbench.library.delete("ada", mine.id)
    assert await found(house, "hotel") == []


async def test_without_the_index_the_text_itself_is_searched(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = await house.read("policy.md", POLICY)

    async def gone(*_: object, **__: object) -> None:
        raise ConnectionError("the index is away")

    monkeypatch.setattr(house.workbench.retrieval.index, "query_lexical", gone)
    assert [one.document_id for one in await found(house, "hotel")] == [policy.id]
