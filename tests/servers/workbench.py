"""A served workbench in a forked process: environment, folder and log -> what ``python app.py`` does there."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def serve(environment: Mapping[str, str], folder: Path, log: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    with log.open("ab") as written:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(written.fileno(), stream.fileno())
    from app import main

    sys.exit(main())
