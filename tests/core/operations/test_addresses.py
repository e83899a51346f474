"""Tests the ``doctor`` command's report on every configured address: real servers, no server, and misconfigured
servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pydantic import SecretStr

from command.main import main
from core.errors import fail
from core.operations.doctor.addresses import examine_addresses
from core.setting_groups import Deadlines, Redis
from core.settings import Settings
from core.store.clusters import mongo_server
from core.store.clusters.mongo_server import MongoServer
from tests.mongodb import running_mongodb
from tests.redis_server import running_redis

NOBODY = "127.0.0.1:1"


@pytest.fixture(scope="module")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


@pytest.fixture
def service() -> Iterator[str]:
    """An HTTP server that refuses everything, and answers as an old version of Qdrant at its root."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"title": "qdrant", "version": "1.12.4"}).encode()
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def settings(home: Path, **given: object) -> Settings:
    return Settings(_env_file=None, home=home, deadlines=Deadlines(truth=2.0), **given)  # type: ignore[arg-type]


async def warnings(given: Settings) -> dict[str, str]:
    found = await examine_addresses(given)
    assert all(each.what.he for each in found)
    return {each.check: each.warning or each.what.en for each in found}


async def test_nothing_is_asked_that_is_not_configured(tmp_path: Path) -> None:
    assert await warnings(settings(tmp_path)) == {}


async def test_a_server_that_answers_is_told_with_its_version(mongodb_uri: str, tmp_path: Path) -> None:
    with running_redis(tmp_path) as redis:
        given = settings(tmp_path, mongodb_uri=SecretStr(mongodb_uri), redis=Redis(url=SecretStr(redis.url)))
        found = {each.check: each for each in await examine_addresses(given)}
    assert found["mongodb"].warning in (None, "mongodb_single")
    assert mongodb_uri.removeprefix("mongodb://") in found["mongodb"].what.en
    assert found["redis"].warning == "redis_policy"
    assert "policy noeviction" in found["redis"].what.en


async def test_nobody_at_an_address_is_told_and_no_password_with_it(tmp_path: Path) -> None:
    given = settings(
        tmp_path,
        mongodb_uri=SecretStr(f"mongodb://ada:secret@{NOBODY}/"),
        qdrant_url=f"http://ada:secret@{NOBODY}",
        redis=Redis(url=SecretStr(f"redis://:secret@{NOBODY}/0")),
        embedding_url=f"http://ada:secret@{NOBODY}/embed",
        model="openai:small",
        model_base_url=f"http://{NOBODY}/v1",  # reported only by the check that asks for its models
    )
    found = await examine_addresses(given)
    assert [each.warning for each in found] == ["mongodb_away", "qdrant_away", "redis_away", "endpoint_away"]
    assert [each.state for each in found] == ["red", "amber", "amber", "amber"]
    assert all("secret" not in each.model_dump_json() for each in found)
    assert all(NOBODY in each.what.en for each in found)


async def test_old_and_single_servers_are_told(service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = settings(tmp_path, mongodb_uri=SecretStr("mongodb://m"), qdrant_url=service, embedding_url=f"{service}/x")
    seen: list[MongoServer] = [MongoServer("5.0.3", "replica set", "rs0"), MongoServer("8.0.4", "single")]

    async def look(uri: str, seconds: float) -> MongoServer:
        return seen.pop(0)

    monkeypatch.setattr(mongo_server, "look_at", look)
    first, second = await warnings(given), await warnings(given)
    assert first["mongodb"] == "mongodb_old"
    assert second["mongodb"] == "mongodb_single"
    assert first["qdrant"] == "qdrant_old"
    assert "responds (EMBEDDING_URL)" in first["endpoints"]


async def test_a_refused_password_is_said_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(uri: str, seconds: float) -> MongoServer:
        raise fail("auth", "store.mongo.refused")

    monkeypatch.setattr(mongo_server, "look_at", refuse)
    (found,) = await examine_addresses(settings(tmp_path, mongodb_uri=SecretStr("mongodb://m")))
    assert "name or password in MONGODB_URI" in found.what.en


def test_the_command_tells_why_nothing_would_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PALIMPSEST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MONGODB_URI", f"mongodb://{NOBODY}")
    monkeypatch.setenv("PALIMPSEST_DEADLINES__TRUTH", "0.5")
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert main(["doctor"]) == 1
    told = capsys.readouterr().out
    assert "[!!] MongoDB: MongoDB cannot be used" in told
    assert "could not be reached" in told
