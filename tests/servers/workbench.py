"""A served workbench in a forked process: environment, folder and log -> runs ``python app.py`` there.

It reads files in a separate process if ``reader`` says so, otherwise in a thread, like workbenches in service tests.
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
