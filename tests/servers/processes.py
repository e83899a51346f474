"""Several servers of the workbench on this machine as in production: what they share, two ``serve``, nginx."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.interface.conftest import Served
from tests.mongodb import running_mongodb
from tests.nginx import running_nginx
from tests.qdrant_server import QdrantServer, running_qdrant
from tests.redis_server import RedisServer, running_redis

KEY = "session.key"


@dataclass(frozen=True)
class Shared:
    """What all processes work on: a MongoDB-compatible process, a stand-in for Qdrant, a real Redis."""

    mongodb: str
    qdrant: QdrantServer
    redis: RedisServer

    @property
    def environment(self) -> dict[str, str]:
        return {
            "MONGODB_URI": self.mongodb,
            "QDRANT_URL": self.qdrant.url,
            "PALIMPSEST_REDIS__URL": self.redis.url,
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
    """Servers with a data directory each, and one key for the sessions of all."""
    started: list[Served] = []
    try:
        for each in range(1, number + 1):
            served = Served(folder / f"serve-{each}", **shared.environment, **environment)
            served.home.mkdir(parents=True)
            if started:
                (served.home / KEY).write_bytes((started[0].home / KEY).read_bytes())
            started.append(served)
            served.start()
        yield started
    finally:
        for served in started:
            served.stop()


@contextmanager
def behind_nginx(folder: Path, servers: list[Served], *, affinity: bool = True) -> Iterator[str]:
    with running_nginx(folder, [served.port for served in servers], affinity=affinity) as url:
        yield url
