"""A served workbench without a model, on loopback, as a browser meets it; and its embedding cache as a file."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from gradio_client import Client
from gradio_client.client import Job

from core.store.sqlite import SqliteTruth

Answer = dict[str, Any]

STARTUP = 240.0
ANSWERING = 240.0
PATIENCE = 60.0
CACHE = "embedding_cache"


@contextmanager
def served(home: Path, settings: Mapping[str, str] | None = None) -> Iterator[Client]:
    """A workbench on its own ``home``; ``settings`` are environment variables."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, **(settings or {}), "PALIMPSEST_HOME": str(home), "PALIMPSEST_PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "app.py"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait(lambda: httpx.get(f"{url}/health", timeout=2).status_code == 200, STARTUP)
        yield Client(url, verbose=False)
    finally:
        process.terminate()
        process.wait(20)


def wait(done: Callable[[], bool], seconds: float) -> None:
    """Until ``done``; raises ``TimeoutError``."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            if done():
                return
        except httpx.TransportError:
            pass
        time.sleep(0.25)
    raise TimeoutError("the workbench was not ready in time")


def last(job: Job) -> Answer:
    """The last that a streamed call said; raises ``TimeoutError`` when it does not end."""
    wait(job.done, ANSWERING)
    said = job.outputs()
    answer: Answer = said[-1] if said else {}
    return answer


def put_vectors(home: Path, cache: Path | None) -> int:
    """Fill the embedding cache of a home that nobody serves; how many vectors it got."""
    if cache is None or not cache.exists():
        return 0
    with np.load(cache) as kept:
        rows = [
            {"_id": key, "model": model, "vector": vector, "used_at": time.time()}
            for key, model, vector in zip(*(kept[name].tolist() for name in ("keys", "models", "vectors")), strict=True)
        ]

    async def write() -> None:
        async with _Open(home) as truth:
            there = {row["_id"] for row in await truth.collection(CACHE).find({}, fields=["_id"])}
            fresh = [row for row in rows if row["_id"] not in there]
            for start in range(0, len(fresh), 500):
                await truth.collection(CACHE).insert_many(fresh[start : start + 500])

    asyncio.run(write())
    return len(rows)


def keep_vectors(home: Path, cache: Path | None) -> None:
    """Write the embedding cache of a home that nobody serves any more to ``cache``."""
    if cache is None:
        return

    async def read() -> list[dict[str, Any]]:
        async with _Open(home) as truth:
            return [dict(row) for row in await truth.collection(CACHE).find({})]

    rows = asyncio.run(read())
    columns = {"keys": "_id", "models": "model", "vectors": "vector"}
    np.savez_compressed(cache, **{name: np.array([row[field] for row in rows]) for name, field in columns.items()})


class _Open:
    """The embedded truth of a home, open."""

    def __init__(self, home: Path) -> None:
        self._truth = SqliteTruth(home / "truth.sqlite", PATIENCE)

    async def __aenter__(self) -> SqliteTruth:
        await self._truth.start()
        return self._truth

    async def __aexit__(self, *_: object) -> None:
        await self._truth.stop()
