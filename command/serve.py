"""Implements ``palimpsest serve``: serves the workbench to browsers until it is interrupted."""

from __future__ import annotations

import argparse
import json
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from command.ending import end_for_certain
from command.log import log_to
from command.words import word
from core.errors import fail
from core.forbidden_settings import forbidden_combinations
from core.settings import Settings
from core.store.data_directory import DataDirectoryLock, find_holder, taken, try_data_directory
from core.words import Language

PATIENCE = 60.0
"""Seconds to wait for another command that holds the data directory."""
STEP = 0.2
LEAVING = 3
"""Seconds to wait at shutdown for the pages' event streams to end."""
ENDING_SECONDS = 30.0
"""Seconds after the drain for closing stores, connections and child processes."""
NOT_STARTED = 3
"""The exit code of a server that failed to start."""


def define(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("--json", action="store_true", help=word("json", language))
    parser.add_argument("--no-jobs", action="store_true", help=word("serve.no_jobs", language))


def run(given: argparse.Namespace, settings: Settings, language: Language) -> int:
    """If a server already runs on the same data directory, prints its address. Raises ``PalimpsestError`` if it cannot
    start."""
    import app
    from core.library.intake.uploads import Uploads
    from core.store.migrations.upgrade import upgrade
    from core.store.room import refuse_start_without_room
    from core.store.truth_file import refuse_unreadable

    log_to(sys.stderr, settings)
    if given.no_jobs:
        leave_jobs(settings)
    address = f"http://{settings.host}:{settings.port}"
    with _leaving(), _locked(settings) as lock:
        Uploads(settings).remove_abandoned()
        refuse_start_without_room(settings)
        refuse_unreadable(settings)
        refuse_taken_port(settings)
        lock.announce(f"http://{_local(settings.host)}:{settings.port}")
        upgrade(settings)
        print(
            json.dumps({"address": address}) if given.json else word("serve.at", language, address=address), flush=True
        )
        return _served(app.create_app(settings, lock.token), settings)


def _served(application: Callable[..., Any], settings: Settings) -> int:
    """Serve until a signal arrives. Then the process ends within a time limit, even if it is still waiting for
    something."""
    import uvicorn

    from pages.security.slow_headers import patient_protocol

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            end_for_certain(LEAVING + settings.jobs.drain + ENDING_SECONDS)
            super().handle_exit(sig, frame)

    server = Server(
        uvicorn.Config(
            application,
            host=settings.host,
            port=settings.port,
            http=patient_protocol(settings.uploads),
            log_level="warning",
            timeout_graceful_shutdown=LEAVING,
            proxy_headers=False,
        )
    )
    with suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else NOT_STARTED


def leave_jobs(settings: Settings) -> None:
    """Let worker processes do the jobs. Raises ``PalimpsestError`` if the stores do not allow worker processes."""
    settings.jobs.workers = 0
    for found in forbidden_combinations(settings):
        raise fail("validation", f"settings.forbidden.{found}")


def refuse_taken_port(settings: Settings) -> None:
    """Raises ``PalimpsestError`` before the start if another program uses the port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, settings.port))
        except OSError as error:
            told = {"host": settings.host, "port": settings.port}
            raise fail("validation", "doctor.warnings.port_taken", detail=str(error), **told) from error


@contextmanager
def _leaving() -> Iterator[None]:
    """Catch the signal that the web server raises again after it has stopped: it would end the process before the lock
    is released."""

    def leave(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _locked(settings: Settings) -> DataDirectoryLock:
    ends = time.monotonic() + PATIENCE
    while True:
        lock = try_data_directory(settings.folder)
        if lock:
            return lock
        holder = find_holder(settings.folder)
        if time.monotonic() > ends or (holder and not holder.passing):
            raise taken(settings.folder)
        time.sleep(STEP)


def _local(host: str) -> str:
    """The address at which this machine reaches a server that listens on all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
