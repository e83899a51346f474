"""Serves a workbench without a model on loopback, as a browser uses it; handles its embedding cache as a file."""

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
from numpy.typing import NDArray

from core.clock import system_clock
from core.models.build import build_embeddings
from core.models.embedding_cache import CachedEmbeddings, restored
from core.settings import Settings
from core.store.open import open_truth
from core.store.truth import Truth

Answer = dict[str, Any]

STARTUP = 240.0
ANSWERING = 240.0
CACHE = "embedding_cache"


@contextmanager
def serving(home: Path, settings: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Yields the address and process id of a workbench that is served on ``home``; ``settings`` are environment
    variables."""
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
        yield url, process.pid
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:  # the process hangs, which some benchmarks test for
            process.kill()
            process.wait()


@contextmanager
def served(home: Path, settings: Mapping[str, str] | None = None) -> Iterator[Client]:
    """Yields a client of a served workbench's endpoints, without login."""
    with serving(home, settings) as (url, _):
        yield Client(url, verbose=False)


def wait(done: Callable[[], bool], seconds: float) -> None:
    """Waits until ``done``; raises ``TimeoutError``."""
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
    """Returns the last output of a streamed call; raises ``TimeoutError`` if the stream does not end in time."""
    wait(job.done, ANSWERING)
    said = job.outputs()
    answer: Answer = said[-1] if said else {}
    return answer


def put_vectors(home: Path, cache: Path | None) -> int:
    """Adds vectors of earlier runs to a data directory that is not served; returns their number."""
    settings = Settings(_env_file=None, home=home)  # type: ignore[call-arg]

    async def accept() -> int:
        truth = open_truth(settings)
        await truth.start()
        embeddings = CachedEmbeddings(build_embeddings(settings), truth.collection(CACHE), system_clock)
        vectors = kept_vectors(cache, embeddings.identity.model)
        await embeddings.accept(vectors)
        await truth.stop()
        return len(vectors)

    return asyncio.run(accept()) if cache and cache.exists() else 0


def kept_vectors(cache: Path | None, model: str) -> dict[str, NDArray[np.float32]]:
    """Returns the vectors of ``model`` in ``cache``, by the keys of the embedding cache."""
    if cache is None or not cache.exists():
        return {}
    with np.load(cache) as kept:
        rows = list(zip(*(kept[name].tolist() for name in ("keys", "models", "vectors")), strict=True))
    return {key: restored(vector) for key, made_by, vector in rows if made_by == model}


def keep_vectors(home: Path, cache: Path | None) -> None:
    """Writes the embedding cache of a data directory that is no longer served to ``cache``."""
    if cache is None:
        return

    async def read() -> None:
        truth = open_truth(Settings(_env_file=None, home=home))  # type: ignore[call-arg]
        await truth.start()
        await write_vectors(truth, cache)
        await truth.stop()

    asyncio.run(read())


async def write_vectors(truth: Truth, cache: Path) -> None:
    """Writes the embedding cache of an open record store to ``cache``."""
    rows = await truth.collection(CACHE).find({})
    columns = {"keys": "_id", "models": "model", "vectors": "vector"}
    np.savez_compressed(cache, **{name: np.array([row[field] for row in rows]) for name, field in columns.items()})
