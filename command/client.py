"""Calls the workbench's actions for commands: an endpoint's name and its fields → the server's replies."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from command.reaching import reached
from command.words import word
from core.errors import PalimpsestError, Problem, fail
from core.settings import Settings
from core.store.data_directory import Holder
from core.words import Language, Words

CONNECTING = 10.0
"""Time limit in seconds for connecting; a request itself has no time limit."""
BLOCK = 256 * 1024
LINES = "application/x-ndjson"

Reply = dict[str, Any]
"""The server's reply, as parsed JSON."""


class Client:
    """A client of the server. If the server refuses a request, raises ``PalimpsestError`` with the server's error
    texts."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def call(self, endpoint: str, **fields: object) -> Reply:
        """An action's reply."""
        try:
            response = await self._http.post(f"/api/{endpoint}", json=fields)
        except httpx.TransportError as error:
            raise _lost() from error
        return _reply(response, response.content)

    async def stream(self, endpoint: str, **fields: object) -> AsyncIterator[Reply]:
        """The replies of a streaming action, as they come."""
        try:
            lines = {"Accept": LINES}
            async with self._http.stream("POST", f"/api/{endpoint}", json=fields, headers=lines) as response:
                if response.is_error:
                    _reply(response, await response.aread())
                async for line in response.aiter_lines():
                    yield _accepted(json.loads(line))
        except httpx.TransportError as error:
            raise _lost() from error

    async def upload(self, path: Path) -> str:
        """Upload a file; the result identifies it for the action that uses it."""
        file = await asyncio.to_thread(path.open, "rb")
        with file:

            async def blocks() -> AsyncIterator[bytes]:
                while block := await asyncio.to_thread(file.read, BLOCK):
                    yield block

            try:
                response = await self._http.put("/api/uploads", content=blocks())
            except httpx.TransportError as error:
                raise _lost() from error
        return str(_reply(response, response.content)["path"])


@asynccontextmanager
async def connected(
    settings: Settings, given: argparse.Namespace, language: Language, *, mending: bool = False
) -> AsyncIterator[Client]:
    """A client of the server that holds the data directory, for the user in ``--user``; ``mending`` as in ``reached``.

    Another command may serve the directory only while it works, and may end before this client calls it: then this
    function looks for a server again.
    """
    while True:
        async with (
            reached(settings, mending=mending) as holder,
            http_client(holder, given.user, language) as http,
        ):
            if holder.passing and not await _listens(http):
                continue
            yield Client(http)
            return


async def _listens(http: httpx.AsyncClient) -> bool:
    """Whether the server answers; the connection is kept for the next request."""
    try:
        await http.get("/health")
    except httpx.TransportError:
        return False
    return True


async def called(
    settings: Settings, given: argparse.Namespace, language: Language, endpoint: str, **fields: object
) -> Reply:
    """The reply of one action, over a separate connection."""
    async with connected(settings, given, language) as client:
        return await client.call(endpoint, **fields)


def http_client(holder: Holder, user: str, language: Language) -> httpx.AsyncClient:
    """An HTTP client of a server, with the rights of its data directory's owner."""
    return httpx.AsyncClient(
        base_url=holder.address,
        headers=owner_headers(holder, user, language),
        timeout=httpx.Timeout(None, connect=CONNECTING),
        trust_env=False,
    )


def owner_headers(holder: Holder, user: str, language: Language) -> dict[str, str]:
    """Headers that identify the directory's owner to the server, and the user they act for."""
    acting = {"X-Palimpsest-User": quote(user)} if user else {}
    return {"Authorization": f"Bearer {holder.token}", "Accept-Language": language, **acting}


def takes_person(parser: argparse.ArgumentParser, language: Language) -> None:
    """Add the options of all subcommands that act for a user."""
    parser.add_argument("--json", action="store_true", help=word("json", language))
    parser.add_argument("--user", default="", metavar="NAME", help=word("user", language))


def _reply(response: httpx.Response, body: bytes) -> Reply:
    if response.status_code == httpx.codes.UNAUTHORIZED:
        raise fail("auth", "command.not_let_in")
    try:
        return _accepted(json.loads(body))
    except ValueError as error:
        raise fail("server", "command.no_reply", detail=f"{response.status_code}: {body[:200]!r}") from error


def _accepted(reply: Any) -> Reply:
    """Returns the reply, or raises its error: a refusal consists only of ``problem``, but a failed answer has other
    fields too."""
    if not isinstance(reply, dict):
        return {"reply": reply}
    if set(reply) == {"problem"}:
        told = {name: Words.alike(reply["problem"][name]) for name in ("what", "why", "remedy")}
        raise PalimpsestError(Problem(category="validation", **told), "refused by the server")
    return reply


def _lost() -> PalimpsestError:
    return fail("connection", "command.lost")
