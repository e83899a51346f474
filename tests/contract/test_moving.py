"""Tests moving a data directory to MongoDB and Qdrant and back: nothing is lost or changed, and an interrupted move
resumes."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

import numpy as np
import pytest
from pydantic import SecretStr
from pymongo import MongoClient
from qdrant_client import AsyncQdrantClient

from command.main import main
from core.errors import PalimpsestError
from core.memory.items.reading import ITEMS
from core.operations.moving import places
from core.operations.moving.move import MOVES, Move
from core.operations.moving.places import embedded, on_servers, opened
from core.operations.moving.records import MoveReport
from core.settings import Settings
from core.store.index import Point, SparseVector
from core.store.migrations.upgrade import FORMAT, STEPS, upgrade
from core.store.open import open_index
from core.store.qdrant import QdrantIndex
from core.store.truth import Json
from tests.qdrant_server import running_qdrant

EARLIER = Path(__file__).parents[1] / "data" / "home_of_0_1_0.zip"
QDRANT = "http://qdrant.test:6333"
MANY = 700
"""More records than two batches hold, so that the move can be interrupted in the middle of one kind of record."""
AWKWARD: Json = {
    "text": "שלום — naïve 😀 \u2028 e\u0301",
    "whole": 1,
    "round": 1.0,
    "large": 2**53 + 1,
    "small": -1e-300,
    "nothing": None,
    "empty": {},
    "list": [[], [1, 2.5, "x", None, {"deep": [True, False]}]],
}
OTHER_RECORDS = (
    "accounts", "sessions", "api_keys", "audit", "overrides", "preferences", "sets", "daily_figures", "embedding_cache",
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory of version 0.1.0, converted to the current format, with at least one record of each kind that
    was added later."""
    folder = tmp_path / "home"
    with zipfile.ZipFile(EARLIER) as archive:
        archive.extractall(folder, [each for each in archive.namelist() if not each.startswith("index/")])
    upgrade(Settings(_env_file=None, home=folder))
    (folder / "session.key").write_bytes(b"k" * 32)
    with closing(sqlite3.connect(folder / "truth.sqlite")) as truth, truth:
        for name in OTHER_RECORDS:
            truth.execute(f"CREATE TABLE IF NOT EXISTS {name} (id NOT NULL PRIMARY KEY, body NOT NULL)")
            rows = [{"_id": f"{name}_é{n}", "user_id": "ada", **AWKWARD} for n in range(3)]
            truth.executemany(f"INSERT INTO {name} VALUES (?, ?)", [(each["_id"], json.dumps(each)) for each in rows])
        rows = [{"_id": f"fig_{n:06d}", "n": n} for n in range(MANY)]
        truth.executemany("INSERT INTO daily_figures VALUES (?, ?)", [(each["_id"], json.dumps(each)) for each in rows])
    return folder


@pytest.fixture
def settings(home: Path, mongodb_uri: str) -> Iterator[Settings]:
    name = f"test_{uuid4().hex}"
    yield Settings(_env_file=None, home=home, mongodb_uri=SecretStr(mongodb_uri), mongodb_database=name)
    with MongoClient[dict[str, Any]](mongodb_uri) as client:
        client.drop_database(name)


@pytest.fixture
async def qdrant(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AsyncQdrantClient]:
    client = AsyncQdrantClient(":memory:")
    monkeypatch.setattr(
        places,
        "open_index",
        lambda settings: QdrantIndex(client=client) if settings.qdrant_url else open_index(settings),
    )
    yield client
    await client.close()


def database(settings: Settings) -> Any:
    assert settings.mongodb_uri
    return MongoClient[dict[str, Any]](settings.mongodb_uri.get_secret_value())[settings.mongodb_database]


def there(settings: Settings, qdrant: str | None = None) -> Settings:
    return on_servers(settings, "", qdrant)


def silent(name: str, walked: int) -> None:
    return None


@asynccontextmanager
async def moving(
    source: Settings, target: Settings, told: Callable[[str, int], None] = silent, *, with_index: bool = False
) -> AsyncIterator[Move]:
    async with (
        opened(source, with_index=with_index) as here,
        opened(target, with_index=with_index) as there_,
    ):
        yield Move(here, there_, told)


