"""Tests two servers and a worker behind nginx with the shipped configuration: users sign in, ask and read without
noticing it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.interface.conftest import ROOT, Served
from tests.servers.processes import behind_nginx, serving, shared_stores, working

POLICY = ROOT / "sample_docs" / "travel-and-expense-policy-2024.md"
QUESTION = "How soon must expenses be submitted?"
USERS = '{"ada": "analytical engine", "bob": "a builder of houses"}'
SERVED_BY = "x-served-by"

Two = list[Served]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("processes")


@pytest.fixture(scope="module")
def two(folder: Path) -> Iterator[Two]:
    settings = {"PALIMPSEST_USERS": USERS, "PALIMPSEST_DENSE_ENABLED": "false"}
    leaving = {**settings, "PALIMPSEST_JOBS__WORKERS": "0"}
    with (
        shared_stores(folder / "shared") as shared,
        serving(shared, folder, **leaving) as servers,
        working(shared, folder, **settings),
    ):
        yield servers


@pytest.fixture(scope="module")
def near(folder: Path, two: Two) -> Iterator[str]:
    with behind_nginx(folder / "near", two) as url:
        yield url


@pytest.fixture(scope="module")
def anywhere(folder: Path, two: Two) -> Iterator[str]:
    with behind_nginx(folder / "anywhere", two, affinity=False) as url:
        yield url


class Person:
    """A signed-in browser that records which server answered each request."""

    def __init__(self, url: str, name: str = "ada", password: str = "analytical engine") -> None:
        self.client = httpx.Client(base_url=url, timeout=60)
        self.came_to: list[str] = []
        assert self.client.post("/login", data={"name": name, "password": password}).status_code == 303

    def call(self, endpoint: str, **fields: object) -> Any:
        reply = self.client.post(f"/api/{endpoint}", json=fields)
        assert reply.status_code == 200, reply.text
        self.came_to.append(reply.headers[SERVED_BY])
        return reply.json()

    def upload(self, path: Path) -> httpx.Response:
        """Uploads a file as a page does: first sends the file, then adds it to the library."""
        taken = self.client.put("/api/uploads", content=path.read_bytes()).json()["path"]
        return self.client.post("/api/upload_document", json={"file": taken, "name": path.name})

    def ask(self, question: str) -> list[dict[str, Any]]:
        """Asks a question and returns each streamed reply."""
        lines = {"Accept": "application/x-ndjson"}
        with self.client.stream("POST", "/api/ask", json={"question": question}, headers=lines) as reply:
            assert reply.status_code == 200
            self.came_to.append(reply.headers[SERVED_BY])
            return [json.loads(line) for line in reply.iter_lines()]

    def frames(self, run_id: str) -> tuple[str, list[dict[str, Any]]]:
        """Returns the name of the server that reported a run, and all of the run's updates until its end."""
        found: list[dict[str, Any]] = []
        with self.client.stream("GET", f"/live/runs/{run_id}") as told:
            assert told.status_code == 200
            for line in told.iter_lines():
                if line.startswith("data:"):
                    found += json.loads(line.removeprefix("data:"))
                if found and found[-1]["kind"] == "end":
                    break
            return told.headers[SERVED_BY], found


def test_who_signed_in_stays_at_one_server(near: str) -> None:
    person = Person(near)
    assert person.upload(POLICY).json()["status"] == "accepted"
    replies = person.ask(QUESTION)
    assert replies[-1]["outcome"] == "answered"
    assert len(replies) > 1, "it grows as it is read"
    where, frames = person.frames(replies[-1]["run_id"])
    assert frames[-1]["kind"] == "end"
    assert {*person.came_to, where} == {where}


def test_people_are_spread_over_both(near: str, two: Two) -> None:
    came_to = set()
    for _ in range(12):
        person = Person(near, "bob", "a builder of houses")
        person.call("get_account")
        came_to |= set(person.came_to)
    assert came_to == {f"127.0.0.1:{served.port}" for served in two}


def test_without_affinity_an_answer_is_the_same_wherever_it_is_read(anywhere: str, two: Two) -> None:
    person = Person(anywhere)
    replies = person.ask(QUESTION)
    assert replies[-1]["outcome"] == "answered"
    told = [person.frames(replies[-1]["run_id"]) for _ in range(4)]
    assert {where for where, _ in told} == {f"127.0.0.1:{served.port}" for served in two}
    assert all(frames == told[0][1] for _, frames in told)


def test_without_affinity_a_file_is_looked_for_where_it_is_not(anywhere: str) -> None:
    """Shows why nginx must send a user to the same server: a file's bytes are only in the data directory of the server
    that received them."""
    person = Person(anywhere)
    outcomes = {person.upload(POLICY).status_code for _ in range(6)}
    assert 404 in outcomes


def test_a_server_that_goes_is_passed_by(near: str, two: Two) -> None:
    person = Person(near)
    person.call("get_account")
    gone = next(served for served in two if person.came_to == [f"127.0.0.1:{served.port}"])
    gone.stop()
    person.call("get_account")
    assert person.ask(QUESTION)[-1]["outcome"] == "answered"
    assert gone.url.removeprefix("http://") not in person.came_to[1:]
    gone.start()
