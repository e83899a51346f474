"""Closes connections whose request headers take too long; uvicorn itself has no time limit for them."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.upload_settings import Uploads


def patient_protocol(limits: Uploads) -> type[H11Protocol]:
    """The protocol class for ``uvicorn.Config``'s ``http``."""
    return type("PatientProtocol", (_PatientProtocol,), {"headers_seconds": limits.headers_seconds})


class _PatientProtocol(H11Protocol):
    """A connection that allows ``headers_seconds`` for the headers of each request, and the same time for the rest of a
    refused body, which is discarded."""

    headers_seconds = 30.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def _watch(self) -> None:
        if not self._is_owed():
            self._leave()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.headers_seconds, self._end)

    def _is_owed(self) -> bool:
        """Whether the client has to send next."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _leave(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        self._deadline = None
        if self._is_owed() and not self.transport.is_closing():
            self.transport.close()
