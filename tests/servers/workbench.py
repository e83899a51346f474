"""Runs ``python app.py`` in a forked process, with a given environment, folder and log file.

With ``reader``, it reads files in a separate process; otherwise in a thread, like the workbenches in service tests.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.servers.small_disk import pretend
from tests.service import reading_here


def serve(environment: Mapping[str, str], folder: Path, log: Path, reader: bool) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    with log.open("ab") as written:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(written.fileno(), stream.fileno())
    if not reader:
        reading_here.arrange(setattr)
    pretend()
    from app import main

    sys.exit(main())