async def fill_index(settings: Settings) -> list[Point]:
    """Stores points with a vector, and one whose vector is not computed yet."""
    numbers = np.random.default_rng(7)
    points = [
        Point(
            str(uuid5(NAMESPACE_URL, str(n))),
            {"user_id": "local", "tier": "books", "tags": ["א", "b"], "score": 0.1 * n},
            SparseVector([n + 3, n + 1, 4_000_000_000], [0.1, 1 / 3, 2.0]),
            numbers.normal(size=384).astype(np.float32) if n else None,
        )
        for n in range(300)
    ]
    async with opened(settings, with_index=True) as place:
        assert place.index
        await place.index.upsert(points)
    return points


async def points_of(settings: Settings) -> list[Point]:
    async with opened(settings, with_index=True) as place:
        assert place.index
        return (await place.index.scroll(None, 1000, with_vectors=True))[0]


def tables(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the records and the checkpoints."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name in ("truth", "checkpoints"):
        with closing(sqlite3.connect(folder / f"{name}.sqlite")) as connection:
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            ).fetchall():
                columns = "id, body, 0, 0" if name == "truth" else "*"
                rows = connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2, 3, 4").fetchall()
                if name == "truth":
                    rows = [(each[0], json.loads(each[1])) for each in rows]
                elif table == "checkpoints":
                    rows = [(*each[:-1], json.loads(each[-1])) for each in rows]
                if rows and table != MOVES:
                    found[table] = rows
    return found


def files(folder: Path) -> dict[str, bytes]:
    root = folder / "files"
    return {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}


def digests(report: MoveReport) -> dict[str, str]:
    return {each.name: each.digest for each in report.parts if each.count}


async def test_everything_goes_there_and_comes_back_as_it_was(
    settings: Settings, tmp_path: Path, qdrant: AsyncQdrantClient
) -> None:
    here, servers = embedded(settings), there(settings, QDRANT)
    await fill_index(here)
    before = tables(settings.folder)
    assert {"documents", "conversations", ITEMS, "runs", "run_events", *OTHER_RECORDS} <= set(before)
    assert len(before["writes"]) == 4

    async with moving(here, servers, with_index=True) as move:
        report = await move.run()
    assert report.alike
    assert (report.index, report.mended, report.unowned) == ("carried", 0, 0)
    assert report.left_here == ["session.key"]
    counts = {each.name: each.count for each in report.parts}
    assert counts["daily_figures"] == MANY + 3
    assert (counts["files"], counts["index"], counts["checkpoints"]) == (3, 300, 4)
    assert database(settings)["file_owners"].count_documents({}) == 3
    assert tables(settings.folder) == before

    home = settings.model_copy(update={"home": tmp_path / "again"})
    async with moving(there(home, QDRANT), embedded(home), with_index=True) as move:
        back = await move.run()
    assert digests(back) == digests(report)
    assert tables(home.folder) == before
    assert files(home.folder) == files(settings.folder)
    ours, theirs = await points_of(here), await points_of(embedded(home))
    assert [(each.id, each.payload, each.lexical) for each in ours] == [
        (each.id, each.payload, each.lexical) for each in theirs
    ]
    assert all(
        a.dense is b.dense or np.allclose(a.dense, b.dense, atol=1e-6)  # type: ignore[arg-type]
        for a, b in zip(ours, theirs, strict=True)
    )
    upgrade(embedded(home))


STOPPED = """
import asyncio, os, signal, sys
from pathlib import Path
from pydantic import SecretStr
from core.operations.moving.move import Move
from core.operations.moving.places import embedded, on_servers, opened
from core.settings import Settings

settings = Settings(_env_file=None, home=Path(sys.argv[1]), mongodb_uri=SecretStr(sys.argv[2]),
                    mongodb_database=sys.argv[3])

def told(name, walked):
    if name == "daily_figures" and walked == 512:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with opened(embedded(settings), with_index=False) as here:
        async with opened(on_servers(settings, "", None), with_index=False) as there:
            await Move(here, there, told).run()

asyncio.run(main())
"""


