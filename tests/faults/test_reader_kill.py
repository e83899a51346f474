"""Tests that the original file is kept and reading continues after a reader process or its server ends in any way."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from core.library.records import Document
from core.workbench import Workbench
from tests.faults.runner import USER
from tests.faults.serving import serve_alone
from tests.servers.forked import forked
from tests.service.house import House, settings, until
from tests.service.test_refusals import SCAN_PAGE, TEXT_PAGE, pdf

SCAN = pdf(b"", pages=[SCAN_PAGE, TEXT_PAGE])
"""A PDF with one page that needs the OCR engine and one that does not."""
ENGINE = """#!/bin/sh
case "$1" in --list-langs) echo Languages:; echo eng; exit 0;; esac
echo "$PPID $$" >> "{calls}"
if [ -e "{block}" ]; then exec sleep 600; fi
exit 1
"""


@dataclass
class Engine:
    """A fake OCR engine that never ends while ``blocked`` is set. ``calls`` lists the process ids of each call's
    reader and engine."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        program = self.folder / "tesseract"
        program.write_text(ENGINE.format(calls=self.folder / "calls", block=self.folder / "block"))
        program.chmod(0o755)
        self.blocked = True

    @property
    def path(self) -> str:
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    @property
    def blocked(self) -> bool:
        return (self.folder / "block").exists()

    @blocked.setter
    def blocked(self, value: bool) -> None:
        if value:
            (self.folder / "block").touch()
        else:
            (self.folder / "block").unlink()

    def calls(self) -> list[tuple[int, int]]:
        try:
            lines = (self.folder / "calls").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [(int(line.split()[0]), int(line.split()[1])) for line in lines]

    async def called(self, times: int = 1) -> tuple[int, int]:
        """Waits for the call number ``times`` and returns its process ids: (reader, engine)."""

        async def there() -> bool:
            return len(self.calls()) >= times

        await until(there, "a reader in mid-reading")
        return self.calls()[times - 1]


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path / "engine")


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "scan.pdf"
    path.write_bytes(SCAN)
    return path


Living = Callable[[], Awaitable[House]]


@pytest.fixture
async def next_life(home: Path) -> AsyncIterator[Living]:
    started: list[Workbench] = []

    async def start() -> House:
        workbench = Workbench(settings(home))
        await workbench.start()
        started.append(workbench)
        return House(workbench, home / "uploads")

    yield start
    for workbench in started:
        await workbench.stop()


@asynccontextmanager
async def served(home: Path, scan: Path, engine: Engine) -> AsyncIterator[BaseProcess]:
    process = forked(serve_alone, home, scan, engine.path)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        await asyncio.to_thread(process.join)


def process_id(server: BaseProcess) -> int:
    assert server.pid
    return server.pid


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def assert_gone(*pids: int) -> None:
    async def gone() -> bool:
        return not any(is_alive(pid) for pid in pids)

    await until(gone, "the end of what the server had started")


async def only_document(house: House) -> Document:
    (document,) = await house.workbench.library.find(USER)
    return document


@pytest.mark.parametrize(
    ("how", "group"),
    [(signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGTERM, False), (signal.SIGKILL, False)],
    ids=["Ctrl+C", "SIGTERM to the group", "SIGTERM", "kill -9"],
)
async def test_a_server_that_ends_in_mid_reading_reads_on_after_the_next_start(
    how: signal.Signals, group: bool, home: Path, scan: Path, engine: Engine, next_life: Living
) -> None:
    async with served(home, scan, engine) as server:
        reader, recognition = await engine.called()
        (os.killpg if group else os.kill)(process_id(server), how)
        await asyncio.to_thread(server.join, 30)
        assert server.exitcode == (-signal.SIGKILL if how == signal.SIGKILL else 0)
    await assert_gone(reader, recognition)
    assert len(list((home / "files").rglob("content"))) == 1

    house = await next_life()
    document = await house.settled(await only_document(house))
    assert (document.state, document.problem) == ("completed", None)
    await house.assert_whole(document)
    assert await house.outcomes(document) == ["completed"]


async def test_a_stopped_reading_is_no_failed_attempt(
    home: Path, scan: Path, engine: Engine, next_life: Living
) -> None:
    async with served(home, scan, engine) as server:
        await engine.called()
        os.killpg(process_id(server), signal.SIGTERM)
        await asyncio.to_thread(server.join, 30)
        assert server.exitcode == 0
    house = await next_life()
    document = await house.settled(await only_document(house))
    (job,) = await house.workbench.truth.collection("jobs").find({"kind": "recognition"})
    assert (job["attempts"], job["stops"]) == (2, 1)
    assert document.state == "completed"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV])
async def test_a_reader_that_is_killed_is_followed_by_another(
    how: signal.Signals, engine: Engine, next_life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", engine.path)
    house = await next_life()
    given = await house.give("scan.pdf", SCAN, USER)
    reader, recognition = await engine.called()
    engine.blocked = False
    os.kill(reader, how)
    document = await house.settled(given.document)
    assert document.state == "completed"
    await house.assert_whole(document)
    await assert_gone(recognition)


async def test_a_file_that_breaks_the_reader_again_and_again_is_set_aside_and_kept(
    engine: Engine, next_life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", engine.path)
    house = await next_life()
    given = await house.give("scan.pdf", pdf(SCAN_PAGE), USER)
    for time in (1, 2, 3):
        reader, _ = await engine.called(time)
        os.kill(reader, signal.SIGKILL)
    document = await house.settled(given.document)
    assert document.state == "failed"
    assert document.problem
    assert "crashed 3 times" in document.problem.what.en
    assert len(house.stored_files()) == 1

    engine.blocked = False
    await house.workbench.library.retry(USER, document.id)
    again = await house.settled(document)
    assert again.problem, "the engine finds nothing on its only page"
    assert "No text could be recognised" in again.problem.what.en


async def test_a_scan_that_breaks_the_reader_keeps_what_was_read_before(
    engine: Engine, next_life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", engine.path)
    house = await next_life()
    given = await house.give("scan.pdf", SCAN, USER)
    for time in (1, 2, 3):
        reader, _ = await engine.called(time)
        os.kill(reader, signal.SIGKILL)
    document = await house.settled(given.document)
    assert (document.state, document.recognition) == ("completed", None)
    await house.assert_whole(document)
    assert await house.found("hello there", USER) == {"scan.pdf"}
