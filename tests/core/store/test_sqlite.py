"""Tests guarantees of the embedded record store: durability, queries that use indexes, and an event loop that is never
blocked."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.store.filters import parse
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Filter, Sorted, Unique

WRITE = """
import asyncio, itertools, sys
from pathlib import Path
from core.store.filters import parse
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change

async def main():
    truth = SqliteTruth(Path(sys.argv[1]))
    await truth.start()
    items = truth.collection("items")
    for number in itertools.count():
        await items.insert_many([{"_id": f"{number}.{part}"} for part in range(3)])
        await items.update(f"{number}.0", Change(set={"done": True}))
        print(number, flush=True)

asyncio.run(main())
"""


def write_until_killed(path: Path) -> int:
    """Starts a writer and kills it; returns how many rounds it had acknowledged by then."""
    with subprocess.Popen([sys.executable, "-c", WRITE, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(150):
            process.stdout.readline()
        process.kill()
        return 150 + len(process.stdout.read().splitlines())


@pytest.mark.faults
async def test_nothing_acknowledged_is_lost_to_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "truth.sqlite"
    acknowledged = await asyncio.to_thread(write_until_killed, path)
    truth = SqliteTruth(path)
    await truth.start()
    items = truth.collection("items")
    done = {str(document["_id"]) for document in await items.find({"done": True})}
    assert {f"{number}.0" for number in range(acknowledged)} <= done
    found = await items.count()
    assert found % 3 == 0
    assert found >= 3 * acknowledged
    await truth.stop()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.fixture
async def truth(tmp_path: Path):
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    yield truth
    await truth.stop()


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    for i in range(3):
        truth = SqliteTruth(tmp_path / "truth.sqlite")
        await truth.start()
        items = truth.collection("items")
        await items.upsert({"_id": f"{i}", "tags": ["x"] if i == 0 else "x"})
        if i == 1:
            await items.ensure(sort=[Sorted(("tags",))])
        assert await items.count({"tags": "x"}) == i + 1
        await truth.stop()


INDEX = "SEARCH items USING INDEX items sorted user_id tier at"
PLANS = [
    ({"user_id": "ada", "tier": "books"}, [], INDEX),
    ({"user_id": "ada", "tier": "books", "at": {"$gt": 5}}, [], INDEX),
    ({"user_id": "ada", "tier": {"$in": ["a", "b"]}}, [], INDEX),
    ({"user_id": "ada", "tier": "books"}, [("at", -1)], INDEX),
    ({"key": None}, [], "SEARCH items USING INDEX items unique key"),
]


async def test_queries_by_indexed_fields_use_the_index(truth: SqliteTruth) -> None:
    items = truth.collection("items")
    await items.ensure(unique=[Unique(("key",))], sort=[Sorted(("user_id", "tier", "at"))])
    for filter, sort, expected in PLANS:
        query, values = items._select("body", parse(filter), sort, 10)
        plan = await truth.read(lambda c, q=query, v=values: c.execute(f"EXPLAIN QUERY PLAN {q}", v).fetchall())
        assert expected in plan[0][3], (filter, plan)
        if sort:
            assert "FOR ORDER BY" not in " ".join(row[3] for row in plan)


async def test_statistics_of_an_earlier_version_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "truth.sqlite"
    for _ in range(2):
        truth = SqliteTruth(path)
        await truth.start()
        items = truth.collection("items")
        await items.ensure(sort=[Sorted(("user_id", "tier", "status"))])
        if not await items.count():
            rows = [{"_id": f"{n}", "user_id": "ada", "tier": "books", "status": "active"} for n in range(2_000)]
            await items.insert_many(rows)
            await truth.write(lambda connection: connection.execute("ANALYZE").fetchall())
            await truth.stop()
    query, values = items._select("count(*)", parse({"user_id": "ada", "tier": "books", "status": "active"}))
    plan = await truth.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall())
    await truth.stop()
    assert "SEARCH items USING" in plan[0][3]


async def test_alternatives_that_name_values_are_looked_up_one_by_one(truth: SqliteTruth) -> None:
    items = truth.collection("items")
    await items.ensure(sort=[Sorted(("user_id", "talk", "order"))])
    rows = [
        {"_id": f"{talk}{order}", "user_id": "ada", "talk": talk, "order": order}
        for talk in "abc"
        for order in range(9)
    ]
    await items.insert_many(rows)
    either: Filter = {"$or": [{"talk": "a", "order": {"$in": [1, 2]}}, {"order": 8, "talk": "c"}]}
    query, values = items._select("body", parse({"user_id": "ada", **either}))
    plan = await truth.read(lambda c: c.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall())
    assert "key talk=? AND key order=?" in plan[0][3], plan
    assert [row["_id"] for row in await items.find({"user_id": "ada", **either})] == ["a1", "a2", "c8"]
    missing: Filter = {"$or": [{"talk": None, "order": None}, {"talk": "b", "order": 0}]}
    await items.insert_many([{"_id": "z", "user_id": "ada"}])
    assert [row["_id"] for row in await items.find(missing)] == ["b0", "z"]


async def test_a_field_name_is_never_sql(truth: SqliteTruth) -> None:
    items = truth.collection("items")
    await items.insert_many([{"_id": "1", "a b-c;": 1, "`x`": 2, "[y]": 3, "--": 4}])
    await items.ensure(sort=[Sorted((name,)) for name in ("a b-c;", "`x`", "[y]", "--")])
    assert await items.count({"a b-c;": 1, "`x`": 2, "[y]": 3, "--": 4}) == 1


async def test_a_long_read_neither_blocks_the_loop_nor_outlives_its_time(tmp_path: Path) -> None:
    truth = SqliteTruth(tmp_path / "truth.sqlite", seconds=1.0)
    await truth.start()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    began = time.monotonic()
    reading = asyncio.create_task(truth.read(lambda connection: connection.execute(endless).fetchone()))
    turns = 0
    while not reading.done():
        turns += 1
        await asyncio.wait([reading], timeout=0.01)
    with pytest.raises(PalimpsestError) as caught:
        await reading
    assert caught.value.problem.category == "timeout"
    assert turns > 5
    assert time.monotonic() - began < 30
    await truth.stop()


async def test_a_cancelled_read_frees_its_thread(truth: SqliteTruth) -> None:
    started = asyncio.Event()
    loop = asyncio.get_running_loop()

    def read(connection: sqlite3.Connection) -> None:
        loop.call_soon_threadsafe(started.set)
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")

    for _ in range(8):
        started.clear()
        reading = asyncio.create_task(truth.read(read))
        await started.wait()
        reading.cancel()
    assert await asyncio.wait_for(truth.collection("items").count(), 30) == 0


async def test_a_write_that_takes_too_long_is_taken_back(tmp_path: Path) -> None:
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    items = truth.collection("items")
    await items.insert_many([{"_id": "1"}])

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM items")
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")

    with pytest.raises(PalimpsestError):
        await truth.write(write, seconds=0.05)
    assert await items.count() == 1
    assert await items.update("1", Change(set={"x": 1})) is not None
    await truth.stop()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "truth.sqlite"
    path.write_bytes(b"something else entirely " * 100)
    truth = SqliteTruth(path)
    with pytest.raises(PalimpsestError) as caught:
        await truth.start()
    assert caught.value.problem.category == "server"
    await truth.stop()


async def test_many_writers_at_once_never_disturb_each_other(tmp_path: Path) -> None:
    """Without protection, a cursor that one thread releases would reset the statement that another thread is using."""
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    events = truth.collection("events")

    async def write(writer: int) -> None:
        for number in range(150):
            await events.insert_many([{"_id": f"{writer}.{number}"}])

    await asyncio.gather(*(write(writer) for writer in range(32)))
    assert await events.count() == 32 * 150
    await truth.stop()


@pytest.mark.parametrize("read_only", [True, False])
async def test_no_cursor_leaves_its_thread(tmp_path: Path, read_only: bool) -> None:
    truth = SqliteTruth(tmp_path / "truth.sqlite")
    await truth.start()
    run = truth.read if read_only else truth.write
    with pytest.raises(TypeError, match="cursor"):
        await run(lambda connection: connection.execute("SELECT 1"))
    await truth.stop()


async def test_a_full_disk_gives_what_was_kept_for_it(tmp_path: Path) -> None:
    """A page limit on the database file simulates a full disk."""
    asked: list[int] = []

    def make_room() -> bool:
        asked.append(1)
        allowed[0] = 10_000
        return len(asked) == 1

    allowed, full = [0], SqliteTruth(tmp_path / "truth.sqlite", make_room=make_room)
    await full.start()
    rows = full.collection("rows")
    await rows.upsert({"_id": "a", "text": "kept"})

    def insert(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + allowed[0]}")
        connection.execute("INSERT INTO rows VALUES ('b', ?)", ("x" * 100_000,))

    await full.write(insert)
    assert asked == [1]
    assert await rows.count() == 2
    with pytest.raises(PalimpsestError, match=r"full"):
        await full.write(_second)
    assert await rows.count() == 2
    await full.stop()


def _second(connection: sqlite3.Connection) -> None:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    connection.execute("INSERT INTO rows VALUES ('c', ?)", ("x" * 100_000,))
