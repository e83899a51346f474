"""Runs the ``palimpsest`` command in a forked process, with an environment, a folder, arguments and files for its
streams. The process ends with the command's exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def run(environment: Mapping[str, str], folder: Path, arguments: Sequence[str], streams: Path) -> None:
    """Runs the command: reads its input from ``streams/in``, writes output to ``streams/out`` and errors to
    ``streams/err``."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, (name, mode) in enumerate((("in", "rb"), ("out", "wb"), ("err", "wb"))):
        with (streams / name).open(mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    from command.main import main

    sys.exit(main(arguments))
