"""Measures whether users are delayed by another user's question, file or upload, on a served workbench without model or
vectors.

Ten users ask about tables of 20,000 rows, one asks hostile questions of 8,000 characters of 36 kinds, one uploads a PDF
of 1,000 pages, one a line of 300,000 digits, one a scan of 90 pages, and one opens a long conversation: first one after
the other, then all at the same time. One more user ("the eleventh person") asks plain questions about a small library
throughout, and a separate process requests ``/ready`` every 50 ms. Goals: ``/ready`` always answers within 300 ms, each
plain question takes at most three times as long as on an idle server, the first table is searchable 15 s after its
upload, and nothing fails.

    python -m benchmarks.frozen [--data FOLDER] [--json FILE] [--only PART ...] [--quick] [--tables N]

``FOLDER`` has the form of benchmarks.filings; without it, the texts are generated. If a goal is missed, the benchmark
prints what the users did at that moment, and where the server reports that its event loop was blocked.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from benchmarks.frozen import files, hostile
from benchmarks.frozen.disturbances import (
    Reached,
    asks_about_table,
    asks_hostile,
    opens,
    reads,
    reads_later,
    reads_scan,
)
from benchmarks.frozen.figures import Outcome, report_of
from benchmarks.frozen.person import Person
from benchmarks.frozen.phases import Actor, Run
from benchmarks.frozen.preparation import (
    ADMINISTRATOR,
    FULL,
    HOSTILE,
    PLAIN,
    QUICK,
    Files,
    House,
    Sizes,
    accounts,
    made_files,
)
from benchmarks.frozen.ready_probe import probing
from benchmarks.report import Report
from benchmarks.served import serving
from core.store.data_directory import find_holder

PARTS = ("tables", "hostile", "pdf", "digits", "scan", "conversation", "together")
WITH_TABLES = {"tables", "conversation", "together"}
ROUNDS = 3
"""Maximum time of a plain question, as a multiple of its time on an idle server."""
LEAST = 8.0
"""Minimum seconds of a phase, so that some plain questions are asked during it."""


@dataclass
class Benchmark:
    """One run: the simulated users, their files, and the results."""

    house: House
    run: Run
    made: Files
    folder: Path
    table_people: list[Person] = field(default_factory=list)
    conversation: str | None = None
    csv_seconds: float = 0.0
    reached: Reached = field(default_factory=dict)

    def set_up(self, parts: Sequence[str]) -> None:
        with self.run.phase("set-up"):
            if WITH_TABLES & {*parts}:
                self.csv_seconds, self.table_people = self.house.fill_tables(self.folder)
            self.house.fill_library(self.made.library)
            if self.table_people and {"conversation", "together"} & {*parts}:
                self.conversation = self.house.long_conversation(self.table_people[0])
        self.run.settle()
        self.run.quiet(ROUNDS)

    def disturb(self, part: str) -> None:
        """Runs one disturbance by itself, or all disturbances at the same time."""
        if part in ("tables", "conversation") and not self.table_people:
            self.run.notes.append(f"{part}: left out, no table was searchable in time")
        elif part == "together":
            self._together()
        else:
            self._alone(part)

    def _alone(self, part: str) -> None:
        makers: dict[str, Callable[[str], tuple[list[Actor], list[Actor]]]] = {
            "tables": lambda _: ([], self._tables()),
            "hostile": lambda _: ([asks_hostile(self._person(HOSTILE), self._kinds())], []),
            "pdf": lambda suffix: ([self._pdf(suffix)], []),
            "digits": lambda suffix: ([self._digits(suffix)], []),
            "scan": lambda suffix: (self._scan(suffix), []),
            "conversation": lambda _: ([], self._opening()),
        }
        until, others = makers[part](" by itself")
        self.run.disturbed(part, self.house.sizes.longest[part], LEAST, until, *others)

    def _together(self) -> None:
        suffix = " with all others"
        actors = [
            *self._tables(),
            asks_hostile(self._person(HOSTILE), self._kinds(), again=True),
            self._pdf(suffix),
            self._digits(suffix),
            *self._scan(suffix),
            *self._opening(),
        ]
        self.run.disturbed("together", self.house.sizes.together, LEAST, [], *actors)

    def _person(self, name: str) -> Person:
        return self.house.person(name)

    def _kinds(self) -> list[str]:
        every = len(hostile.QUESTIONS) // self.house.sizes.kinds
        return [*hostile.QUESTIONS][::every]

    def _tables(self) -> list[Actor]:
        people = self.table_people
        return (
            [asks_about_table(people[place % len(people)], place) for place in range(self.house.sizes.askers)]
            if people
            else []
        )

    def _opening(self) -> list[Actor]:
        return [opens(self.table_people[0], self.conversation)] if self.conversation else []

    def _pdf(self, suffix: str) -> Actor:
        path = files.changed(self.made.pdf, self.folder / f"long report{suffix}.pdf")
        return reads(self._person("pdf"), path, f"PDF{suffix}", self.reached)

    def _digits(self, suffix: str) -> Actor:
        path = files.digits(self.folder / f"digits{suffix}.txt", self.house.sizes.digits, len(suffix))
        return reads(self._person("digits"), path, f"digits{suffix}", self.reached)

    def _scan(self, suffix: str) -> list[Actor]:
        """Uploads the scan and, once it has been accepted, another user's small text."""
        path, begun = files.changed(self.made.scan, self.folder / f"scan{suffix}.pdf"), Event()
        small = files.note(self.folder / f"note{suffix}.txt")
        return [
            reads_scan(self._person("scan"), path, f"scan{suffix}", self.reached, begun),
            reads_later(self._person("note"), small, f"note after the scan{suffix}", self.reached, begun),
        ]


def measure(data: Path | None, sizes: Sizes, parts: Sequence[str]) -> Report:
    """Starts a server on a separate data directory and runs the parts."""
    load = os.getloadavg()
    settings = {"PALIMPSEST_DENSE_ENABLED": "false", **accounts(sizes)}
    with tempfile.TemporaryDirectory(prefix="palimpsest-frozen-", ignore_cleanup_errors=True) as place:
        folder, home = Path(place), Path(place) / "home"
        made = made_files(data, sizes, folder)
        with serving(home, settings) as (url, _):
            holder = find_holder(home)
            assert holder, "no server uses the data directory"
            house = House(holder, sizes)
            run = Run(house.person(PLAIN), made.library.questions, house.person(ADMINISTRATOR), house.log)
            benchmark = Benchmark(house, run, made, folder)
            with probing(url) as samples:
                benchmark.set_up(parts)
                for part in parts:
                    benchmark.disturb(part)
    outcome = Outcome(
        run.phases, house.log, samples, benchmark.reached, benchmark.csv_seconds,
        (len(benchmark.table_people), sizes.tables), bool(WITH_TABLES & {*parts}), sizes.kinds,
    )  # fmt: skip
    report = report_of(outcome, f"No one waits for another: {', '.join(parts)}")
    report.notes += run.notes
    report.notes.append(f"load of the machine: {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="PDFs and their questions.jsonl")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--quick", action="store_true", help="smaller counts, under three minutes")
    parser.add_argument("--tables", type=int, help="how many tables the ten people ask about")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes that were started end, too
    sizes = QUICK if given.quick else FULL
    if given.tables:
        sizes = replace(sizes, tables=given.tables)
    parts = [part for part in PARTS if part in given.only]
    return measure(given.data, sizes, parts).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
