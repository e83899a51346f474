"""Tests the migration of data from version 0.1.0 to the current format in SQLite and MongoDB, with a backup of the old
data."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.checkpoint.mongodb.utils import dumps_metadata
from pydantic import SecretStr
from pymongo import MongoClient

from core.errors import PalimpsestError
from core.graph.state import STATE_TYPES
from core.settings import Settings
from core.store.checkpoints import open_checkpointer, serializer
from core.store.migrations.stored import ALIVE_SECONDS, FIRST, Stored
from core.store.migrations.upgrade import FORMAT, STEPS, renamed, upgrade
from core.store.open import open_truth

EARLIER = Path(__file__).parents[1] / "data" / "home_of_0_1_0.zip"
OLD_NAME = b"core.search.reach"


@pytest.fixture(params=["sqlite", "mongo"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    home = tmp_path / "home"
    if request.param == "sqlite":
        yield Settings(_env_file=None, home=home)
        return
    uri, database = request.getfixturevalue("mongodb_uri"), f"test_{uuid4().hex}"
    yield Settings(_env_file=None, home=home, mongodb_uri=SecretStr(uri), mongodb_database=database)
    with MongoClient[dict[str, Any]](uri) as client:
        client.drop_database(database)


@pytest.fixture
def earlier(empty: Settings, tmp_path: Path) -> Settings:
    """The same records as version 0.1.0 stored them in either engine."""
    folder = tmp_path / "written" if empty.mongodb_uri else empty.folder
    with zipfile.ZipFile(EARLIER) as archive:
        archive.extractall(folder)
    if empty.mongodb_uri:
        with MongoClient[dict[str, Any]](empty.mongodb_uri.get_secret_value()) as client:
            _copy(folder, client[empty.mongodb_database])
    return empty


def _copy(folder: Path, database: Any) -> None:
    with closing(sqlite3.connect(folder / "truth.sqlite")) as truth:
        for (name,) in truth.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall():
            rows = [json.loads(row[0]) | {"_id": row[1]} for row in truth.execute(f"SELECT body, id FROM {name}")]
            if rows:
                database[name].insert_many(rows)
    with closing(sqlite3.connect(folder / "checkpoints.sqlite")) as checkpoints:
        checkpoints.row_factory = sqlite3.Row
        for row in checkpoints.execute("SELECT * FROM checkpoints"):
            metadata = dumps_metadata(serializer(), json.loads(row["metadata"]))
            database["checkpoints"].insert_one({**dict(row), "metadata": metadata})


def checkpoint_values(settings: Settings) -> list[bytes]:
    if settings.mongodb_uri:
        with MongoClient[dict[str, Any]](settings.mongodb_uri.get_secret_value()) as client:
            return [each["checkpoint"] for each in client[settings.mongodb_database]["checkpoints"].find()]
    with closing(sqlite3.connect(settings.folder / "checkpoints.sqlite")) as checkpoints:
        return [row[0] for row in checkpoints.execute("SELECT checkpoint FROM checkpoints")]


def backups(settings: Settings) -> list[Path]:
    return sorted((settings.folder / "backups").glob("*"))


async def test_threads_come_back_as_the_types_of_today_and_nothing_else_is_lost(
    earlier: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    assert any(OLD_NAME in value for value in checkpoint_values(earlier))
    upgrade(earlier)
    values = checkpoint_values(earlier)
    assert len(values) == 8
    assert not any(OLD_NAME in value for value in values)
    found: set[str] = set()
    async with open_checkpointer(earlier, STATE_TYPES) as checkpointer:
        async for each in checkpointer.alist(None):
            for value in each.checkpoint["channel_values"].values():
                found |= {type(one).__name__ for one in (value if isinstance(value, list) else [value])}
    assert {"Intent", "MemoryMeta", "SearchCoverage", "Source"} <= found
    assert [each.message for each in caplog.records if each.name.startswith("langgraph")] == []
    truth = open_truth(earlier)
    await truth.start()
    try:
        assert await truth.collection("conversations").count() == 4
    finally:
        await truth.stop()


def test_a_copy_of_what_was_before_is_made_once(earlier: Settings) -> None:
    upgrade(earlier)
    (backup,) = backups(earlier)
    assert backup.name.startswith(f"format-{FIRST}-")
    assert any(OLD_NAME in file.read_bytes() for file in backup.iterdir())
    upgrade(earlier)
    assert backups(earlier) == [backup]


def test_a_step_that_fails_is_told_and_gone_again_at_the_next_start(earlier: Settings) -> None:
    def fails(stored: Stored) -> None:
        raise OSError("the disk is full")

    with pytest.raises(PalimpsestError, match="the disk is full") as refused:
        upgrade(earlier, lambda: 0.0, (*STEPS[:-1], fails))
    assert refused.value.problem.category == "server"
    upgrade(earlier)
    assert not any(OLD_NAME in value for value in checkpoint_values(earlier))


def test_data_of_a_later_version_are_refused_with_words_and_stay_as_they_are(earlier: Settings) -> None:
    upgrade(earlier, steps=(*STEPS, renamed("core.words.Words", "core.later.Words")))
    before = checkpoint_values(earlier)
    with pytest.raises(PalimpsestError) as refused:
        upgrade(earlier)
    assert refused.value.problem.category == "validation"
    assert str(FORMAT + 1) in refused.value.problem.why.en
    assert str(FORMAT + 1) in refused.value.problem.why.he
    assert checkpoint_values(earlier) == before


def test_a_new_place_has_the_format_of_today_and_no_backup(empty: Settings) -> None:
    upgrade(empty)
    upgrade(empty)
    assert backups(empty) == []
    with pytest.raises(PalimpsestError):
        upgrade(empty, steps=STEPS[:-1])


def test_nothing_is_changed_while_processes_of_an_earlier_version_still_work(mongodb_uri: str, tmp_path: Path) -> None:
    """Processes that use the same data format work next to each other; a process with a newer format waits until the
    older processes have ended."""
    database = f"test_{uuid4().hex}"
    settings = Settings(_env_file=None, home=tmp_path, mongodb_uri=SecretStr(mongodb_uri), mongodb_database=database)
    now = 1_000.0
    with MongoClient[dict[str, Any]](mongodb_uri) as client:
        stored = client[database]
        stored["data_format"].insert_one({"_id": "format", "number": FORMAT - 1})
        stored["processes"].insert_one({"_id": "a", "host": "mill", "pid": 7, "seen_at": now - 20})
        with pytest.raises(PalimpsestError) as refused:
            upgrade(settings, lambda: now)
        assert "mill:7" in refused.value.problem.why.en
        assert "mill:7" in refused.value.problem.why.he
        assert stored["data_format"].find_one()["number"] == FORMAT - 1  # type: ignore[index]
        assert not (tmp_path / "backups").exists()
        upgrade(settings, lambda: now, steps=STEPS[:-1])
        upgrade(settings, lambda: now + ALIVE_SECONDS)
        assert stored["data_format"].find_one()["number"] == FORMAT  # type: ignore[index]
        client.drop_database(database)
