"""Prepares what the disturbances need: files on disk, tables, a library, and a conversation."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer

from benchmarks.frozen import files
from benchmarks.frozen.disturbances import DROPPING, READING, TABLE_QUESTIONS, converses
from benchmarks.frozen.person import Deed, Person, all_searchable
from core.store.data_directory import Holder

PASSWORD = "a long password 1"
ADMINISTRATOR, PLAIN, HOSTILE = "administrator", "eleventh", "hostile"
READERS = ("pdf", "digits", "scan", "note")
"""Users who upload files, each one file at a time."""
LIBRARY_SECONDS = 120.0
CONVERSATION_SECONDS = 40.0


@dataclass(frozen=True)
class Sizes:
    """The sizes of files, tables and library, and the maximum seconds of phases."""

    tables: int
    rows: int
    askers: int
    questions: int
    kinds: int
    pdf_pages: int
    digits: int
    scan_pages: int
    conversation: int
    table_reading: float
    together: float
    longest: Mapping[str, float]


FULL = Sizes(
    tables=10, rows=20_000, askers=10, questions=8, kinds=36, pdf_pages=1_000, digits=300_000, scan_pages=90,
    conversation=12, table_reading=200, together=120,
    longest={"tables": 40, "hostile": 75, "pdf": 50, "digits": 40, "scan": 60, "conversation": 12},
)  # fmt: skip
QUICK = Sizes(
    tables=2, rows=20_000, askers=10, questions=4, kinds=12, pdf_pages=300, digits=300_000, scan_pages=20,
    conversation=4, table_reading=90, together=35,
    longest={"tables": 12, "hostile": 20, "pdf": 15, "digits": 12, "scan": 20, "conversation": 6},
)  # fmt: skip


@dataclass(frozen=True)
class Files:
    """Files on disk. ``library`` are the reports that the plain questions are about."""

    library: files.Library
    pdf: Path
    digits: Path
    scan: Path
    note: Path


def made_files(data: Path | None, sizes: Sizes, folder: Path) -> Files:
    """Creates the files from the reports in ``data``, or from generated text."""
    pdf, scan = folder / "long report.pdf", folder / "scan.pdf"
    if data:
        reports = sorted(data.glob("*.pdf"))
        files.joined(reports, sizes.pdf_pages, pdf)
        files.scan(scan, files.pictures_of(reports, sizes.scan_pages))
        library = files.given_library(data, sizes.questions)
    else:
        files.written_pdf(pdf, sizes.pdf_pages, 1)
        files.scan(scan, files.drawn_pictures(sizes.scan_pages, 2))
        library = files.made_library(folder, sizes.questions)
    return Files(
        library, pdf, files.digits(folder / "digits.txt", sizes.digits, 3), scan, files.note(folder / "note.txt")
    )


def table_people(sizes: Sizes) -> list[str]:
    """Names one user for each table."""
    return [f"table{number}" for number in range(sizes.tables)]


def accounts(sizes: Sizes) -> dict[str, str]:
    """Returns the settings that create the user accounts; the first one is the administrator."""
    names = [ADMINISTRATOR, PLAIN, HOSTILE, *READERS, *table_people(sizes)]
    return {"PALIMPSEST_USERS": json.dumps(dict.fromkeys(names, PASSWORD))}


class House:
    """The simulated users of one server, by name."""

    def __init__(self, holder: Holder, sizes: Sizes) -> None:
        self.log: list[Deed] = []
        self.sizes = sizes
        self._holder = holder
        self._people: dict[str, Person] = {}

    def person(self, name: str) -> Person:
        if name not in self._people:
            self._people[name] = Person(name, self._holder, self.log)
        return self._people[name]

    def fill_tables(self, folder: Path) -> tuple[float, list[Person]]:
        """Uploads the first table, then the others. Returns the seconds until the first was searchable, and the
        users whose table is searchable.

        Tables that are not searchable after ``table_reading`` seconds are removed.
        """
        people = [self.person(name) for name in table_people(self.sizes)]
        paths = [files.orders(folder / f"orders {place}.csv", self.sizes.rows, place) for place in range(len(people))]
        began = time.monotonic()
        ends = began + self.sizes.table_reading
        served = self.searchable(people[:1], paths[:1], ends)
        seconds = time.monotonic() - began
        return seconds, served + self.searchable(people[1:], paths[1:], ends)

    def fill_library(self, library: files.Library) -> None:
        """Adds the reports to two libraries: of the user who asks plain questions, and of the one who asks hostile
        ones.

        Raises:
            TimeoutError: the reports are not searchable in time.
        """
        owners = [self.person(name) for name in (PLAIN, HOSTILE) for _ in library.paths]
        paths = [*library.paths, *library.paths]
        if len(self.searchable(owners, paths, time.monotonic() + LIBRARY_SECONDS)) < len(paths):
            raise TimeoutError("the library of the plain questions was not searchable in time")

    def searchable(self, owners: Sequence[Person], paths: Sequence[Path], ends: float) -> list[Person]:
        """Uploads a file for each owner; returns the owners whose file is searchable in time."""
        stop = Event()
        timer = Timer(max(0.0, ends - time.monotonic()), stop.set)
        timer.start()
        served = []
        dropped = [
            (owner, path, owner.does(DROPPING, path.name, lambda: owner.drop(path)))  # noqa: B023 -- called at once
            for owner, path in zip(owners, paths, strict=True)
        ]
        for owner, path, document in dropped:
            if document is None:
                continue
            if owner.does(READING, path.name, lambda: owner.waits_for(document, all_searchable, stop)):  # noqa: B023
                served.append(owner)
            else:
                owner.removes(document)
        timer.cancel()
        return served

    def long_conversation(self, person: Person) -> str | None:
        """Creates a conversation with answers over all rows of a table; returns its id."""
        length = self.sizes.conversation
        questions = [TABLE_QUESTIONS[place % len(TABLE_QUESTIONS)] for place in range(length)]
        return converses(person, questions, CONVERSATION_SECONDS)
