"""Measures how messages are routed and answered without a model.

    python -m benchmarks.messages --data FOLDER [--part PART …] [--only ID …] [--json FILE] [--details FILE]

``FOLDER`` holds ``messages`` (``routes.yaml``, ``recall.yaml``, ``across.yaml``, ``firstline.yaml``) and ``grids``
(``grids.yaml`` and ``pdfs``); the folder ``messages`` itself may be given for the parts that need only it. ``--only``
runs some items by id. ``--details`` writes one line for each item: what was expected and what came.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
from pathlib import Path

from benchmarks.messages.part import Part, Selection
from benchmarks.report import Report

PARTS = ("routes", "recall", "across", "firstline", "columns", "feedback")
"""The parts, each a module of this package with a function ``measure``."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--details", type=Path)
    given = parser.parse_args(arguments)
    selection = Selection(given.data, tuple(given.only))
    report = Report("Messages, without a model")
    for name in given.part:
        part: Part = importlib.import_module(f"benchmarks.messages.{name}")
        measured = asyncio.run(part.measure(selection))
        report.figures += measured.figures
        report.notes += measured.notes
        if given.details:
            with given.details.open("a", encoding="utf-8") as file:
                file.writelines(f"{name}\t{line}\n" for line in measured.details)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
