"""Tests that a long table of records is found by every word, code and number in it; only its texts are embedded."""

from __future__ import annotations

import time

import pytest

from tests.core.library.record_tables.orders import order_file
from tests.service.conftest import Open
from tests.service.house import GatedEmbeddings, House

ROWS = 1_500
LONG = 2_100
"""Number of rows: more than the viewer shows of a table."""
PROCESSOR_SECONDS = 12.0
"""Limit for the processor time. These rows take about two seconds; a vector for each passage, or work for each pair of
rows, would exceed the limit."""


@pytest.fixture(params=[True, False], ids=["kept", "not kept"])
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if not request.param:
        for module in ("sizes", "large_files", "keeping"):
            monkeypatch.setattr(f"core.library.record_tables.{module}.KEPT_ROWS", 1_000)
        monkeypatch.setattr("core.memory.items.document_steps.STEP", 50)
    return bool(request.param)


async def shown(house: House, question: str) -> str:
    found = await house.search(question)
    return "\n".join(passage.text for source in found.sources for passage in source.passages)


async def test_it_is_searchable_soon_by_a_code_a_number_and_a_word(
    open_house: Open, embeddings: GatedEmbeddings, kept: bool
) -> None:
    house = await open_house(dense_enabled=True)
    began = time.process_time()
    document = await house.settled(await house.read("orders.csv", order_file(ROWS)))
    assert time.process_time() - began < PROCESSOR_SECONDS
    await house.assert_whole(document)
    assert f"ORD-{ROWS:07d}" in await shown(house, f"What is the amount of ORD-{ROWS:07d}?")
    assert f"C{(ROWS - 1) % 89}-{ROWS - 1}" in await shown(house, f"C{(ROWS - 1) % 89}-{ROWS - 1}")
    assert "4494.50" in await shown(house, "Which order is of 4494.50?")
    assert "driver w502" in await shown(house, "What did driver w502 say?")

    tables = await house.workbench.library.tables("ada", document.id)
    assert [table.row_count for table in tables] == ([ROWS] if kept else [])
    assert bool(document.notes) != kept


async def test_its_texts_alone_have_vectors_and_the_counts_say_so(
    open_house: Open, embeddings: GatedEmbeddings, kept: bool
) -> None:
    lines = order_file(ROWS).splitlines()
    bare = [line.rpartition(",")[0] + "," for line in lines[1000:]]
    house = await open_house(dense_enabled=True)
    document = await house.settled(await house.read("orders.csv", "\n".join([*lines[:1000], *bare])))
    assert document.state == "completed"
    assert 0 < document.embedded < document.chunks
    assert document.embedded + document.without_vectors == document.chunks
    rows = await house.items("ada", document.id)
    assert sum(row["embedded"] is True for row in rows) == document.embedded
    assert sum(row["embedded"] is None for row in rows) == document.without_vectors
    assert await house.workbench.library.catalogue.unfinished(1e12) == []
    assert (await house.workbench.retrieval.check()).differences == 0


async def test_it_is_opened_and_deleted_like_any_other(
    house: House, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.library.burials.LONG", 100)
    document = await house.read("orders.csv", order_file(LONG))
    viewer, last = house.workbench.viewer, f"ORD-{LONG:07d}"
    begins = await viewer.reading("ada", document.id)
    assert "ORD-0000001" in begins
    assert last not in begins
    (hit,) = (await viewer.search("ada", document.id, last)).hits
    opened = await viewer.reading("ada", document.id, hit.item_id)
    assert last in opened
    assert opened.count("<tr>") < 2_100
    await house.workbench.library.delete("ada", document.id)
    await house.workbench.library.burials.settle(document.id)
    assert await house.found("ORD-0000007") == set()
    await house.workbench.library.undelete("ada", document.id)
    assert await house.found("ORD-0000007") == {"orders.csv"}
    await house.workbench.library.delete("ada", document.id)
    await house.workbench.library.burials.settle(document.id)
    await house.workbench.library.upkeep.compact(-1.0)
    await house.assert_nothing_stored(document)
