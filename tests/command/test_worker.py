"""Tests which configurations can run a worker without pages, and which servers can leave jobs to workers."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from pydantic import SecretStr

from command import serve, worker
from core.errors import PalimpsestError
from core.setting_groups import Redis
from core.settings import Settings


def settings(home: Path, **given: object) -> Settings:
    return Settings(_env_file=None, home=home, **given)  # type: ignore[arg-type]


SHARED = {
    "mongodb_uri": SecretStr("mongodb://ada:secret@db-1,db-2/?replicaSet=rs0"),
    "qdrant_url": "https://ada:secret@index:6333",
    "redis": Redis(url=SecretStr("redis://:secret@cache:6379/0")),
}


def test_a_worker_on_embedded_stores_does_not_start_and_says_what_is_missing(tmp_path: Path) -> None:
    given = argparse.Namespace(concurrency=None, json=False)
    with pytest.raises(PalimpsestError) as caught:
        worker.run(given, settings(tmp_path / "home", redis=SHARED["redis"]), "en")
    assert "MONGODB_URI, QDRANT_URL is not set" in caught.value.problem.why.en
    assert not (tmp_path / "home").exists()
    worker.refuse_unshared(settings(tmp_path, **SHARED))


def test_it_says_where_it_works_and_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = settings(tmp_path, **SHARED)
    given.jobs.workers = 3
    worker._say_where(False, given, "en")
    worker._say_where(True, given, "he")
    said = capsys.readouterr().out
    assert "mongodb://db-1,db-2/, https://index:6333 and redis://cache:6379/0: 3 of" in said
    assert "secret" not in said


def test_a_server_leaves_jobs_to_workers_only_where_there_can_be_some(tmp_path: Path) -> None:
    shared = settings(tmp_path, **SHARED)
    serve.leave_jobs(shared)
    assert shared.jobs.workers == 0
    with pytest.raises(PalimpsestError) as caught:
        serve.leave_jobs(settings(tmp_path))
    assert "Uploaded files would never be read" in caught.value.problem.what.en
    with pytest.raises(ValueError, match="Uploaded files would never be read"):
        settings(tmp_path, jobs={"workers": 0})


@pytest.mark.parametrize("given", ["0", "-1", "many"])
def test_so_many_at_once_is_a_number_from_one_on(given: str) -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    worker.define(parser, "en")
    with pytest.raises(argparse.ArgumentError):
        parser.parse_args(["--concurrency", given])
