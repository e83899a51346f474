"""Tests two workbenches on one MongoDB and one Redis: work that one has begun can be watched, ended and continued on
the other.

Here, the processes poll so rarely that a change that is seen in time must have been sent as a message.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr
from starlette.requests import Request

from core.accounts.signing_key import agreed_key
from core.errors import PalimpsestError
from core.events import Entry, Heartbeat, Interrupted, Response, RunCompleted
from core.graph.interrupts import Reply
from core.library.reading import Progress, Readers, Reading
from core.library.records import Document
from core.memory.items.records import NewMemory
from core.setting_groups import Jobs, Redis
from core.settings import Settings
from core.store.items import Quality
from core.workbench import Workbench
from pages.auth import COOKIE, Identity
from tests.mongodb import running_mongodb
from tests.redis_server import RedisServer, running_redis
from tests.service import asking_agent
from tests.service.conftest import Open
from tests.service.house import POLICY, House, until

SECRET = Fernet.generate_key().decode()
SELDOM = 600.0
AT_ONCE = 5.0
"""Seconds that count as "immediately"; a busy machine needs some."""
CHANGED = 2.0
"""Seconds within which a change of settings must be seen."""


@pytest.fixture(scope="module")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


@pytest.fixture
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """An event; answers wait until it is set."""
    gate = asyncio.Event()

    async def think(services: object) -> str:
        await gate.wait()
        return "thought"

    monkeypatch.setattr(asking_agent, "think", think)
    return gate


Two = tuple[House, House]


@pytest.fixture
async def two(
    open_house: Open, mongodb_uri: str, redis: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Two:  # fmt: skip
    monkeypatch.setattr("core.graph.agent.build_agent", asking_agent.build)
    for name in (
        "core.runs.ledger.POLL_SECONDS",
        "core.runs.jobs.IDLE_SECONDS",
        "core.operations.upkeep.SECONDS",
        "core.workbench.MAINTENANCE_SECONDS",
    ):
        monkeypatch.setattr(name, SELDOM)
    shared = {
        "mongodb_uri": mongodb_uri,
        "mongodb_database": request.node.name[:60],
        "redis": Redis(url=SecretStr(redis.url)),
        "jobs": Jobs(event_interval=0.005, heartbeat=SELDOM, lease=SELDOM, upkeep_after=0.0),
    }
    houses = [await open_house(home=tmp_path / name, **shared) for name in ("one", "other")]
    for house in houses:
        async with asyncio.timeout(10):
            await house.workbench.coordination.announcements.hearing.wait()
    return houses[0], houses[1]


def tailed(house: House, run_id: str) -> tuple[list[Entry], asyncio.Task[None]]:
    """Returns a run's events as this process reports them, until the run's end."""
    entries: list[Entry] = []

    async def tail() -> None:
        async for entry in house.workbench.ledger.tail("ada", run_id):
            if not isinstance(entry.event, Heartbeat):
                entries.append(entry)

    return entries, asyncio.create_task(tail())


async def test_an_answer_is_live_at_the_other_which_goes_on_with_it_when_it_asks_back(
    two: Two, held: asyncio.Event
) -> None:
    one, other = two
    asked = await one.workbench.ask("ada", "Compare it once.")
    there, ended_there = tailed(other, asked.run_id)
    here, ended_here = tailed(one, asked.run_id)

    async def has_asked() -> bool:
        return any(isinstance(entry.event, Interrupted) for entry in there)

    held.set()
    await until(has_asked, "the question back is seen at the other", AT_ONCE)
    question = next(entry.event for entry in there if isinstance(entry.event, Interrupted))
    await other.workbench.resume("ada", asked.run_id, question.interrupt_id, Reply(choice_ids=["continue"]))
    async with asyncio.timeout(AT_ONCE):
        await asyncio.gather(ended_here, ended_there)
    assert here == there, "no event is lost or doubled, whoever is looked at"
    assert [entry.sequence for entry in here] == sorted({entry.sequence for entry in here})
    assert sum(isinstance(entry.event, Response) for entry in here) == 1


async def test_an_answer_is_stopped_from_the_other(two: Two, held: asyncio.Event) -> None:
    one, other = two
    asked = await one.workbench.ask("ada", "Compare it.")
    entries, ended = tailed(other, asked.run_id)
    await other.workbench.cancel("ada", asked.run_id)
    async with asyncio.timeout(AT_ONCE):
        await ended
    assert isinstance(entries[-1].event, RunCompleted)
    assert entries[-1].event.outcome == "cancelled"


async def test_of_questions_at_both_at_the_same_moment_one_is_taken(two: Two, held: asyncio.Event) -> None:
    one, other = two
    first = await one.workbench.ask("ada", "Compare it.")
    await one.workbench.cancel("ada", first.run_id)
    await one.entries("ada", first.run_id)
    asked = await asyncio.gather(
        *(
            house.workbench.ask("ada", "Compare it.", conversation_id=first.conversation.id)
            for house in (one, other, one, other)
        ),
        return_exceptions=True,
    )
    refused = [each for each in asked if isinstance(each, PalimpsestError)]
    assert len(refused) == 3
    assert all("still being answered" in each.problem.what.en for each in refused)
    runs = await one.workbench.truth.collection("runs").find({"state": "running", "kind": "question"})
    assert len(runs) == 1


async def test_settings_and_accounts_that_are_changed_on_one_are_seen_on_the_other(two: Two) -> None:
    one, other = two
    await one.workbench.overrides.change("limits.document_pages", 77)

    async def has_the_setting() -> bool:
        return other.workbench.settings.limits.document_pages == 77

    await until(has_the_setting, seconds=CHANGED)
    await one.workbench.accounts.create("noa", "a long password of hers")

    async def knows_her() -> bool:
        return other.workbench.accounts.of("noa") is not None

    await until(knows_her, seconds=CHANGED)


async def test_who_signed_in_at_one_is_signed_in_at_the_other_and_signed_out_at_both(two: Two) -> None:
    one, other = two
    identities = []
    for house in two:
        bench = house.workbench
        bench.settings.secret_key = SecretStr(SECRET)
        identities.append(Identity(bench.settings, bench.accounts))
        await identities[-1].agree(partial(agreed_key, bench.truth, bench.settings))
    await one.workbench.accounts.create("noa", "a long password of hers")
    token = await one.workbench.accounts.sessions.begin("noa")
    cookie = f"{COOKIE}={identities[0].cookie_of(token)}"
    request = Request({"type": "http", "method": "GET", "path": "/", "headers": [(b"cookie", cookie.encode())]})

    async def is_signed_in() -> bool:
        caller = await identities[1].caller(request)
        return caller is not None and caller.user_id == "noa"

    await until(is_signed_in, "she is known there, too", CHANGED)
    await other.workbench.accounts.sessions.end(token)
    assert await identities[0].caller(request) is None


async def test_how_far_one_has_read_a_file_both_tell_without_a_look_at_its_events(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_file, gate = Readers.read_file, asyncio.Event()

    async def read_in_two_goes(
        readers: Readers, path: Path, filename: str, settings: Settings, progress: Progress, *scans: Path | None,
        as_dataset: bool = False,
    ) -> Reading:  # fmt: skip
        progress("extracting", 3, 9)
        await gate.wait()
        return await read_file(readers, path, filename, settings, progress, *scans, as_dataset=as_dataset)

    async def no_event(*_: object) -> list[Entry]:
        raise AssertionError("events were read")

    monkeypatch.setattr(Readers, "read_file", read_in_two_goes)
    given = (await two[0].give("policy.md", POLICY)).document
    for house in two:
        workbench = house.workbench

        async def is_told(workbench: Workbench = workbench) -> bool:
            standing = (await workbench.progress.of(await workbench.library.busy("ada"))).get(given.id)
            return standing is not None and (standing.stage, standing.done, standing.total) == ("reading", 3, 9)

        await until(is_told, "it is told", 20)
        with monkeypatch.context() as patch:
            patch.setattr(workbench.ledger, "entries", no_event)
            assert await is_told()
    gate.set()
    assert (await two[0].settled(given)).state == "completed"


async def test_without_redis_the_other_sees_it_when_it_looks_for_itself(
    two: Two, held: asyncio.Event, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.runs.ledger.POLL_SECONDS", 0.05)
    one, other = two
    redis.kill()
    asked = await one.workbench.ask("ada", "Compare it once.")
    entries, ended = tailed(other, asked.run_id)

    async def has_asked() -> bool:
        return any(isinstance(entry.event, Interrupted) for entry in entries)

    held.set()
    await until(has_asked, "it is seen in the truth", 20)
    question = next(entry.event for entry in entries if isinstance(entry.event, Interrupted))
    await other.workbench.resume("ada", asked.run_id, question.interrupt_id, None)
    async with asyncio.timeout(20):
        await ended
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))


async def test_a_file_that_is_given_to_both_at_once_is_there_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = [asyncio.Event() for _ in two]
    for house, here, there in zip(two, looked, reversed(looked), strict=True):
        monkeypatch.setattr(house.workbench.library.catalogue, "twin", looking(house, here, there))
    given = await asyncio.gather(*(house.give("policy.md", POLICY) for house in two))
    assert sorted(each.status for each in given) == ["accepted", "duplicate"]
    assert len({each.document.id for each in given}) == 1
    assert len(await two[0].workbench.library.find("ada")) == 1


def looking(house: House, here: asyncio.Event, there: asyncio.Event) -> Callable[..., Awaitable[Document | None]]:
    """Replaces ``Catalogue.twin``: it returns only after the other process has looked for a twin as well, or after half
    a second."""
    twin = house.workbench.library.catalogue.twin

    async def looks(user_id: str, scope: str, sha256: str) -> Document | None:
        found = await twin(user_id, scope, sha256)
        here.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await there.wait()
        return found

    return looks


def _fact(text: str) -> NewMemory:
    return NewMemory(tier="memory_bank", text=text, tags=["identity"], quality=Quality(importance=0.8, confidence=0.9))


async def test_texts_that_another_process_has_read_no_longer_wait_here(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(whose: str) -> None: ...

    for house in two:
        monkeypatch.setattr(house.workbench._remembering._graph_round, "_work", nothing)
    one, other = (house.workbench for house in two)
    await one.memory.store("ada", _fact("Maya Rosen works for Northwind Logistics."))
    assert (await one.memory.knowledge.graph("ada", top=50)).pending == 1
    assert await other._remembering._graphs.growth.read_in("ada") == 1
    seen = await one.memory.knowledge.graph("ada", top=50)
    assert seen.pending == 0
    assert "Maya Rosen" in {node.label for node in seen.nodes}


async def test_a_persons_texts_that_another_process_reads_are_read_again_when_it_is_done(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    begun, go_on = asyncio.Event(), asyncio.Event()
    read_by_one, read_by_other = list[str](), list[str]()

    def held_up(house: House, read: list[str]) -> None:
        rounds = house.workbench._remembering._graph_round
        work = rounds._work

        async def slowly(whose: str) -> None:
            read.append(whose)
            if whose == "ada":
                begun.set()
                await go_on.wait()
            await work(whose)

        monkeypatch.setattr(rounds, "_work", slowly)

    held_up(one, read_by_one)
    held_up(other, read_by_other)
    await one.workbench.memory.store("ada", _fact("Maya Rosen works for Northwind Logistics."))
    async with asyncio.timeout(10):
        await begun.wait()
    await other.workbench.memory.store("ada", _fact("Daniel Okafor lives in Leeds."))
    await asyncio.sleep(2.5)
    assert [*read_by_one, *read_by_other].count("ada") == 1, "the other waits for whoever has begun"
    go_on.set()

    async def both_are_read() -> bool:
        labels = {node.label for node in (await one.workbench.memory.knowledge.graph("ada", top=50)).nodes}
        return {"Maya Rosen", "Daniel Okafor"} <= labels

    await until(both_are_read, "both texts are read", 20)
