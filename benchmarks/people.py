"""Measures how long simultaneous users wait, on a served workbench without a model, over plain HTTP.

The ``--people`` users share ``--libraries`` (by default one each), with ``--documents`` in total. The documents are
texts of ``--pages`` pages each, taken from a folder's PDFs. When all is read and embedded, each user asks the questions
of the folder's ``questions.jsonl`` (see benchmarks/filings.py) for ``--minutes``; each question is sent ``--pause``
seconds after the last answer. *Alone* is the time that the first user waits before the others begin. Processor seconds
are the server's; they are valid on a busy machine too.

    python -m benchmarks.people --data FOLDER [--people 20] [--libraries N] [--documents 300]
        [--minutes 5] [--pause 30] [--home FOLDER]

``--home`` keeps the libraries; the next run with it does not upload, it only asks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import httpx
import numpy as np
import psutil
import pypdfium2

from benchmarks.report import Figure, Report
from benchmarks.served import serving
from core.store.data_directory import Holder, find_holder

GOALS = {50: 2.0, 95: 5.0}
"""Maximum seconds for a whole answer."""
ALONE = 8
"""Number of questions that the first user asks before the others begin."""
PATIENCE = 3_600.0
READ = ("completed", "failed")
LOOKS = 10.0
"""Seconds between two checks of the server's memory."""


@dataclass
class Asked:
    """Seconds of whole answers, and the server's processor time and memory during them."""

    waits: list[float] = field(default_factory=list)
    failed: int = 0
    held: list[tuple[float, float]] = field(default_factory=list)
    """Pairs of the time in minutes and the memory in megabytes."""


@dataclass(frozen=True)
class Person:
    name: str
    http: httpx.AsyncClient

    async def ask(self, question: str, into: Asked) -> None:
        began = time.perf_counter()
        reply = await self.http.post("/api/ask", json={"question": question})
        into.waits.append(time.perf_counter() - began)
        last = json.loads(reply.text.splitlines()[-1])
        into.failed += not (last.get("outcome") == "answered" or last.get("interrupt"))

    async def keeps_asking(
        self, questions: Sequence[str], chance: random.Random, pause: float, ends: float, into: Asked
    ) -> None:
        await asyncio.sleep(chance.random() * pause)
        while time.monotonic() < ends:
            await self.ask(chance.choice(questions), into)
            await asyncio.sleep(pause)

    async def add(self, path: Path) -> None:
        text = await asyncio.to_thread(path.read_text, encoding="utf-8")
        reply = await self.http.post("/api/add_document", json={"name": path.name, "text": text, "choice": "keep_both"})
        reply.raise_for_status()

    async def waits_for_all(self) -> None:
        """Waits until all documents can be found by keyword search and by embeddings."""
        while not await self._has_all():  # noqa: ASYNC110 -- it is another process that is waited for
            await asyncio.sleep(LOOKS)

    async def _has_all(self) -> bool:
        reply = await self.http.post("/api/list_documents", json={"limit": 1_000})
        return all(
            each["state"] in READ and each["embedded"] >= each["searchable"] for each in reply.json()["documents"]
        )


def slices(folder: Path, pages: int, into: Path) -> Iterator[Path]:
    """Returns texts of the given number of pages each, from one report after the other."""
    for path in sorted(folder.glob("*.pdf")):
        with pypdfium2.PdfDocument(path) as pdf:
            for start in range(0, len(pdf), pages):
                text = [
                    pdf[page].get_textpage().get_text_range() for page in range(start, min(start + pages, len(pdf)))
                ]
                slice_path = into / f"{path.stem} pages {start + 1} to {start + len(text)}.txt"
                slice_path.write_text("\n\n".join(text), encoding="utf-8")
                yield slice_path


def known_questions(folder: Path) -> list[str]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines]


