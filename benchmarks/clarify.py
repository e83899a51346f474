"""Measures whether the agent asks which document is meant when it should: ``python -m benchmarks.clarify [--words]
[--json F]``.

Each library has documents of one kind (the same policy, report or lease of 24 companies, English and Hebrew) and a few
other documents. Each question exists twice: without and with the name of a company. The agent should ask the user in
the first case and answer in the second. The documents are searched as the pages search them.
``core.graph.understanding.documents.ambiguity`` decides, without any model. The baseline decides by scores only: it
asks when the second document scores nearly as high as the first, with the threshold that is best for the kinds used for
tuning.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.lookalikes import Half, MadeLibrary, Question, libraries
from benchmarks.report import Figure, Report
from benchmarks.shelf import PATIENCE, Shelf, open_shelf
from benchmarks.temporary_workbench import upload
from core.events import Source
from core.graph.understanding.documents.ambiguity import CLOSE, AmbiguityDecision, which_document
from core.graph.understanding.documents.records import VisibleDocument
from core.library.extracted import Block
from core.library.records import Document
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.setting_groups import Chunking
from core.words import Language

FLOOR = 0.8
GOAL = 0.9
STEPS = [place / 50 for place in range(10, 51)]
"""Thresholds of the baseline that are tried."""


@dataclass(frozen=True)
class Asked:
    """A question, its search results, and the agent's decision."""

    half: Half
    question: Question
    sources: list[Source]
    decision: AmbiguityDecision
    wanted: str | None
    documents: Sequence[VisibleDocument]

    @property
    def spread(self) -> float:
        """Returns the second document's score divided by the first document's."""
        scores = sorted((each.score for each in self.sources), reverse=True)
        return scores[1] / scores[0] if len(scores) > 1 and scores[0] > 0 else 0.0


async def put(shelf: Shelf, library: MadeLibrary) -> list[Document]:
    """Uploads a library for one user; returns its documents in their order."""
    documents = []
    for made in library.documents:
        path = shelf.settings.folder / made.filename
        path.write_text("\n\n".join(_marked(each) for each in made.extracted.blocks), encoding="utf-8")
        uploaded = await upload(shelf.workbench, library.name, path)
        documents.append(await shelf.workbench.library.get(library.name, uploaded))
    await shelf.list_documents(library.name)
    return documents


def _marked(block: Block) -> str:
    """Returns the document as Markdown."""
    return f"{'#' * (block.level or 1)} {block.text}" if block.kind == "heading" else block.text


async def ask(shelf: Shelf, library: MadeLibrary, documents: Sequence[Document]) -> list[Asked]:
    """Searches and decides for every question of a library."""
    search = shelf.search()
    listed = [VisibleDocument.of(each) for each in documents]
    asked = []
    for question in library.questions:
        query = DocumentQuery(user_id=library.name, text=question.text, mode="enhanced")
        found = await search.find(query, Deadline(PATIENCE))
        decision = which_document(question.text, listed, found.sources)
        wanted = documents[question.document].id if question.document is not None else None
        asked.append(Asked(library.half, question, found.sources, decision, wanted, listed))
    return asked


def balanced(rows: Sequence[Asked], asks: Callable[[Asked], bool]) -> float:
    """Returns the mean of two rates: asked when it should, continued when it should."""
    should = [asks(each) for each in rows if each.question.expected == "ask"]
    should_not = [not asks(each) for each in rows if each.question.expected == "go on"]
    return mean([mean(should), mean(should_not)])


def threshold(rows: Sequence[Asked]) -> float:
    """Returns the spread at which asking back fits ``rows`` best."""
    return max(STEPS, key=lambda step: balanced(rows, lambda each: each.spread >= step))


async def run(cache: Path | None, *, meaning: bool) -> list[Asked]:
    async with open_shelf(cache, dense=meaning, chunking=Chunking()) as shelf:
        asked = []
        for library in libraries():
            asked += await ask(shelf, library, await put(shelf, library))
        return asked