def run_to_the_kill(settings: Settings) -> subprocess.CompletedProcess[bytes]:
    assert settings.mongodb_uri
    uri = settings.mongodb_uri.get_secret_value()
    return subprocess.run([sys.executable, "-c", STOPPED, str(settings.folder), uri, settings.mongodb_database])


async def test_a_move_that_was_killed_in_the_middle_is_taken_up(settings: Settings) -> None:
    ended = await asyncio.to_thread(run_to_the_kill, settings)
    assert ended.returncode == -signal.SIGKILL
    assert 0 < database(settings)["daily_figures"].count_documents({}) < MANY
    # Changes made in the source before the move resumes are moved as well, and records deleted there are not.
    with closing(sqlite3.connect(settings.folder / "truth.sqlite")) as truth, truth:
        truth.execute("DELETE FROM daily_figures WHERE id = 'fig_000001'")
        truth.execute("DELETE FROM accounts WHERE id = 'accounts_é0'")
    async with moving(embedded(settings), there(settings)) as move:
        report = await move.run()
    assert report.alike
    assert {each.name: each.count for each in report.parts}["daily_figures"] == MANY + 2
    assert report.mended == 1
    assert database(settings)["accounts"].count_documents({}) == 2
    assert report.index == "rebuilt"


async def test_what_is_bent_on_the_way_is_found_and_carried_once_more(settings: Settings) -> None:
    bent: list[str] = []

    def told(name: str, walked: int) -> None:
        if name == "daily_figures" and not bent:
            bent.append("fig_000003")
            database(settings)[name].update_one({"_id": bent[0]}, {"$set": {"n": 3.5}})

    async with moving(embedded(settings), there(settings), told) as move:
        report = await move.run()
    assert report.alike
    assert report.mended == 1
    assert database(settings)["daily_figures"].find_one({"_id": "fig_000003"})["n"] == 3


async def checked(settings: Settings) -> dict[str, tuple[int, str]]:
    async with moving(embedded(settings), there(settings)) as move:
        report: MoveReport = await move.check()
    return {each.name: (each.differing, each.first) for each in report.parts if not each.alike}


async def test_a_bent_record_file_or_thread_is_found_by_its_digest(settings: Settings) -> None:
    async with moving(embedded(settings), there(settings)) as move:
        await move.run()
    assert await checked(settings) == {}
    store = database(settings)
    store["audit"].update_one({"_id": "audit_é1"}, {"$set": {"round": 1}})
    store["sets"].delete_one({"_id": "sets_é0"})
    chunk = store["files.chunks"].find_one()
    store["files.chunks"].update_one({"_id": chunk["_id"]}, {"$set": {"data": b"!" + bytes(chunk["data"])[1:]}})
    write = store["checkpoint_writes"].find_one()
    store["checkpoint_writes"].delete_one({"_id": write["_id"]})
    owner = store["file_owners"].find_one({"content": chunk["files_id"]})
    assert await checked(settings) == {
        "audit": (1, "audit_é1"),
        "sets": (1, "sets_é0"),
        "files": (1, owner["_id"]),
        "checkpoints": (1, write["thread_id"]),
    }


async def refusal(source: Settings, target: Settings) -> str:
    with pytest.raises(PalimpsestError) as refused:
        async with moving(source, target) as move:
            await move.run()
    assert all(refused.value.problem.to("he"))
    return refused.value.problem.what.en + " " + refused.value.problem.why.en


async def test_a_place_that_holds_something_is_left_alone(settings: Settings, tmp_path: Path) -> None:
    database(settings)["documents"].insert_one({"_id": "doc_1"})
    assert "is not empty" in await refusal(embedded(settings), there(settings))
    assert database(settings)["documents"].count_documents({}) == 1
    database(settings)["documents"].delete_one({"_id": "doc_1"})
    async with moving(embedded(settings), there(settings)) as move:
        await move.run()
    assert "is not empty" in await refusal(embedded(settings), there(settings))
    assert "is not empty" in await refusal(there(settings), embedded(settings))


