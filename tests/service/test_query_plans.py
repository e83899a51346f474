"""Tests SQLite's query plans for a question, with every filter exactly as the product runs it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.store.items import Book, ItemSource, MemoryItem, Place, Timestamps
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY

ROWS = 3_000
"""Number of items of one user. With more than some hundreds, SQLite prefers a scan to an unselective index."""
RECORDED: list[tuple[str, Sequence[Any]]] = []


class _RecordingConnection(sqlite3.Connection):
    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        if sql.startswith(("SELECT", "UPDATE", "DELETE")):
            RECORDED.append((sql, parameters))
        return super().execute(sql, parameters)


def passage(number: int) -> MemoryItem:
    book = Book(book_id="doc_long", title="Register", filename="register.txt", chunk_index=number)
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id="ada",
        text=f"Reservoir {number} holds {number * 37} cubic metres of water.",
        source=ItemSource(type="document", doc_id="doc_long", book=book),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0 + number),
        place=Place(episode="doc_long", order=number),
        tier="books",
        document_id="doc_long",
    )


async def test_no_filter_of_a_question_scans_the_items(
    open_house: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    await house.workbench.retrieval.items.add("ada", [passage(number) for number in range(ROWS)])
    await house.workbench.stop()

    connect, path = sqlite3.connect, tmp_path / "home" / "truth.sqlite"
    with connect(path) as truth:
        truth.execute("ANALYZE")  # earlier versions did this when they stopped
    monkeypatch.setattr(
        sqlite3, "connect", lambda *given, **more: connect(*given, factory=_RecordingConnection, **more)
    )
    house = await open_house()
    await house.ask("What is paid for a night in Haifa?")
    del RECORDED[:]
    answer = await house.ask("How much notice must Pelagit give of a price rise?")
    await house.workbench.memory.promote_now("ada")
    await house.workbench.memory.settle()
    asked = list(RECORDED)
    await house.workbench.stop()

    assert answer.view.sources
    with connect(path) as truth:
        plans = {
            sql: [row[3] for row in truth.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
            for sql, values in asked
            if " items " in sql
        }
    assert len(plans) > 10
    assert [sql for sql, steps in plans.items() if any(step.startswith("SCAN items") for step in steps)] == []
