"""Effects of settings for waiting uploads, and for slow requests."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from core.clock import HOUR
from core.library.intake.uploads import Uploads
from pages.security.slow_bodies import SlowBodies
from pages.security.slow_headers import patient_protocol
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, attempt, changes, waits


async def _send(uploads: Uploads, size: int) -> Path:
    async with uploads.arriving("ada", size) as arrival:
        (arrival.place / "file").write_bytes(b"x" * size)
        return arrival.place


@changes("uploads.unsubmitted_bytes", "100", "1000", limits__disk_low_bytes="0")
async def how_much_may_wait(bench: Bench) -> object:
    uploads = Uploads(bench.settings)
    return [await attempt(_send(uploads, 60)) for _ in range(2)]


@changes("uploads.abandoned_hours", "1", "3", limits__disk_low_bytes="0")
async def how_long_it_may_wait(bench: Bench) -> object:
    uploads = Uploads(bench.settings, lambda: 10 * HOUR)
    place = await _send(uploads, 60)
    for path in (place, place / "file"):
        os.utime(path, (8 * HOUR, 8 * HOUR))
    uploads.remove_abandoned()
    return place.exists()


@changes("uploads.first_byte_seconds", AT_ONCE, LONG)
async def until_the_first_byte(bench: Bench) -> object:
    return await waits(_asked(bench, []))


@changes("uploads.rate_seconds", AT_ONCE, LONG)
async def until_the_rate_is_measured(bench: Bench) -> object:
    return await waits(_asked(bench, [b"x"]))


@changes("uploads.least_rate", "0", "1000", uploads__rate_seconds=AT_ONCE)
async def how_slowly_a_body_may_arrive(bench: Bench) -> object:
    return await waits(_asked(bench, [b"x"]))


async def _asked(bench: Bench, blocks: list[bytes]) -> None:
    """Sends a request whose body sends ``blocks`` and then nothing more."""

    async def receive() -> Message:
        if blocks:
            return {"type": "http.request", "body": blocks.pop(0), "more_body": True}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(_: Message) -> None:
        return None

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(await Request(scope, receive).body())(scope, receive, send)

    scope = {"type": "http", "method": "PUT", "path": "/", "headers": [], "query_string": b""}
    await SlowBodies(app, bench.settings.uploads)(scope, receive, send)


@changes("uploads.headers_seconds", "5", "50")
async def how_long_headers_may_take(bench: Bench) -> object:
    return patient_protocol(bench.settings.uploads).headers_seconds
