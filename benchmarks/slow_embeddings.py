"""A simulated embedding endpoint that takes a fixed time per batch of any size, and records its requests."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tests.servers.local import LocalServer, Reply, Request, json_reply

DIMENSION = 384


@dataclass
class SlowEmbeddings:
    """The endpoint. ``texts``: how often each text was requested; ``most``: the highest number of simultaneous batches;
    ``first``: monotonic time of the first request."""

    seconds: float
    texts: Counter[str] = field(default_factory=Counter)
    batches: int = 0
    most: int = 0
    first: float | None = None
    _under_way: int = 0

    def server(self) -> LocalServer:
        return LocalServer(responder=self._answer)

    def forget(self) -> None:
        self.texts.clear()
        self.batches = self.most = 0
        self.first = None

    def _answer(self, request: Request) -> Reply:
        given = request.body["input"]
        texts = [given] if isinstance(given, str) else list(given)

        async def reply(writer: asyncio.StreamWriter) -> None:
            self.first = self.first or time.monotonic()
            self.batches += 1
            self.texts.update(texts)
            self._under_way += 1
            self.most = max(self.most, self._under_way)
            await asyncio.sleep(self.seconds)
            self._under_way -= 1
            rows = [
                {"object": "embedding", "index": place, "embedding": _made(text)} for place, text in enumerate(texts)
            ]
            await json_reply({"object": "list", "data": rows, "model": "slow", "usage": {}})(writer)

        return reply


def _made(text: str) -> list[float]:
    """Returns the same vector for the same text, of length one."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=DIMENSION)
    made: list[float] = np.round(vector / np.linalg.norm(vector), 6).tolist()
    return made
