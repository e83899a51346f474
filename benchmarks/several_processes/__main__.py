"""Tests several processes that share their stores: questions while workers read, kills and freezes, many users for some
time.

They share a MongoDB-compatible process, a stand-in for Qdrant and a real Redis, all on this machine.

    python -m benchmarks.several_processes beside [--files 60] [--rounds 10] [--json FILE]
    python -m benchmarks.several_processes kills [--kills 100] [--on worker truth …] [--seed 1] [--json FILE]
    python -m benchmarks.several_processes people [--people 20] [--minutes 30] [--pause 10] [--kills] [--json FILE]
    python -m benchmarks.several_processes journey --data FOLDER [--reports 5] [--shots FOLDER] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Report
from benchmarks.several_processes import beside_reading, journey, kills, people
from benchmarks.several_processes.strikes import WHATS

APART = 30.0
"""Seconds between two kills in the ``people`` benchmark."""


def measure(given: argparse.Namespace) -> Report:
    if given.what == "beside":
        return asyncio.run(beside_reading.run(given.files, given.rounds))
    if given.what == "kills":
        return asyncio.run(kills.run(given.kills, given.seed, given.what_is_struck))
    if given.what == "people":
        apart = APART if given.kills else None
        return asyncio.run(people.run(given.people, given.minutes, given.pause, apart, given.seed))
    with tempfile.TemporaryDirectory(prefix="palimpsest-journey-") as place:
        return journey.run(given.data, given.reports, given.shots, Path(place))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = parser.add_subparsers(dest="what", required=True)
    questions = measures.add_parser("beside")
    questions.add_argument("--files", type=int, default=60, help="files that are read in each round")
    questions.add_argument("--rounds", type=int, default=10)
    strikes = measures.add_parser("kills")
    strikes.add_argument("--kills", type=int, default=100)
    strikes.add_argument("--on", dest="what_is_struck", nargs="+", choices=WHATS, default=WHATS)
    days = measures.add_parser("people")
    days.add_argument("--people", type=int, default=20)
    days.add_argument("--minutes", type=float, default=30.0)
    days.add_argument("--pause", type=float, default=10.0, help="seconds between two turns of a person")
    days.add_argument("--kills", action="store_true", help="with kills and freezes in between")
    reports = measures.add_parser("journey")
    reports.add_argument("--data", type=Path, required=True, help="PDFs and their questions.jsonl")
    reports.add_argument("--reports", type=int, default=5)
    reports.add_argument("--shots", type=Path, default=Path("benchmarks/out/several_processes"))
    for each in (strikes, days):
        each.add_argument("--seed", type=int, default=1)
    for each in (questions, strikes, days, reports):
        each.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> int:
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes that were started end, too
    return measure(given).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
