"""Manages the drawing process: starts it on demand, sends one order at a time, ends it when idle, slow or broken."""

from __future__ import annotations

import asyncio
import contextlib

from core.errors import PalimpsestError, fail
from core.library.viewing.orders import Draw, Find, Inspect, Measure, Order, Render, Reply
from core.resilience.piped_process import start_module

LONGEST_REPLY = 32 * 1024 * 1024


def cannot_be_shown(detail: str) -> PalimpsestError:
    return fail("server", "library.drawing.cannot_be_shown", detail=detail)


def took_too_long(seconds: float) -> PalimpsestError:
    return fail("timeout", "library.drawing.took_too_long", seconds=seconds)


IDLE_SECONDS = 120.0
"""Idle seconds after which the process ends; the next page starts another one."""


class RenderingProcess:
    """One drawing process with a queue in front of it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._rest: asyncio.TimerHandle | None = None

    async def ask(self, order: Inspect | Draw | Measure | Find | Render) -> Reply:
        """Send an order. Raises ``PalimpsestError``: it failed, the process died ("server"), or it took too long
        ("timeout")."""
        async with self._lock:
            if self._rest:
                self._rest.cancel()
            try:
                async with asyncio.timeout(self._seconds):
                    line = await self._answer(Order(order=order).model_dump_json())
            except TimeoutError as error:
                await self._end()
                raise took_too_long(self._seconds) from error
            except BaseException:
                await self._end()  # a half-sent reply would be taken for the next reply
                raise
            self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._fall_asleep)
        reply = Reply.model_validate_json(line)
        if reply.failed:
            raise cannot_be_shown(reply.failed)
        return reply

    async def _answer(self, line: str) -> bytes:
        process = await self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()
            reply = await process.stdout.readline()
        except (ConnectionError, ValueError) as error:
            raise cannot_be_shown(f"{type(error).__name__}: {error}") from error
        if not reply:
            raise cannot_be_shown("the drawing process died")
        return reply

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_module("core.library.viewing.renderer", limit=LONGEST_REPLY)
        return self._process

    def _fall_asleep(self) -> None:
        if not self._lock.locked() and self._process and self._process.stdin:
            self._process.stdin.close()
            self._process = None

    async def stop(self) -> None:
        async with self._lock:
            if self._rest:
                self._rest.cancel()
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(process.wait())
