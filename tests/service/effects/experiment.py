"""Runs an experiment: gives one setting two different values and returns the results of the smallest real component
that uses it."""

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
"""The length of one step in seconds, and the number of consecutive steps without work after which a process counts as
idle."""
AT_ONCE, LONG = "0.02", "60"


@dataclass
class Wire:
    """Replaces the network: records the requests and answers with ``reply``. Without ``reply``, requests fail."""

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
        """Returns address, key and body of each request that was sent."""
        heads = [each.headers for each in self.requests]
        keys = [head.get("authorization") or head.get("api-key") for head in heads]
        return [(str(each.url), key, each.content) for each, key in zip(self.requests, keys, strict=True)]


def _response(request: httpx.Request, status: int, body: object) -> httpx.Response:
    """Returns a response of the HTTP library that sent the request: OpenAI's client uses a different one."""
    library = httpx2 if isinstance(request, httpx2.Request) else httpx
    return library.Response(status, json=body, request=request)


TRANSPORTS = (httpx.AsyncHTTPTransport, httpx2.AsyncHTTPTransport)


@dataclass(frozen=True)
class Bench:
    """What an experiment can use: its settings, a patcher, the fake network, and a ``folder`` that no other
    experiment uses."""

    settings: Settings
    folder: Path
    wire: Wire
    patch: pytest.MonkeyPatch


Run = Callable[[Bench], Awaitable[object]]


@dataclass(frozen=True)
class Experiment:
    """``values``: the two values of the setting at ``path``, written as in the environment; ``beside``: other settings
    that both runs need."""

    path: str
    values: tuple[str, str]
    beside: dict[str, str]
    run: Run


EXPERIMENTS: dict[str, Experiment] = {}


def changes(path: str, one: str, other: str, **beside: str) -> Callable[[Run], Run]:
    """Registers the decorated function as an experiment: its result with ``path`` set to ``one`` must differ from its
    result with ``other``.

    ``beside``: other settings for both runs. In their names, two underscores replace each dot of the path.
    """

    def take(run: Run) -> Run:
        assert path not in EXPERIMENTS, path
        others = {name.replace("__", "."): value for name, value in beside.items()}
        EXPERIMENTS[path] = Experiment(path, (one, other), others, run)
        return run

    return take


async def rest(until: asyncio.Future[Any] | None = None) -> None:
    """Returns when this process has nothing left to do but wait, or when ``until`` is done.

    A limit in wall-clock seconds could be too short on a busy machine. Instead, a step counts as idle if it took no
    longer than its waiting time and used almost no
    processor time.
    """
    quiet = 0
    while quiet < QUIET_STEPS and not (until and until.done()):
        began, worked = time.monotonic(), time.process_time()
        await asyncio.wait([until or asyncio.create_task(asyncio.sleep(STEP))], timeout=STEP)
        idle = time.process_time() - worked < STEP / 5 and time.monotonic() - began < 2 * STEP
        quiet = quiet + 1 if idle else 0


async def waits(call: Awaitable[object]) -> bool:
    """Returns whether ``call`` is still waiting when the process is idle. If the call has ended, even with an
    exception, returns False."""
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
    """Waits for ``call``; returns "done", or the name of the exception."""
    try:
        await call
    except Exception as error:
        return type(error).__name__
    return "done"
