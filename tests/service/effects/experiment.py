"""Runs an experiment: sets one setting to two values and reports the result of the smallest real part that uses it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from core.settings import Settings

STEP, QUIET_STEPS = 0.05, 5
"""Seconds, and the number of consecutive steps without work after which a process counts as idle."""
AT_ONCE, LONG = "0.02", "60"


@dataclass
class Wire:
    """Replaces the network: records sent requests and answers with ``reply``; without one it fails."""

    requests: list[httpx.Request] = field(default_factory=list)
    reply: Callable[[httpx.Request], object] | None = None
    silent: bool = False

    async def handle(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests.append(request)
        if self.silent:
            await asyncio.Event().wait()
        if self.reply is None:
            return _response(request, 400, {"error": "nobody is here"})
        return _response(request, 200, self.reply(request))

    @property
    def sent(self) -> list[tuple[str, str | None, bytes]]:
        """Address, key and body of each request."""
        heads = [each.headers for each in self.requests]
        keys = [head.get("authorization") or head.get("api-key") for head in heads]
        return [(str(each.url), key, each.content) for each, key in zip(self.requests, keys, strict=True)]


def _response(request: httpx.Request, status: int, body: object) -> httpx.Response:
    """A response of the calling library: OpenAI's client has a different class."""
    library = httpx2 if isinstance(request, httpx2.Request) else httpx
    return library.Response(status, json=body, request=request)


TRANSPORTS = (httpx.AsyncHTTPTransport, httpx2.AsyncHTTPTransport)


@dataclass(frozen=True)
class Bench:
    """The tools of an experiment; ``folder`` is used by one experiment only."""

    settings: Settings
    folder: Path
    wire: Wire
    patch: pytest.MonkeyPatch


Run = Callable[[Bench], Awaitable[object]]


@dataclass(frozen=True)
class Experiment:
    """``values``: two values of the setting at ``path``, as in the environment; ``beside``: the other settings."""

    path: str
    values: tuple[str, str]
    beside: dict[str, str]
    run: Run


EXPERIMENTS: dict[str, Experiment] = {}


def changes(path: str, one: str, other: str, **beside: str) -> Callable[[Run], Run]:
    """The decorated function returns one result with ``path`` set to ``one`` and a different one with ``other``.

    ``beside`` are further settings, their names with two underscores for each dot of the path.
    """

    def take(run: Run) -> Run:
        assert path not in EXPERIMENTS, path
        others = {name.replace("__", "."): value for name, value in beside.items()}
        EXPERIMENTS[path] = Experiment(path, (one, other), others, run)
        return run

    return take


async def rest(until: asyncio.Future[Any] | None = None) -> None:
    """Ends when this process has nothing left to do but wait, or ``until`` is done.

    Wall-clock seconds would be too few on a busy machine: a step counts as idle when it took its waiting time but no
    work.
    """
    quiet = 0
    while quiet < QUIET_STEPS and not (until and until.done()):
        began, worked = time.monotonic(), time.process_time()
        await asyncio.wait([until or asyncio.create_task(asyncio.sleep(STEP))], timeout=STEP)
        idle = time.process_time() - worked < STEP / 5 and time.monotonic() - began < 2 * STEP
        quiet = quiet + 1 if idle else 0


async def waits(call: Awaitable[object]) -> bool:
    """Whether it still waits for a call that never returns; it may fail in any way."""
    task = asyncio.ensure_future(call)
    await rest(until=task)
    pending = not task.done()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return pending


async def never(*_: Any, **__: Any) -> Any:
    """A call that hangs."""
    await asyncio.Event().wait()


async def attempt(call: Awaitable[object]) -> str:
    """ "done", or the name of the exception."""
    try:
        await call
    except Exception as error:
        return type(error).__name__
    return "done"
