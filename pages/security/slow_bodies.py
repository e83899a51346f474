"""Ends requests whose body arrives too slowly: the client gets 408, and the application stops reading the body.

Only the time in which the application waits for the client counts, so a client is not blamed if the server is busy.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import PalimpsestError, fail
from core.upload_settings import Uploads
from pages.actions import language_of

STATUS = 408


class SlowBodies:
    """ASGI middleware; it buffers nothing, so streams pass through."""

    def __init__(self, app: ASGIApp, limits: Uploads) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, send, self._limits)
        try:
            await self._app(scope, body.receive, body.send)
        except PalimpsestError:
            if body.refusal is None:
                raise
        if body.refusal is not None and not body.answered:
            problem = body.refusal.problem.told(language_of(Request(scope)))
            headers = {"Connection": "close", "Cache-Control": "no-store"}
            await JSONResponse({"problem": problem}, status_code=STATUS, headers=headers)(scope, receive, send)


class _Body:
    """The body of one request while it arrives."""

    def __init__(self, receive: Receive, send: Send, limits: Uploads) -> None:
        self._receive = receive
        self._send = send
        self._limits = limits
        self._complete = False
        self._begun = False
        self._waited = 0.0
        self._arrived = 0
        self.refusal: PalimpsestError | None = None
        self.answered = False

    async def send(self, message: Message) -> None:
        """Drops the application's response if the body was refused: the refusal is sent instead."""
        if self.refusal is not None and not self.answered:
            return
        self.answered = True
        await self._send(message)

    async def receive(self) -> Message:
        """The next message. Raises ``PalimpsestError`` if the body arrives too slowly."""
        if self._complete:
            return await self._receive()
        message = await self._in_time()
        self._complete = message["type"] != "http.request" or not message.get("more_body", False)
        if arrived := len(message.get("body", b"")):
            self._count(arrived)
        return message

    async def _in_time(self) -> Message:
        loop = asyncio.get_running_loop()
        waiting = asyncio.ensure_future(self._receive())
        try:
            while True:
                began = loop.time()
                await asyncio.wait({waiting}, timeout=max(0.0, self._patience - self._waited))
                # Data that arrived while the event loop was busy may not have been delivered yet.
                for _ in range(2):
                    await asyncio.sleep(0)
                self._waited += loop.time() - began
                if waiting.done():
                    return waiting.result()
                if self._waited >= self._patience:
                    self._refuse_if_slow()
        finally:
            waiting.cancel()

    @property
    def _patience(self) -> float:
        return self._limits.rate_seconds if self._begun else self._limits.first_byte_seconds

    def _count(self, arrived: int) -> None:
        if not self._begun:
            self._begun, self._waited = True, 0.0
        self._arrived += arrived
        if self._waited >= self._patience and not self._complete:
            self._refuse_if_slow()

    def _refuse_if_slow(self) -> None:
        if not self._begun or self._arrived < self._limits.least_rate * self._waited:
            self.refusal = fail("timeout", "pages.uploads.too_slow")
            raise self.refusal
        self._arrived, self._waited = 0, 0.0