async def test_a_stopped_move_from_elsewhere_is_not_taken_up(settings: Settings) -> None:
    database(settings)[MOVES].insert_one(
        {"_id": "move", "source": "/elsewhere", "format": FORMAT, "begun_at": 0.0, "ended_at": None, "carried": {}}
    )
    assert "is not empty" in await refusal(embedded(settings), there(settings))


async def test_a_place_that_processes_work_on_is_not_moved(settings: Settings) -> None:
    processes = database(settings)["processes"]
    processes.insert_one({"_id": "a", "host": "mill", "pid": 7, "seen_at": time.time()})
    assert "mill:7" in await refusal(embedded(settings), there(settings))
    assert "mill:7" in await refusal(there(settings), embedded(settings))
    processes.update_one({"_id": "a"}, {"$set": {"seen_at": time.time() - 60}})
    async with moving(embedded(settings), there(settings)) as move:
        assert (await move.run()).alike


async def test_another_format_is_refused(settings: Settings) -> None:
    with closing(sqlite3.connect(settings.folder / "truth.sqlite")) as truth, truth:
        truth.execute(f"PRAGMA user_version = {FORMAT - 1}")
    told = await refusal(embedded(settings), there(settings))
    assert f"format {FORMAT - 1}; this version can move only format {FORMAT}" in told
    assert len(STEPS) == FORMAT - 1
    assert "documents" not in database(settings).list_collection_names()


@pytest.fixture
def environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    assert settings.mongodb_uri
    monkeypatch.setenv("PALIMPSEST_HOME", str(settings.folder))
    monkeypatch.setenv("PALIMPSEST_MONGODB_DATABASE", settings.mongodb_database)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    return settings


def test_the_command_prints_counts_and_digests(
    environment: Settings, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert environment.mongodb_uri
    uri = environment.mongodb_uri.get_secret_value()
    asyncio.run(fill_index(embedded(environment)))
    with running_qdrant(tmp_path / "qdrant") as qdrant:
        assert main(["migrate", "--to", uri, "--qdrant", qdrant.url, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert main(["migrate", "--to", uri, "--qdrant", qdrant.url, "--check", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["parts"] == report["parts"]
    assert report["alike"]
    assert {each["name"]: each["count"] for each in report["parts"]}["index"] == 300
    assert all(len(each["digest"]) == 64 for each in report["parts"])
    assert main(["migrate", "--to", uri, "--check"]) == 0
    assert "[ok] daily_figures" in capsys.readouterr().out
    database(environment)["daily_figures"].delete_one({"_id": "fig_000009"})
    assert main(["migrate", "--to", uri, "--check"]) == 1
    told = capsys.readouterr()
    assert "[!!] daily_figures" in told.out
    assert "fig_000009" in told.out
    assert main(["migrate", "--to", uri]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_the_command_refuses_in_words(
    environment: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_DEADLINES__TRUTH", "0.5")
    assert main(["migrate", "--to", "mongodb://127.0.0.1:1"]) == 1
    assert "MongoDB could not be reached" in capsys.readouterr().err
    assert main(["migrate", "--to", "127.0.0.1"]) == 1
    assert "mongodb://" in capsys.readouterr().err
    assert environment.mongodb_uri
    uri = environment.mongodb_uri.get_secret_value()
    monkeypatch.setenv("PALIMPSEST_DEADLINES__TRUTH", "10")
    assert main(["migrate", "--to", uri, "--qdrant", "http://127.0.0.1:1"]) == 1
    assert "search index is not available" in capsys.readouterr().err
    monkeypatch.setattr("core.store.mongo.MongoTruth.statistics", _full)
    assert main(["migrate", "--to", uri]) == 1
    assert "not enough disk space" in capsys.readouterr().err
    monkeypatch.setenv("PALIMPSEST_HOME", str(environment.folder / "nobody"))
    assert main(["migrate", "--to", uri]) == 1
    assert "nothing to move" in capsys.readouterr().err


async def _full(_: object) -> dict[str, float]:
    return {"dataSize": 1.0, "fsTotalSize": 1e9, "fsUsedSize": 1e9 - 1000}
