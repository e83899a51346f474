"""Implements ``palimpsest worker``: processes the servers' jobs, without pages, until it is stopped."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys

from command.ending import end_for_certain
from command.log import log_to
from command.words import word
from core.errors import fail
from core.resilience.priority import stand_back
from core.settings import Settings, without_secrets
from core.store.data_directory import taken, try_data_directory
from core.store.private_files import keep_private
from core.words import Language

SIGNALS = (signal.SIGTERM, signal.SIGINT)
ENDING_SECONDS = 15.0
"""Seconds after the drain for closing stores, connections and child processes."""


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--concurrency", type=_count, metavar="N", help=word("worker.concurrency", language))
    parser.add_argument("--json", action="store_true", help=word("json", language))


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """Raises ``PalimpsestError`` if the worker's stores are not shared with servers, or cannot be reached."""
    refuse_unshared(settings)
    log_to(sys.stderr, settings)
    stand_back(settings.jobs.nice)
    settings.jobs.workers = given.concurrency or max(1, settings.jobs.workers)
    lock = try_data_directory(settings.folder)
    if lock is None:
        raise taken(settings.folder)
    with lock:
        keep_private(settings.folder)
        asyncio.run(_work(given.json, settings, language))
    return 0


def refuse_unshared(settings: Settings) -> None:
    """Raises an error for embedded stores: only one process can open them, and that process does its jobs itself."""
    needed = {
        "MONGODB_URI": settings.mongodb_uri,
        "QDRANT_URL": settings.qdrant_url,
        "PALIMPSEST_REDIS__URL": settings.redis.url,
    }
    if missing := [name for name, value in needed.items() if not value]:
        raise fail("validation", "command.worker.unshared", missing=", ".join(missing))


async def _work(as_json: bool, settings: Settings, language: Language) -> None:
    from core.workbench import Workbench

    told_to_end = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(*_: object) -> None:
        end_for_certain(settings.jobs.drain + ENDING_SECONDS)
        loop.call_soon_threadsafe(told_to_end.set)

    for each in SIGNALS:
        signal.signal(each, tell)
    workbench = Workbench(settings, serves=False)
    await workbench.start()
    try:
        _say_where(as_json, settings, language)
        await told_to_end.wait()
        print(word("worker.ends", language, seconds=settings.jobs.drain), file=sys.stderr, flush=True)
        await workbench.drain()
    finally:
        await workbench.stop()


def _say_where(as_json: bool, settings: Settings, language: Language) -> None:
    where = {
        "truth": settings.mongodb_address or "",
        "index": settings.qdrant_address or "",
        "redis": without_secrets(settings.redis.url.get_secret_value()) if settings.redis.url else "",
        "at_once": settings.jobs.workers,
    }
    print(json.dumps(where) if as_json else word("worker.at", language, **where), flush=True)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
