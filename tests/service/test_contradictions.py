"""Tests the list of figures that two documents print differently: it follows removals, and is its user's only."""

from __future__ import annotations

import pytest

from pages.handlers.library import Listing, Shelf
from tests.service.calling import Someone
from tests.service.house import House

REPORT = """# Tidewater Instruments Inc.

## Annual Report {year}

Tidewater Instruments Inc. makes level meters. For the fiscal year ended December 31, {year}.

## Consolidated statements of operations

(in thousands of US dollars)

| | Year ended December 31, {year} | Year ended December 31, {before} |
|---|---|---|
{rows}
"""
OLD = [("Revenue", 48210, 41877), ("Cost of revenue", 29004, 25310), ("Net income", 4871, 3980)]
NEW = [("Revenue", 53660, 47650), ("Cost of revenue", 31720, 29004), ("Net income", 5240, 4871)]


def report(year: int, rows: list[tuple[str, int, int]]) -> str:
    lines = "\n".join(f"| {label} | {now:,} | {before:,} |" for label, now, before in rows)
    return REPORT.format(year=year, before=year - 1, rows=lines)


async def differing(house: House, user: str = "ada") -> list[tuple[str, set[float]]]:
    pairs = await house.workbench.contradictions.of_user(user)
    return [(pair.first.label, {pair.first.value, pair.second.value}) for pair in pairs]


@pytest.mark.parametrize("gone", ["old", "new"])
async def test_a_restated_value_is_listed_until_one_document_is_removed(house: House, gone: str) -> None:
    old = await house.read("tidewater-2022.md", report(2022, OLD))
    assert await differing(house) == []
    new = await house.read("tidewater-2023.md", report(2023, NEW))
    assert await differing(house) == [("Revenue", {48210.0, 47650.0})]
    for document in (old, new):
        assert len(await house.workbench.contradictions.of_documents("ada", [document.id])) == 1
    answer = await house.ask("What was the revenue of Tidewater Instruments in 2022?")
    shown = answer.view.html()
    assert "48,210" in shown
    assert "47,650" in shown
    removed = old if gone == "old" else new
    await house.workbench.library.delete("ada", removed.id)
    assert await differing(house) == [], "a removed document is not compared"
    await house.workbench.library.undelete("ada", removed.id)
    assert await differing(house) == [("Revenue", {48210.0, 47650.0})]
    await house.workbench.library.delete("ada", removed.id)
    await house.workbench.library.upkeep.compact(-1)
    assert await differing(house) == []
    assert await house.workbench.truth.collection("figure_contradictions").count() == 0


async def test_another_user_sees_none_of_it(house: House) -> None:
    await house.read("tidewater-2022.md", report(2022, OLD))
    document = await house.read("tidewater-2023.md", report(2023, NEW))
    assert len(await differing(house)) == 1
    await house.read("tidewater-2022.md", report(2022, OLD), "bob")
    assert await differing(house, "bob") == [], "documents are compared with those of their owner only"
    assert await house.workbench.contradictions.of_documents("bob", [document.id]) == []
    reply = await Shelf(house.workbench, Someone("bob")).documents("bob", Listing())
    assert reply["contradictions"] == 0
