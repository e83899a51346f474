"""Tests that a user's correction of a document's details reaches the catalogue, sources and later readings."""

from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from tests.service.house import POLICY, House


async def test_sources_and_searches_go_by_a_corrected_title(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    library = house.workbench.library
    await library.correct("ada", document.id, "title", "The rules of the road")
    await library.correct("ada", document.id, "organisations", "Acme Ltd.")
    await library.correct("ada", document.id, "periods", "FY2022")

    titles = {item.source.book.title for item in await library.chunks("ada", document.id) if item.source.book}
    assert titles == {"The rules of the road"}
    for search in ("rules road", "acme", "2022", "policy.md"):
        assert [each.id for each in await library.find("ada", search)] == [document.id], search
    assert await library.find("ada", "rules 1999") == []


async def test_reading_a_document_again_keeps_what_was_corrected(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    library = house.workbench.library
    await library.correct("ada", document.id, "title", "Mine")
    await library.catalogue.change("ada", document.id, state="cancelled", chunks=0, searchable=0, embedded=0)
    again = await house.settled(await library.retry("ada", document.id))
    assert again.state == "completed"
    assert again.metadata.title == "Mine"
    titles = {item.source.book.title for item in await library.chunks("ada", document.id) if item.source.book}
    assert titles == {"Mine"}


async def test_nobody_corrects_another_person_s_document(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    with pytest.raises(PalimpsestError):
        await house.workbench.library.correct("eve", document.id, "title", "Hers")
    assert (await house.workbench.library.get("ada", document.id)).metadata.title != "Hers"
