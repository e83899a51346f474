"""Tests that a document is read again with the options that its owner chose."""

from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from core.reading_settings import ReadingOptions
from tests.service.house import POLICY, House

POLISH = "Miasto,Ludność\nŁódź,655279\nGdańsk,486492\n"


async def test_another_encoding_changes_what_is_read(house: House) -> None:
    document = await house.read("miasta.csv", POLISH.encode("cp1250"))
    library = house.workbench.library
    await library.correct("ada", document.id, "title", "Cities")
    for encoding, seen, unseen in (("cp1252", "486492", "Gdańsk"), ("cp1250", "Gdańsk", "Gdañsk")):
        again = await house.settled(
            await library.read_again("ada", document.id, ReadingOptions.model_validate({"encoding": encoding}))
        )
        assert (again.state, again.metadata.title) == ("completed", "Cities")
        text = await library.text("ada", document.id)
        assert seen in text
        assert unseen not in text


async def test_passages_of_the_reading_before_go(house: House) -> None:
    document = await house.read("policy.md", POLICY + "\n## Trains\n\nA train is reimbursed in full.\n" * 20)
    library = house.workbench.library
    before = await library.chunks("ada", document.id)
    again = await house.settled(await library.read_again("ada", document.id, ReadingOptions(hidden=True)))
    after = await library.chunks("ada", document.id)
    assert [item.text for item in after] == [item.text for item in before]
    assert again.searchable == again.chunks == len(after)


async def test_only_its_owner_has_it_read_again(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    with pytest.raises(PalimpsestError):
        await house.workbench.library.read_again("eve", document.id, ReadingOptions())