def report_on(asked: Sequence[Asked], title: str) -> Report:
    report = Report(title)
    pairs = [each for each in asked if each.question.sort in ("with", "without")]
    step = threshold([each for each in pairs if each.half == "tune"])
    groups: list[tuple[str, Callable[[Asked], bool]]] = [
        ("all kinds", lambda each: True),
        ("kinds that the rules were tuned on", lambda each: each.half == "tune"),
        ("kinds held out", lambda each: each.half == "held out"),
        ("English", lambda each: each.question.language == "en"),
        ("Hebrew", lambda each: each.question.language == "he"),
    ]
    for name, inside in groups:
        rows = [each for each in pairs if inside(each)]
        value = balanced(rows, lambda each: each.decision.ask)
        baseline = balanced(rows, lambda each: each.spread >= step)
        report.add(
            Figure(
                name, f"balanced accuracy, {len(rows) // 2} pairs", value, baseline, "spread of sources", FLOOR, GOAL
            )
        )
        without = [each for each in rows if each.question.sort == "without"]
        named = [each for each in rows if each.question.sort == "with"]
        report.add(
            Figure(name, "asked, no company named", mean(each.decision.ask for each in without),
                   mean(each.spread >= step for each in without), "spread of sources")
        )  # fmt: skip
        report.add(
            Figure(name, "continued, company named", mean(not each.decision.ask for each in named),
                   mean(each.spread < step for each in named), "spread of sources")
        )  # fmt: skip
    _beside(report, asked, step)
    report.notes.append(
        f"The baseline asks when the second document reaches {step:.2f} of the first's score; the decision counts a "
        f"document as close from {CLOSE:.2f}."
    )
    return report


def _beside(report: Report, asked: Sequence[Asked], step: float) -> None:
    """Adds two figures that the pairs do not measure: whether a named company is found, and whether the user is never
    asked needlessly."""
    named = [each for each in asked if each.question.sort == "with" and not each.decision.ask]
    first = [bool(each.sources) and each.sources[0].document_id == each.wanted for each in named]
    alone = [
        each.decision.focus == (each.wanted,) if each.decision.focus else leads
        for each, leads in zip(named, first, strict=True)
    ]
    report.add(Figure("beside", "continued with the right document", mean(alone), mean(first), "first source"))
    for sort, name in (("all", "continued, all documents wanted"), ("varied", "continued, library of many kinds")):
        rows = [each for each in asked if each.question.sort == sort]
        value = mean(not each.decision.ask for each in rows)
        against = mean(each.spread < step for each in rows)
        report.add(Figure("beside", f"{name} ({len(rows)})", value, against, "spread of sources", FLOOR))


def show(asked: Sequence[Asked], language: Language | None, half: str) -> None:
    """Prints the wrong decisions."""
    for each in asked:
        question = each.question
        wrong = each.decision.ask != (question.expected == "ask")
        if wrong and language in (None, question.language) and half in ("", each.half):
            titles = {document.id: document.title for document in each.documents}
            about = ", ".join(f"{titles.get(one.document_id)} {one.score:.2f}" for one in each.sources[:3])
            focus = [titles[one] for one in each.decision.focus]
            print(f"{question.sort} {each.decision.why} {focus}: {question.text} | {len(each.sources)}: {about}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", action="store_true", help="keyword search only, without embeddings")
    parser.add_argument("--cache", type=Path, help="keep embeddings in this file between runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--show", choices=["tune", "held out", "both"], help="print wrong decisions")
    options = parser.parse_args()
    asked = asyncio.run(run(options.cache, meaning=not options.words))
    if options.show:
        show(asked, None, "" if options.show == "both" else options.show)
    how = "keywords only" if options.words else "keywords and embeddings"
    return report_on(asked, f"Asking back without a model, search by {how}").finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
