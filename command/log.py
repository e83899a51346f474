"""The log of commands: a file of the data directory for those that talk to a person, standard error for a server."""

from __future__ import annotations

import logging
import os
from logging.handlers import RotatingFileHandler
from typing import TextIO

from core.errors import PalimpsestError
from core.settings import Settings

FILE = "command.log"
MOST_BYTES = 1_000_000
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"

log = logging.getLogger("palimpsest")


def log_to(stream: TextIO, settings: Settings) -> None:
    """As servers do."""
    logging.basicConfig(level=settings.log_level, format=FORMAT, stream=stream)
    _less_of_others()


def log_to_file(settings: Settings) -> None:
    """Beside the data, for its owner alone; where that cannot be written, nowhere."""
    handler: logging.Handler = logging.NullHandler()
    try:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(settings.folder / FILE, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        handler = RotatingFileHandler(settings.folder / FILE, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8")
    except OSError:
        pass
    logging.basicConfig(level=settings.log_level, format=FORMAT, handlers=[handler])
    _less_of_others()


def note(error: Exception) -> None:
    """The raw error, for whoever looks for its cause; of one that was foreseen, its detail alone."""
    log.error("the command failed: %s", error, exc_info=None if isinstance(error, PalimpsestError) else error)


def _less_of_others() -> None:
    for name in ("httpx", "httpx2"):
        logging.getLogger(name).setLevel("WARNING")
