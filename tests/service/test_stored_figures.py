"""Tests that figures are stored when a document is read, follow its changes, and reach libraries that lack them."""

from __future__ import annotations

import pytest

from core.figures.stored.records import FigureQuery
from core.library.contents import FIGURE_LABELS, FIGURES
from core.reading_settings import ReadingOptions
from tests.service.conftest import Open
from tests.service.house import House

HARVEST = "# Harvest\n\n| Crop | 2031 | 2030 |\n|---|---|---|\n| Revenue | 120 | 90 |\n| Costs | 40 | 35 |\n"
HEBREW = "# דוח שנתי\n\n| סעיף | 2031 | 2030 |\n|---|---|---|\n| הכנסות | 77 | 66 |\n"


async def values(house: House, measure: str, user: str = "ada", **given: object) -> list[float]:
    query = FigureQuery(measure=measure, **given)  # type: ignore[arg-type]
    return [match.figure.value for match in await house.workbench.figures.find(user, query)]


async def test_a_document_that_was_read_has_its_figures(house: House) -> None:
    document = await house.read("harvest.md", HARVEST)
    await house.read("sheet.csv", "Item,2031,2030\nRevenue,500,400\nWages,50,40\n")
    await house.read("hebrew.md", HEBREW)
    assert await values(house, "revenue", document_ids=(document.id,)) == [120, 90]
    assert set(await values(house, "revenue", periods=("2030",))) == {400, 90, 66}
    assert await values(house, "wages") == [50, 40]
    assert await values(house, "revenue", "eve") == []
    all_of_it = await house.workbench.figures.of_document("ada", document.id)
    assert [(each.label, each.period, each.value) for each in all_of_it] == [
        ("Revenue", "2031", 120), ("Revenue", "2030", 90), ("Costs", "2031", 40), ("Costs", "2030", 35)
    ]  # fmt: skip
    assert await house.workbench.figures.of_document("eve", document.id) == []


async def test_a_lookup_reads_no_tables(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.read("harvest.md", HARVEST)

    async def refuse(*_: object) -> list[object]:
        raise AssertionError("a table was read")

    monkeypatch.setattr(house.workbench.library.contents, "tables", refuse)
    assert await values(house, "costs") == [40, 35]


async def test_an_attached_document_is_found_in_its_conversation_only(house: House) -> None:
    await house.read("harvest.md", HARVEST, scope="conv_1")
    assert await values(house, "costs") == []
    assert await values(house, "costs", conversation_id="conv_1") == [40, 35]


async def test_figures_follow_a_new_reading_and_a_deletion(house: House) -> None:
    document = await house.read("harvest.md", HARVEST)
    library, truth = house.workbench.library, house.workbench.truth
    await house.settled(await library.read_again("ada", document.id, ReadingOptions(hidden=True)))
    assert await values(house, "costs") == [40, 35]
    await library.delete("ada", document.id)
    assert await values(house, "costs") == []
    await library.undelete("ada", document.id)
    assert await values(house, "costs") == [40, 35]
    await library.delete("ada", document.id)
    await library.upkeep.compact(-1.0)
    assert [await truth.collection(name).count() for name in (FIGURES, FIGURE_LABELS)] == [0, 0]


async def test_an_older_library_gets_its_figures_in_the_upkeep(open_house: Open) -> None:
    house = await open_house()
    await house.read("harvest.md", HARVEST)
    await house.read("hebrew.md", HEBREW)
    for name in (FIGURES, FIGURE_LABELS):
        await house.workbench.truth.collection(name).delete({})
    assert await values(house, "costs") == []
    writing = house.workbench._library._figures
    assert await writing.catch_up() == 2
    assert await values(house, "costs") == [40, 35]
    assert await writing.catch_up() == 0
