"""Several local processes as in a production installation: shared services, two ``serve`` processes, a ``worker``,
nginx."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.interface.conftest import ROOT, Served
from tests.mongodb import running_mongodb
from tests.nginx import running_nginx
from tests.qdrant_server import QdrantServer, running_qdrant
from tests.redis_server import RedisServer, running_redis

SECRET = base64.urlsafe_b64encode(b"a secret of the tests, 32 bytes.").decode()
SECONDS_TO_END = 30


@dataclass(frozen=True)
class Shared:
    """Services shared by all processes: a MongoDB-compatible process, a stand-in for Qdrant, a real Redis."""

    mongodb: str
    qdrant: QdrantServer
    redis: RedisServer

    @property
    def environment(self) -> dict[str, str]:
        return {
            "MONGODB_URI": self.mongodb,
            "QDRANT_URL": self.qdrant.url,
            "PALIMPSEST_REDIS__URL": self.redis.url,
            "PALIMPSEST_SECRET_KEY": SECRET,
            "PALIMPSEST_TRUSTED_PROXIES": '["127.0.0.1"]',
        }


@contextmanager
def shared_stores(folder: Path) -> Iterator[Shared]:
    with ExitStack() as stack:
        for name in ("mongodb", "qdrant", "redis"):
            (folder / name).mkdir(parents=True)
        yield Shared(
            stack.enter_context(running_mongodb(folder / "mongodb")),
            stack.enter_context(running_qdrant(folder / "qdrant")),
            stack.enter_context(running_redis(folder / "redis")),
        )


@contextmanager
def serving(shared: Shared, folder: Path, number: int = 2, **environment: str) -> Iterator[list[Served]]:
    """Starts servers, each with a separate data directory."""
    started: list[Served] = []
    try:
        for each in range(1, number + 1):
            served = Served(folder / f"serve-{each}", reader=True, **shared.environment, **environment)
            started.append(served)
            served.start()
        yield started
    finally:
        for served in started:
            served.stop()


@contextmanager
def working(shared: Shared, folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Starts ``palimpsest worker`` with a separate data directory, and waits until it has reported its connections."""
    home = folder / "worker"
    given = {**os.environ, **shared.environment, **environment, "PALIMPSEST_HOME": str(home)}
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "worker.log").open("w") as log:
        worker = subprocess.Popen(
            [sys.executable, "-m", "command", "worker", "--json"],
            cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
    try:
        assert worker.stdout
        assert json.loads(worker.stdout.readline())["redis"] == shared.redis.url, (folder / "worker.log").read_text()
        yield worker
    finally:
        worker.terminate()
        try:
            worker.wait(SECONDS_TO_END)
        finally:
            worker.kill()
            worker.wait()


@contextmanager
def behind_nginx(folder: Path, servers: list[Served], *, affinity: bool = True) -> Iterator[str]:
    with running_nginx(folder, [served.port for served in servers], affinity=affinity) as url:
        yield url
