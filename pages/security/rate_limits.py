"""Limits the rate of requests per session, user and address: a request is accepted, or gets 429 with the time to wait.

Calls of actions and uploads of files are counted separately, so that a large upload does not block questions. Streams,
images, scripts, health and metrics are not counted. If users do not sign in, the server is private and nothing is
counted. The counts cover sliding time windows, which another module stores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol

from limits import RateLimitItem, RateLimitItemPerMinute
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import problem_of
from core.setting_groups import Rates
from pages.actions import language_of
from pages.auth import address_of, settled

FILES = ("/api/uploads", "/gradio_api/upload")
COUNTED = ("/api/", "/gradio_api/component_server", "/gradio_api/queue/join", "/gradio_api/call/", *FILES)
SIGN_IN = "/login"
RETURN = "/login/provider/back"


class Windows(Protocol):
    async def seconds_to_wait(self, limit: RateLimitItem, *names: str) -> float:
        """The seconds to wait; 0 if the request is accepted, and then it is counted."""


class RateLimits:
    """ASGI middleware that runs after authentication; ``held``: whether limits apply."""

    def __init__(self, app: ASGIApp, rates: Rates, windows: Windows, held: Callable[[], bool]) -> None:
        self._app = app
        self._held = held
        self._windows = windows
        self._session, self._user, self._address, self._files, self._sign_in = (
            RateLimitItemPerMinute(each)
            for each in (rates.session, rates.user, rates.address, rates.files, rates.sign_in)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(Request(scope)) if scope["type"] == "http" and self._held() else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, request: Request) -> Response | None:
        for limit, *names in self._counted(request):
            if seconds := await self._windows.seconds_to_wait(limit, *names):
                return _refused(request, math.ceil(seconds))
        return None

    def _counted(self, request: Request) -> Iterator[tuple[RateLimitItem, str, str]]:
        path, caller, address = request.url.path, settled(request), address_of(request)
        if path == RETURN or (path == SIGN_IN and request.method == "POST"):
            yield self._sign_in, "sign in", address
        if caller is None or request.method == "GET" or not path.startswith(COUNTED) or caller.by == "machine":
            return
        if path.startswith(FILES):
            yield self._files, "files", caller.user_id
        else:
            yield self._session, "session", caller.via
            yield self._user, "user", caller.user_id
        yield self._address, "address", address


def _refused(request: Request, seconds: int) -> Response:
    problem = problem_of("rate_limit", "accounts.too_many_requests", seconds=seconds).told(language_of(request))
    headers = {"Retry-After": str(seconds), "Cache-Control": "no-store"}
    if request.url.path in (SIGN_IN, RETURN):
        return PlainTextResponse(f"{problem['what']} {problem['why']}", status_code=429, headers=headers)
    return JSONResponse({"problem": problem}, status_code=429, headers=headers)
