"""Checks the configured addresses of servers; returns a finding for each, with the version found there.

It also runs when the workbench does not start, so each address is checked separately, within a deadline. The servers'
client libraries are imported only if needed, because importing them takes a fifth of the start time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial

from core.coordination.redis import open_redis
from core.models.endpoint import reachable
from core.operations.doctor.findings import fine, reason_of, wrong
from core.operations.records import Finding
from core.resilience.dependencies import Dependency
from core.settings import Settings, without_secrets
from core.store.room import MEGABYTE

log = logging.getLogger(__name__)

SECONDS = 8.0
"""Timeout in seconds for one address."""
OLDEST_MONGODB = (6, 0)
OLDEST_QDRANT = (1, 18)
POLICY = "allkeys-lru"

Check = Callable[[Settings], AsyncIterator[Finding]]


async def examine_addresses(settings: Settings) -> list[Finding]:
    """Findings in the order of the settings; addresses that are not configured give none. Changes nothing."""
    found: list[Finding] = []
    redis = settings.redis.url
    for name, check, where, away in (
        ("mongodb", _mongodb, settings.mongodb_address, "mongodb_away"),
        ("qdrant", _qdrant, settings.qdrant_address, "qdrant_away"),
        ("redis", _redis, without_secrets(redis.get_secret_value()) if redis else None, "redis_away"),
    ):
        if where is None:
            continue
        try:
            found += await Dependency(name, SECONDS).attempt(partial(_all, check(settings)))
        except Exception as error:
            log.warning("%s could not be asked", name, exc_info=True)
            found.append(wrong(name, away, where=where, why=reason_of(error)))
    return [*found, *await _endpoints(settings)]


async def _all(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [each async for each in findings]


async def _mongodb(settings: Settings) -> AsyncIterator[Finding]:
    from core.store.clusters.mongo_server import look_at

    uri = settings.mongodb_uri.get_secret_value() if settings.mongodb_uri else ""
    where = settings.mongodb_address
    server = await look_at(uri, min(settings.deadlines.truth, SECONDS / 2))
    if _numbers(server.version) < OLDEST_MONGODB:
        yield wrong("mongodb", "mongodb_old", where=where, version=server.version, least=_text(OLDEST_MONGODB))
    elif server.kind == "single":
        yield wrong("mongodb", "mongodb_single", where=where, version=server.version)
    else:
        seen = "mongodb_sharded" if server.kind == "sharded" else "mongodb"
        yield fine("mongodb", seen=seen, where=where, version=server.version, name=server.name)


async def _qdrant(settings: Settings) -> AsyncIterator[Finding]:
    from core.store.qdrant import QdrantIndex

    key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
    version = await QdrantIndex(settings.qdrant_url, key, settings.index_collection, seconds=int(SECONDS)).version()
    where = settings.qdrant_address
    if _numbers(version) < OLDEST_QDRANT:
        yield wrong("qdrant", "qdrant_old", where=where, version=version, least=_text(OLDEST_QDRANT))
    else:
        yield fine("qdrant", where=where, version=version)


async def _redis(settings: Settings) -> AsyncIterator[Finding]:
    redis = open_redis(settings, lambda _: None)
    if redis is None:
        return
    try:
        state = await redis.state()
    finally:
        await redis.close()
    if not state.limit or state.policy != POLICY:
        limit = f"{state.limit / MEGABYTE:,.0f} MB" if state.limit else "0"
        told = {"version": state.version, "limit": limit, "policy": state.policy}
        yield wrong("redis", "redis_policy", where=redis.address, **told)
    else:
        yield fine("redis", where=redis.address, version=state.version)


async def _endpoints(settings: Settings) -> list[Finding]:
    """Addresses of model services with the path to check; for the chat model this is where its list of models is
    requested."""
    named = {
        "EMBEDDING_URL": settings.embedding_url if settings.dense_enabled else None,
        "RERANK_URL": settings.rerank_url if settings.rerank_enabled else None,
    }
    urls = {name: url for name, url in named.items() if url}
    there = await asyncio.gather(*(reachable(url, SECONDS) for url in urls.values()))
    return [
        fine("endpoints", where=without_secrets(url), setting=name)
        if answers
        else wrong("endpoints", "endpoint_away", where=without_secrets(url), setting=name)
        for (name, url), answers in zip(urls.items(), there, strict=True)
    ]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _text(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
