"""Simulates users of several servers: signed in once, and switched to the next server when theirs does not answer."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from benchmarks.several_processes.slow_answers import misnumbered

PASSWORD = "a long password 1"
PATIENCE = 25.0
"""Seconds without data after which a server counts as dead; a living server sends a heartbeat every ten seconds."""
TRIES = 30
"""Number of requests, one second apart, before a user gives up: for a minute there may be no answer."""

_TAGS = re.compile(r"<[^>]+>")


@dataclass
class Heard:
    """The stream of one question. ``first``: seconds to its first event. ``lost`` and ``doubled``: number of words that
    two readers of the growing answer missed or received twice. ``broken``: the stream ended before the answer."""

    asker: str
    run_id: str = ""
    message_id: str = ""
    first: float | None = None
    seconds: float = 0.0
    outcome: str | None = None
    lost: int = 0
    doubled: int = 0
    broken: bool = False

    def read(self, text: str) -> None:
        """Compares the answer so far, ``text``, with what was received before."""
        lost, doubled = misnumbered(text)
        self.lost, self.doubled = max(self.lost, lost), max(self.doubled, doubled)


@dataclass
class Visitor:
    """A simulated user. ``at`` is the index of the server in ``clients`` that the user uses now."""

    name: str
    clients: Sequence[httpx.AsyncClient]
    at: int = 0

    async def sign_in(self) -> None:
        """Signs in at one server; the other servers accept the same cookie."""
        reply = await self.clients[0].post("/login", data={"name": self.name, "password": PASSWORD})
        assert reply.status_code == 303, reply.text
        for client in self.clients[1:]:
            client.cookies = httpx.Cookies(self.clients[0].cookies)

    async def call(self, endpoint: str, **fields: object) -> dict[str, Any]:
        """Returns an action's result. If a server is gone, the next one is used, so the action may run twice.

        Raises:
            httpx.HTTPError: no server answered, or a server refused.
        """
        for _ in range(TRIES):
            try:
                reply = await self.clients[self.at].post(f"/api/{endpoint}", json=fields)
                if reply.status_code < 500:
                    reply.raise_for_status()
                    found: dict[str, Any] = reply.json()
                    return found
            except httpx.TransportError:
                pass
            self._pass_on()
            await asyncio.sleep(1)
        raise httpx.ReadTimeout(f"{endpoint}: no server answers")

    async def add(self, name: str, text: str) -> None:
        await self.call("add_document", name=name, text=text, choice="ask")

    async def ask(self, question: str, *, beside_it: bool = True) -> Heard:
        """Asks and follows the answer, as a page does, at the server that gives it and at the other server
        ``beside_it``."""
        heard, beside = Heard(self.name), None
        began = time.perf_counter()
        try:
            async for answer in self._lines(question):
                if "run_id" not in answer:
                    break  # with a message
                if heard.first is None:
                    heard.first = time.perf_counter() - began
                    heard.run_id, heard.message_id = answer["run_id"], answer["message_id"]
                    other = self.clients[(self.at + 1) % len(self.clients)]
                    beside = asyncio.create_task(_watch(other, heard)) if beside_it else None
                heard.outcome = answer["outcome"]
                if answer["kind"] is None:
                    heard.read(answer["text"])
        except httpx.HTTPError:
            self._pass_on()
        heard.seconds = time.perf_counter() - began
        heard.broken = heard.outcome is None
        if beside:
            await beside
        return heard

    async def _lines(self, question: str) -> AsyncIterator[dict[str, Any]]:
        lines = {"Accept": "application/x-ndjson"}
        client = self.clients[self.at]
        async with client.stream("POST", "/api/ask", json={"question": question}, headers=lines) as reply:
            reply.raise_for_status()
            async for line in reply.aiter_lines():
                yield json.loads(line)

    def _pass_on(self) -> None:
        self.at = (self.at + 1) % len(self.clients)


async def _watch(client: httpx.AsyncClient, heard: Heard) -> None:
    blocks: list[str] = []
    try:
        async with client.stream("GET", f"/live/runs/{heard.run_id}") as told:
            async for line in told.aiter_lines():
                for frame in json.loads(line.removeprefix("data:")) if line.startswith("data:") else []:
                    if frame["kind"] == "blocks":
                        blocks[frame["begin"] :] = frame["html"]
                        heard.read(" ".join(_TAGS.sub("", block) for block in blocks))
                    if frame["kind"] == "end":
                        return
    except httpx.HTTPError:
        heard.broken = True


@asynccontextmanager
async def visiting(names: Sequence[str], urls: Sequence[str]) -> AsyncIterator[list[Visitor]]:
    """Yields signed-in users, distributed over the servers in turn."""
    clients = [
        [httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) for url in urls] for _ in names
    ]  # fmt: skip
    people = [
        Visitor(name, own, place % len(urls)) for place, (name, own) in enumerate(zip(names, clients, strict=True))
    ]
    try:
        await asyncio.gather(*(person.sign_in() for person in people))
        yield people
    finally:
        await asyncio.gather(*(client.aclose() for own in clients for client in own))


def accounts(names: Sequence[str]) -> Mapping[str, str]:
    """Returns the setting that creates the accounts."""
    return {"PALIMPSEST_USERS": json.dumps(dict.fromkeys(names, PASSWORD))}