def people_of(holder: Holder, names: Sequence[str]) -> list[Person]:
    def client(name: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {holder.token}", "X-Palimpsest-User": name}
        return httpx.AsyncClient(base_url=holder.address, headers=headers, timeout=PATIENCE, trust_env=False)

    return [Person(name, client(name)) for name in names]


async def fill(people: Sequence[Person], given: argparse.Namespace) -> None:
    """Uploads each user's documents and waits until all can be found by keyword search and by embeddings."""
    with tempfile.TemporaryDirectory() as folder:
        paths = islice(slices(given.data, given.pages, Path(folder)), given.documents)
        for place, path in zip(count(), paths, strict=False):
            await people[place % len(people)].add(path)
    for person in {each.name: each for each in people}.values():
        await person.waits_for_all()


async def measured(
    people: Sequence[Person], questions: Sequence[str], process_id: int, given: argparse.Namespace
) -> tuple[Asked, Asked, float]:
    """Returns the first user's time alone, the time of all users, and the processor seconds of a question while all
    ask."""
    alone, together = Asked(), Asked()
    for question in questions[:ALONE]:
        await people[0].ask(question, alone)
    server = psutil.Process(process_id)
    spent, ends = sum(server.cpu_times()[:2]), time.monotonic() + given.minutes * 60

    async def look() -> None:
        began = time.monotonic()
        while time.monotonic() < ends:
            together.held.append(((time.monotonic() - began) / 60, server.memory_info().rss / 1e6))
            await asyncio.sleep(LOOKS)

    asking = [
        person.keeps_asking(questions, random.Random(place), given.pause, ends, together)
        for place, person in enumerate(people)
    ]
    await asyncio.gather(look(), *asking)
    return alone, together, (sum(server.cpu_times()[:2]) - spent) / max(1, len(together.waits))


def slope(held: Sequence[tuple[float, float]]) -> float:
    """Returns the growth of memory in megabytes per hour, by least squares over the second half of the time."""
    later = held[len(held) // 2 :]
    if len(later) < 2:
        return 0.0
    mean_time = sum(at for at, _ in later) / len(later)
    mean_held = sum(size for _, size in later) / len(later)
    spread = sum((at - mean_time) ** 2 for at, _ in later)
    return 60 * sum((at - mean_time) * (size - mean_held) for at, size in later) / spread


def report_of(alone: Asked, together: Asked, seconds: float, given: argparse.Namespace) -> Report:
    report = Report(
        f"{given.people} users who ask {given.pause:g} s after their last answer, {given.documents} documents"
    )
    for share, goal in GOALS.items():
        wait, single = (float(np.percentile(each.waits, share)) for each in (together, alone))
        told = "reached" if wait <= goal else "NOT reached"
        report.add(Figure("whole answers, s", f"p{share} (at most {goal:g}: {told})", wait, single, "one user"))
    report.add(Figure("whole answers, s", "asked", len(together.waits)))
    report.add(Figure("whole answers, s", "failed", together.failed))
    report.add(Figure("the server", "processor seconds a question", seconds))
    report.add(
        Figure("the server", "megabytes at the end", together.held[-1][1], together.held[0][1], "at the beginning")
    )
    report.add(Figure("the server", "megabytes an hour, second half", slope(together.held)))
    return report


async def run(
    home: Path, given: argparse.Namespace, names: Sequence[str], process_id: int, *, is_filled: bool
) -> Report:
    holder = find_holder(home)
    assert holder, "no server uses the data directory"
    people = people_of(holder, names)
    if not is_filled:
        await fill(people, given)
    return report_of(*await measured(people, known_questions(given.data), process_id, given), given)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--libraries", type=int)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pause", type=float, default=30.0)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    libraries = given.libraries or given.people
    names = [f"person{number % libraries}" for number in range(given.people)]
    users = json.dumps(dict.fromkeys(names, "a-long-password-1"))
    rates = {f"PALIMPSEST_RATES__{name}": "100000" for name in ("SESSION", "USER", "ADDRESS")}
    with tempfile.TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        home = given.home or Path(folder)
        is_filled = (home / "truth.sqlite").exists()
        with serving(home, {"PALIMPSEST_USERS": users, **rates}) as (_, process_id):
            report = asyncio.run(run(home, given, names, process_id, is_filled=is_filled))
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
