"""Tests that slow requests are ended when the body does not begin or continue, or the headers do not end, in time.
Other requests are not affected."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import uvicorn
from fastapi import FastAPI

from core.library.intake.uploads import Uploads
from core.setting_groups import Limits
from core.settings import Settings
from core.upload_settings import Uploads as Bounds
from pages.http_doors import http_routes
from pages.security.slow_bodies import SlowBodies
from pages.security.slow_headers import patient_protocol
from tests.service.house import until

SECONDS = 0.6
QUICK = Bounds(headers_seconds=SECONDS, first_byte_seconds=SECONDS, rate_seconds=SECONDS, least_rate=1000)
Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
HEAD = b"PUT /api/uploads HTTP/1.1\r\nHost: here\r\nContent-Length: 4000\r\nAccept-Language: he\r\n\r\n"


@pytest.fixture
async def connect(tmp_path: Path) -> AsyncIterator[Connect]:
    settings = Settings(_env_file=None, home=tmp_path, limits=Limits(disk_low_bytes=0), uploads=QUICK)  # type: ignore[call-arg]
    app = FastAPI()
    workbench = cast(Any, SimpleNamespace(settings=settings, uploads=Uploads(settings)))
    app.include_router(http_routes(cast(Any, SimpleNamespace(user_of=lambda _: "ada")), workbench))
    app.add_middleware(SlowBodies, limits=settings.uploads)
    config = uvicorn.Config(app, port=0, http=patient_protocol(settings.uploads), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    await until(lambda: asyncio.sleep(0, server.started), "the server")
    port = server.servers[0].sockets[0].getsockname()[1]
    yield lambda: asyncio.open_connection("127.0.0.1", port)
    server.should_exit = True
    await serving


def _files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("begun", [b"", b"some of it"])
async def test_a_body_that_does_not_go_on_is_refused_in_words_and_leaves_nothing(
    begun: bytes, connect: Connect, tmp_path: Path
) -> None:
    reader, writer = await connect()
    writer.write(HEAD + begun)
    reply = await asyncio.wait_for(reader.read(), 20)
    head, _, body = reply.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408")
    assert "איטי מדי" in json.loads(body)["problem"]["why"]
    assert not _files_in(tmp_path)
    writer.close()


async def test_a_body_that_comes_in_pieces_fast_enough_is_taken(connect: Connect, tmp_path: Path) -> None:
    reader, writer = await connect()
    writer.write(HEAD)
    for _ in range(8):
        await asyncio.sleep(SECONDS / 10)
        writer.write(b"x" * 500)
    assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"HTTP/1.1 200")
    assert [path.stat().st_size for path in _files_in(tmp_path)] == [4000]
    writer.close()


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: he"])
async def test_headers_that_do_not_end_end_the_connection(begun: bytes, connect: Connect) -> None:
    reader, writer = await connect()
    writer.write(begun)
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()


async def test_headers_of_a_second_request_have_to_end_as_well(connect: Connect) -> None:
    reader, writer = await connect()
    writer.write(b"GET /missing HTTP/1.1\r\nHost: here\r\n\r\n")
    assert (await asyncio.wait_for(reader.readline(), 20)).startswith(b"HTTP/1.1 404")
    writer.write(b"GET / HTTP/1.1\r\nX: y")
    assert b"HTTP/1.1" not in await asyncio.wait_for(reader.read(), 20)
    writer.close()
