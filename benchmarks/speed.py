"""Measures how fast the product's parts are, each compared with a reproducible yardstick: ``python -m
benchmarks.speed``.

The times of one machine mean little on another, so a section reports ratios to a yardstick measured in the same run. A
section is a function from ``Options`` to ``Section``; add it to ``SECTIONS`` and it is run, printed and checked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.speed_flow import first_event, start, upload
from benchmarks.speed_index import index
from benchmarks.speed_section import Options, Section

SECTIONS: dict[str, Callable[[Options], Section]] = {
    "index": index,
    "upload": upload,
    "first_event": first_event,
    "start": start,
}


def report(sections: dict[str, Section]) -> str:
    """Returns the sections as readable lines."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"== {name}", section.note]
        lines += [f"  {value:<36} {number:12.3f}" for value, number in section.values.items()]
        for floor in section.floors:
            verdict = "MISSED" if floor in section.missed else "held"
            lines.append(f"  {floor.value} at most {floor.most:g}: {verdict}")
        for goal in section.goals:
            verdict = "reached" if section.holds(goal) else "NOT reached"
            lines.append(f"  goal: {goal.value} at most {goal.most:g}: {verdict}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Runs the requested sections; 1 when a floor is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=Options.items, help="items in the index (default %(default)s)")
    parser.add_argument("--only", nargs="+", choices=sorted(SECTIONS), default=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the values there")
    asked = parser.parse_args(arguments)
    options = Options(items=asked.items)
    sections = {name: SECTIONS[name](options) for name in asked.only}
    print(report(sections))
    if asked.json:
        asked.json.write_text(json.dumps({name: asdict(made) for name, made in sections.items()}, indent=2), "utf-8")
    return int(any(section.missed for section in sections.values()))


if __name__ == "__main__":
    sys.exit(main())
