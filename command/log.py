"""Configures the log: a file in the data directory for interactive commands, standard error for a server.

A server also writes to a file if a setting names one. When a log file is full, a new one is started.
"""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

from core.errors import PalimpsestError
from core.settings import Settings

FILE = "command.log"
MEGABYTE = 1_000_000
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"

log = logging.getLogger("palimpsest")


def log_to(stream: TextIO, settings: Settings) -> None:
    """Log to a stream, as servers do."""
    logging.basicConfig(level=settings.log_level, format=FORMAT, stream=stream)
    if settings.log.file:
        handler = _file(settings.folder / settings.log.file, settings)
        handler.setFormatter(logging.Formatter(FORMAT))
        logging.getLogger().addHandler(handler)
    _less_of_others()


def log_to_file(settings: Settings) -> None:
    """Log to a file in the data directory that only its owner can read. If the file cannot be written, nothing is
    logged."""
    logging.basicConfig(level=settings.log_level, format=FORMAT, handlers=[_file(settings.folder / FILE, settings)])
    _less_of_others()


def note(error: Exception) -> None:
    """Log the original error; for an expected error (``PalimpsestError``) only its detail."""
    log.error("the command failed: %s", error, exc_info=None if isinstance(error, PalimpsestError) else error)


def _file(path: Path, settings: Settings) -> logging.Handler:
    """A handler for a file that only its owner can read, or a handler without output if the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _PrivateFile(
            path, maxBytes=int(settings.log.megabytes * MEGABYTE), backupCount=settings.log.kept, encoding="utf-8"
        )
    except OSError:
        return logging.NullHandler()


class _PrivateFile(RotatingFileHandler):
    """A rotating log file; new files are also readable only by their owner."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        return super()._open()


def _less_of_others() -> None:
    for name in ("httpx", "httpx2"):
        logging.getLogger(name).setLevel("WARNING")
