"""Tests that a server killed while it recognises a scan resumes at the page where it was."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from core.workbench import Workbench
from tests.faults.runner import USER
from tests.faults.serving import serve_alone
from tests.servers.forked import forked
from tests.service.house import House, settings, until
from tests.service.scanning import Engine, scan, words_of

PAGES = 12


async def test_pages_recognised_before_a_kill_are_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, path = Engine(tmp_path / "engine"), tmp_path / "scan.pdf"
    path.write_bytes(scan(PAGES, text_pages=[2]))
    at_once = 2 * (os.cpu_count() or 1)
    server = forked(serve_alone, home, path, engine.path)
    server.start()
    try:
        engine.allow(at_once)
        await engine.has_begun(at_once + 1)
        os.kill(server.pid or 0, signal.SIGKILL)
    finally:
        server.kill()
        await asyncio.to_thread(server.join)
    before = engine.begun[:at_once]

    monkeypatch.setenv("PATH", engine.path)
    engine.allow()
    workbench = Workbench(settings(home))
    await workbench.start()
    try:
        house = House(workbench, tmp_path / "uploads")
        (document,) = await workbench.library.find(USER)
        document = await house.settled(document)
        assert (document.state, document.problem, document.recognition) == ("completed", None, None)
        await house.assert_whole(document)
        assert await house.outcomes(document) == ["completed"]
        assert [engine.begun.count(page) for page in before] == [1] * at_once, "none of them was recognised again"
        for page in (1, 3, PAGES):
            assert await house.found(words_of(page), USER) == {"scan.pdf"}
    finally:
        await workbench.stop()


async def test_the_engine_ends_with_the_server(home: Path, tmp_path: Path) -> None:
    engine, path = Engine(tmp_path / "engine"), tmp_path / "scan.pdf"
    path.write_bytes(scan(4))
    server = forked(serve_alone, home, path, engine.path)
    server.start()
    try:
        await engine.has_begun(1)
    finally:
        server.kill()
        await asyncio.to_thread(server.join)

    async def gone() -> bool:
        return not any(os.path.exists(f"/proc/{process}") for _, process in engine.processes)  # noqa: ASYNC240

    await until(gone, "the end of the engine")
