"""The HTTP interface to the actions: ``POST /api/<endpoint>`` with a JSON body returns the reply, or several replies as
lines.

If there are several replies, only the last one is returned unless the client accepts lines, so that generated clients
can read it. The interface is for commands and programs. It accepts only requests that a page of another site cannot
cause: another content type, or a PUT.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import cast

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, JsonValue

from core.errors import PalimpsestError, fail
from core.workbench import Workbench
from pages.actions import Action, Actions, Reply, language_of, plain, problem_of
from pages.documents import status_of
from pages.openapi import LINES, description, whole

PREFIX = "/api"
MEGABYTE = 1024 * 1024
MOST_JSON = 4 * MEGABYTE
"""Files are sent in separate requests."""
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Accel-Buffering": "no"}


def http_routes(actions: Actions, workbench: Workbench) -> APIRouter:
    """Routes next to the pages, with the same authentication."""
    router = APIRouter(prefix=PREFIX)

    @router.get("/openapi.json")
    async def described(request: Request) -> Response:
        """The OpenAPI description, for client generators."""
        try:
            actions.user_of(request)
        except Exception as error:
            return _refusal(error, request)
        return JSONResponse(description(actions.all), headers=_HEADERS)

    @router.put("/uploads")
    async def upload(request: Request) -> Response:
        """Receives a file; pass ``path`` of the reply as ``file`` to an action."""
        try:
            path = await _take_in(actions.user_of(request), request, workbench)
        except Exception as error:
            return _refusal(error, request)
        return JSONResponse({"path": str(path)}, headers=_HEADERS)

    @router.post("/{endpoint}")
    async def call(endpoint: str, request: Request) -> Response:
        """Runs an action. Returns one reply, or several of which the last is complete."""
        try:
            action = actions.endpoint(endpoint)
            if action is None:
                raise fail("not_found", "pages.http_doors.no_endpoint", name=endpoint)
            given = {**await _fields(request), "ui": language_of(request)}
            if action.streams and LINES in request.headers.get("accept", ""):
                return StreamingResponse(_lines(actions, action, given, request), media_type=LINES, headers=_HEADERS)
            reply = await (_last if action.streams else _only)(actions, action, given, request)
            return JSONResponse(reply, headers=_HEADERS)
        except Exception as error:
            return _refusal(error, request)

    return router


async def _fields(request: Request) -> dict[str, JsonValue]:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise fail("validation", "pages.http_doors.no_json")
    body = bytearray()
    async for block in request.stream():
        body += block
        if len(body) > MOST_JSON:
            raise _too_large(MOST_JSON)
    given = json.loads(body or b"{}")
    if not isinstance(given, dict):
        raise fail("validation", "pages.http_doors.no_json")
    return given


async def _only(actions: Actions, action: Action, given: dict[str, JsonValue], request: Request) -> JsonValue:
    reply = await actions.perform(action, given, request)
    return plain(reply) if isinstance(reply, BaseModel) else whole(action, cast(Reply, reply))


async def _last(actions: Actions, action: Action, given: dict[str, JsonValue], request: Request) -> JsonValue:
    """The last, complete reply, in the form that the OpenAPI description states."""
    reply: Reply = {}
    async with aclosing(actions.stream(action, given, request)) as replies:
        async for each in replies:
            reply = cast(Reply, plain(each))
    return whole(action, reply)


async def _lines(
    actions: Actions, action: Action, given: dict[str, JsonValue], request: Request
) -> AsyncIterator[bytes]:
    async for reply in actions.answers(action, given, request, language_of(request)):
        yield json.dumps(reply, ensure_ascii=False).encode() + b"\n"


async def _take_in(user_id: str, request: Request, workbench: Workbench) -> Path:
    """Stores the request body as a file of the user. If the body is refused, no file remains."""
    most, declared = workbench.settings.limits.largest_file_bytes, declared_bytes(request)
    if declared > most:
        raise _too_large(most)
    async with workbench.uploads.arriving(user_id, declared) as arrival:
        path = arrival.place / "file"
        with await asyncio.to_thread(path.open, "xb") as file:
            async for block in request.stream():
                if arrival.written + len(block) > most:
                    raise _too_large(most)
                await asyncio.to_thread(arrival.take, len(block))
                await asyncio.to_thread(file.write, block)
        return path


def declared_bytes(request: Request) -> int:
    """The body length that a request declares; 0 if it declares none."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _too_large(most: int) -> PalimpsestError:
    return fail("validation", "pages.http_doors.too_large", megabytes=most // MEGABYTE)


def _refusal(error: Exception, request: Request) -> Response:
    return JSONResponse(problem_of(error, language_of(request)), status_code=status_of(error), headers=_HEADERS)
