"""Tests that a server that is told to end does so in time, whatever its application waits for."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx

from command import serve
from command.ending import OVERDUE
from core.setting_groups import Jobs
from tests.mongodb import free_port
from tests.servers.forked import forked
from tests.service.house import settings, until


async def never_done(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers requests but never shuts down, because one of its threads does not end."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.to_thread(threading.Event().wait)


def hang(folder: Path, port: int) -> None:
    serve.LEAVING, serve.ENDING_SECONDS = 0, 1.0  # type: ignore[assignment]
    os._exit(serve._served(never_done, settings(folder, port=port, jobs=Jobs(drain=0.0))))


async def test_a_server_that_is_told_to_end_ends_in_time_whatever_it_waits_for(tmp_path: Path) -> None:
    port = free_port()
    process: BaseProcess = forked(hang, tmp_path, port)
    process.start()

    async def answers() -> bool:
        async with httpx.AsyncClient() as client:
            try:
                return (await client.get(f"http://127.0.0.1:{port}/")).status_code == 204
            except httpx.ConnectError:
                return False

    try:
        await until(answers, "it serves", 30)
        assert process.pid
        os.kill(process.pid, signal.SIGTERM)
        await asyncio.to_thread(process.join, 20)
        assert process.exitcode == OVERDUE
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
