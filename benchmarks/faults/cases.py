"""Reads the cases of a folder, and creates the files that are described instead of stored."""

from __future__ import annotations

import hashlib
import random
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchmarks.faults.comparison import Wanted

FIRST_DAY = date(2023, 1, 1)
DAYS = 730
REGIONS = ("North", "South", "East", "West")
PRODUCTS = {"Chairs": 12_000, "Desks": 90_000, "Lamps": 3_550, "Shelves": 7_500, "Sofas": 145_000}
"""Price per unit of each product, in cents."""


class Step(BaseModel):
    """One action of a user; exactly one of the first six fields is set.

    ``within`` and ``at_most_bytes`` limit an answer: its seconds, and the bytes of its reply.
    """

    model_config = ConfigDict(extra="forbid")

    upload: str | None = None
    remember: str | None = None
    ask: str | None = None
    read: bool = False
    notes: bool = False
    refused: bool = False
    ready_within: float | None = None
    within: float | None = None
    at_most_bytes: int | None = None


class Made(BaseModel):
    """A generated file: ``bytes`` and ``sha256`` check that it was generated correctly."""

    rows: int
    columns: list[str]
    seed: int
    bytes: int
    sha256: str


class Case(BaseModel):
    """One test case. ``where`` says which part of the result is compared."""

    id: str
    file: str | None
    topic: str
    steps: list[Step]
    must: list[str] = []
    must_any: list[str] = []
    must_not: list[str] = []
    where: Literal["first_line", "answer", "text", "notes"]
    expected: str
    absent: bool = False
    make: Made | None = None

    @property
    def wanted(self) -> Wanted:
        return Wanted(self.must, self.must_any, self.must_not)


def cases_of(folder: Path, topic: str | None, only: list[str]) -> list[Case]:
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [Case.model_validate_json(line) for line in lines if line.strip()]
    return [case for case in cases if topic in (None, case.topic) and (not only or case.id in only)]


def file_of(case: Case, name: str, folder: Path, made: Path) -> Path:
    """Returns the file of a case; a generated file is written into the folder ``made``.

    Raises:
        ValueError: the generated file differs from its description.
    """
    if case.make is None or name != case.file:
        return folder / name
    path = made / name
    if not path.exists():
        content = orders(case.make)
        if len(content) != case.make.bytes or hashlib.sha256(content).hexdigest() != case.make.sha256:
            raise ValueError(f"{name} differs from its description")
        path.write_bytes(content)
    return path


def orders(made: Made) -> bytes:
    """Creates a CSV file of random orders."""
    chance, products = random.Random(made.seed), list(PRODUCTS)
    lines = [",".join(made.columns)]
    for number in range(1, made.rows + 1):
        a, b, c, d, e = (chance.random() for _ in range(5))
        day, product, units = FIRST_DAY + timedelta(days=int(a * DAYS)), products[int(c * 5)], 1 + int(d * 20)
        cents = units * PRODUCTS[product] + int(e * 10_000)
        amount = f"{cents // 100}.{cents % 100:02d}"
        lines.append(f"B-{number:05d},{day.isoformat()},{REGIONS[int(b * 4)]},{product},{units},{amount}")
    return ("\n".join(lines) + "\n").encode()
