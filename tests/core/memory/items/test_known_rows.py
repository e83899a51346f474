"""Tests that a row's parsed object is cached until any write changes the row."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.memory.items.known_rows import KnownRows
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Collection, Delete, Update, Upsert

Write = Callable[[Collection], Awaitable[object]]
WRITES: dict[str, Write] = {
    "insert": lambda rows: rows.insert_many([{"_id": "c"}]),
    "upsert": lambda rows: rows.upsert({"_id": "a", "n": 2}),
    "update": lambda rows: rows.update("a", Change(set={"n": 2})),
    "update_where": lambda rows: rows.update_where({"kind": "x"}, Change(set={"n": 2})),
    "bulk": lambda rows: rows.bulk([Upsert({"_id": "c"}), Update("a", Change(set={"n": 2}))]),
    "bulk delete": lambda rows: rows.bulk([Delete("a")]),
    "delete": lambda rows: rows.delete({"kind": "x"}),
    "claim": lambda rows: rows.claim({"kind": "x"}, owner="ada", seconds=9, now=1),
}


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    await truth.collection("items").insert_many([{"_id": "a", "kind": "x"}, {"_id": "b", "kind": "y"}])
    yield truth
    await truth.stop()


@pytest.mark.parametrize("name", WRITES)
async def test_only_what_was_written_is_made_again(truth: SqliteTruth, name: str) -> None:
    rows, known = truth.collection("items"), KnownRows[str]()
    known.keep(rows.version, [("a", "of a"), ("b", "of b")])
    assert known.among(rows, ["a", "b", "c"]) == {"a": "of a", "b": "of b"}
    await WRITES[name](rows)
    kept = {"a": "of a", "b": "of b"} if name == "insert" else {"b": "of b"}
    assert known.among(rows, ["a", "b"]) == kept


async def test_a_row_that_is_written_while_it_is_read_is_not_kept(truth: SqliteTruth) -> None:
    rows, known = truth.collection("items"), KnownRows[str]()
    before = rows.version
    await rows.upsert({"_id": "a", "kind": "z"})
    known.keep(before, [("a", "of a"), ("b", "of b")])
    assert known.among(rows, ["a", "b"]) == {"b": "of b"}


async def test_nothing_is_known_after_a_start(truth: SqliteTruth) -> None:
    known = KnownRows[str]()
    known.keep(truth.collection("items").version, [("a", "of a")])
    await truth.stop()
    await truth.start()
    assert known.among(truth.collection("items"), ["a"]) == {}
