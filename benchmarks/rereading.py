"""Measures the benefit of reading a document again for a question: questions saved and harmed, over real filings with
questions that other people wrote.

A question is *held* if an answering page is among the passages that the model gets to write an answer, that is, among
those that fit into the passages' share of the model's window. The closest documents are then read again for the
question, as the agent does if a model says that the passages do not suffice. *Saved*: held only after that. *Harmed*:
held only before. The comparison is a second search once the new passages are in the library (``search``), the former
method. The agent itself reads again only if the first search was not sure. A model that always says no (``eager``)
requests another reading whenever it is asked; one that knows the answers (``knowing``) requests it when the question is
not held.

    python -m benchmarks.rereading --data FOLDER [--words-only] [--home FOLDER] [--cache FILE] [--json FILE]

``--home`` is a data directory that already contains the files; it is copied. Without it, a data directory is created.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import core.library.rereading as second_readings
from benchmarks.filings import Page, Question, questions_of
from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import PATIENCE, PATIENT, open_workbench, upload
from core.events import Source
from core.graph.answering.sufficiency import contains_figures
from core.graph.nodes.assess import TOUCHED, coverage
from core.graph.nodes.reread import MOST_DOCUMENTS, with_passages
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.context import shown_passages
from core.search.documents.search import DocumentQuery, DocumentSearchResult
from core.settings import Settings
from core.workbench import Workbench

USER = "reader"
WINDOWS = (32_768, 4_096)
"""Sizes of context windows: the default, and that of a model which its server loaded with a small window."""


@dataclass
class Read:
    """A question's result, by window: whether the question is held ``before``, ``after``, and by a second ``search``.
    ``seconds`` of reading; ``reached``: whether a model would have been asked."""

    question: Question
    reached: bool
    seconds: float
    first: bool
    before: dict[int, bool] = field(default_factory=dict)
    after: dict[int, bool] = field(default_factory=dict)
    search: dict[int, bool] = field(default_factory=dict)


@asynccontextmanager
async def library(given: argparse.Namespace) -> AsyncIterator[tuple[Workbench, str]]:
    """Yields a workbench that contains all files, and their owner."""
    dense = not given.words_only
    second_readings.SECONDS = PATIENCE
    if given.home:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            home = Path(folder) / "home"
            await asyncio.to_thread(shutil.copytree, given.home, home)
            settings = Settings(_env_file=None, home=home, dense_enabled=dense, deadlines=PATIENT)  # type: ignore[call-arg]
            workbench = Workbench(settings)
            await workbench.start()
            try:
                owners = await workbench.truth.collection("documents").find({}, fields=["user_id"])
                yield workbench, str(owners[0]["user_id"])
            finally:
                await workbench.stop()
        return
    async with open_workbench(given.cache, dense=dense) as workbench:
        for path in sorted(given.data.glob("*.pdf")):
            copy = workbench.settings.folder / path.name
            await asyncio.to_thread(shutil.copy, path, copy)
            await upload(workbench, USER, copy)
        yield workbench, USER


async def find(workbench: Workbench, user: str, question: Question) -> DocumentSearchResult:
    query = DocumentQuery(user, question.text, "enhanced")
    return await workbench.retrieval.documents.find(query, Deadline(60))


def held(question: Question, sources: Sequence[Source], window: int, settings: Settings) -> bool:
    """Returns whether an answering page is among the passages from which the answer is written."""
    firm = firmly_accepted(sources)
    files = {passage.item_id: source.filename for source in firm for passage in source.passages}
    shown: set[Page] = {
        (files[each.item_id], each.page)
        for each in shown_passages(firm, settings.budget.retrieved * window // settings.budget.window)
        if each.page is not None
    }
    return bool(shown & question.pages)


def is_reached(question: Question, found: DocumentSearchResult) -> bool:
    """Returns whether the rules are so unsure that a model would be asked whether the results suffice."""
    if found.confidence in ("high", "none"):
        return False
    firm = firmly_accepted(found.sources)
    return coverage(question.text, firm) >= TOUCHED and not contains_figures(question.text, firm)


async def reread(workbench: Workbench, user: str, question: Question, known: set[str]) -> Read:
    found, settings = await find(workbench, user, question), workbench.settings
    documents = list(dict.fromkeys(each.document_id for each in found.sources))[:MOST_DOCUMENTS]
    read = Read(question, is_reached(question, found), 0.0, not set(documents) <= known)
    rereading = workbench._library.rereading
    sources = {window: list(found.sources) for window in WINDOWS}
    for window in WINDOWS:
        read.before[window] = held(question, found.sources, window, settings)
        room = settings.budget.retrieved * window // settings.budget.window
        shown = shown_passages(firmly_accepted(found.sources), room)
        began = time.monotonic()
        for document_id in documents:
            again = await rereading.reread(user, document_id, question.text, [each.text for each in shown])
            sources[window] = with_passages(sources[window], document_id, again.items, shown)
        read.seconds = max(read.seconds, time.monotonic() - began)
        read.after[window] = held(question, sources[window], window, settings)
    second = await find(workbench, user, question)
    read.search = {window: held(question, second.sources, window, settings) for window in WINDOWS}
    known |= set(documents)
    return read


def report_of(read: Sequence[Read]) -> Report:
    report = Report(f"{len(read)} questions, {sum(each.reached for each in read)} of which a model is asked about")
    for window in WINDOWS:
        part = f"window of {window:,}"
        held_before = sum(each.before[window] for each in read)
        report.add(Figure(part, "held before", held_before))
        for whose, those in (("eager", [each for each in read if each.reached]), ("all", list(read))):
            saved, harmed = _moved(those, window, "after")
            by_search, lost = _moved(those, window, "search")
            report.add(Figure(part, f"{whose}: saved", saved, by_search, "a second search"))
            report.add(Figure(part, f"{whose}: harmed", harmed, lost, "a second search"))
        knowing = [each for each in read if each.reached and not each.before[window]]
        report.add(Figure(part, f"knowing: saved, of {len(knowing)}", _moved(knowing, window, "after")[0]))
    for name, first in (("read for the first time", True), ("read before", False)):
        seconds = sorted(each.seconds for each in read if each.first is first)
        if seconds:
            report.notes.append(f"{name}: median {seconds[len(seconds) // 2]:.1f} s, slowest {seconds[-1]:.1f} s")
    return report


def _moved(read: Sequence[Read], window: int, how: str) -> tuple[int, int]:
    now = [(each.before[window], getattr(each, how)[window]) for each in read]
    return sum(not was and is_now for was, is_now in now), sum(was and not is_now for was, is_now in now)


async def measured(given: argparse.Namespace) -> list[Read]:
    known: set[str] = set()
    async with library(given) as (workbench, user):
        read = []
        for number, question in enumerate(questions_of(given.data)[: given.questions], start=1):
            each = await reread(workbench, user, question, known)
            read.append(each)
            print(
                f"{number}. reached {each.reached}, {each.seconds:.1f} s, "
                + "; ".join(f"{w}: {each.before[w]} -> {each.after[w]} (search {each.search[w]})" for w in WINDOWS),
                file=sys.stderr,
                flush=True,
            )
    return read


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--questions", type=int, help="only the first N")
    given = parser.parse_args()
    return report_of(asyncio.run(measured(given))).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
