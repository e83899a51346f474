"""Measures the answers to messages without a model.

    python -m benchmarks.messages --data FOLDER [--part NAME …] [--only ID …] [--json FILE] [--details FILE]

A part is a module of this package with ``run(data, only, details)``, which returns its figures and may be async.
``FOLDER`` is the folder of data sets. ``--only`` limits a part to some ids. ``--details`` gets a JSON line for each
item: what was expected and what was answered.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

import benchmarks.messages
from benchmarks.messages.figures import Figure, report

_SHARED = {"__main__", "figures"}


def parts() -> dict[str, str]:
    """Returns the full module name of each part."""
    names = (module.name for module in pkgutil.iter_modules(benchmarks.messages.__path__))
    modules = {name: f"benchmarks.messages.{name}" for name in names if name not in _SHARED}
    return {name: module for name, module in modules.items() if hasattr(importlib.import_module(module), "run")}


def measure(module: str, data: Path, only: Sequence[str], details: Path | None) -> list[Figure]:
    found = importlib.import_module(module).run(data, only, details)
    figures: list[Figure] = asyncio.run(found) if inspect.isawaitable(found) else found  # type: ignore[arg-type]
    return figures


def main(arguments: list[str] | None = None) -> int:
    known = parts()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", nargs="*", choices=sorted(known), default=sorted(known))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--details", type=Path)
    options = parser.parse_args(arguments)
    if options.details:
        options.details.unlink(missing_ok=True)
    figures = []
    for name in options.part:
        figures += measure(known[name], options.data, options.only, options.details)
    return report(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
