"""Measures the marks on sentences of a model's answers, by rules only.

    python -m benchmarks.model_answers --data FOLDER [--json FILE] [--show]

``FOLDER`` holds ``answers.jsonl`` (answers of a large model with the sources it was given; every sentence of a "right"
one was checked) and ``twins.jsonl`` (sentences of these answers made false by one change). A true sentence must not be
marked as contradicted, a twin must not be marked as supported.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from benchmarks.report import Figure, Report
from core.events import Passage, Source
from core.prompts.templates import Prompts
from core.review.support import SupportCheck, SupportedSentence

RED_GOAL, SUPPORTED_GOAL = 0.03, 0.75
TWIN_SUPPORTED_GOAL, TWIN_RED_GOAL = 0.02, 0.60
SHOWN = ("number", "year")
"""Kinds of twins that rules can contradict with a cell or a sentence."""


class GivenPassage(BaseModel):
    text: str
    page: int | None = None
    section: str | None = None


class GivenSource(BaseModel):
    number: int
    title: str
    filename: str = ""
    passages: list[GivenPassage]

    def source(self) -> Source:
        passages = [
            Passage(item_id=f"itm_{self.number}_{place}", text=given.text, page=given.page, section=given.section)
            for place, given in enumerate(self.passages)
        ]
        return Source(
            number=self.number, document_id=f"doc_{self.number}", title=self.title, filename=self.filename, score=1.0,
            passages=passages,
        )  # fmt: skip


class GivenAnswer(BaseModel):
    id: str
    question: str
    answer: str
    right: bool
    sources: list[GivenSource]


class Twin(BaseModel):
    """A sentence ``answer[start:end]`` that one change made false."""

    id: str
    answer: str
    kind: str
    start: int
    end: int
    twin: str


def rows(path: Path) -> Iterator[str]:
    return (line for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


async def marks_of(answer: str, given: GivenAnswer) -> list[SupportedSentence]:
    return (
        await SupportCheck(Prompts()).check(answer, [source.source() for source in given.sources], given.question)
    ).sentences


async def true_marks(answers: list[GivenAnswer]) -> dict[str, list[SupportedSentence]]:
    return {given.id: await marks_of(given.answer, given) for given in answers}


async def twin_marks(twins: list[Twin], answers: dict[str, GivenAnswer]) -> list[tuple[Twin, str]]:
    """Returns each twin with the verdict of its sentence in the answer; "no claim" when it has no mark."""
    found = []
    for twin in twins:
        given = answers[twin.answer]
        text = given.answer[: twin.start] + twin.twin + given.answer[twin.end :]
        end = twin.start + len(twin.twin)
        marks = await marks_of(text, given)
        own = [mark for mark in marks if mark.start < end and mark.end > twin.start]
        verdicts = {mark.verdict for mark in own}
        worst = next((verdict for verdict in ("contradicted", "not_checked", "supported") if verdict in verdicts), "")
        found.append((twin, worst or "no claim"))
    return found


def measure(folder: Path, *, show: bool = False) -> Report:
    report = Report("Marks on the sentences of a model's answers, by rules only")
    answers = [given for given in map(GivenAnswer.model_validate_json, rows(folder / "answers.jsonl")) if given.right]
    marked = asyncio.run(true_marks(answers))
    every = [mark for marks in marked.values() for mark in marks]
    red = [mark for mark in every if mark.verdict == "contradicted"]
    held = [mark for mark in every if mark.verdict == "supported"]
    first = [marks[0].verdict == "supported" for marks in marked.values() if marks]
    count = max(1, len(every))
    group = f"{len(answers)} right answers"
    report.add(Figure(group, f"red, of {len(every)} true sentences", len(red) / count, most=RED_GOAL))
    report.add(Figure(group, "supported, of true sentences", len(held) / count, floor=SUPPORTED_GOAL))
    report.add(Figure(group, "first sentence supported", sum(first) / max(1, len(first))))
    twins = [Twin.model_validate_json(line) for line in rows(folder / "twins.jsonl")]
    found = asyncio.run(twin_marks(twins, {given.id: given for given in answers}))
    add_twins(report, found)
    if show:
        for name, marks in marked.items():
            for mark in marks:
                if mark.verdict != "supported":
                    print(f"{name} {mark.verdict} ({mark.reason}): {mark.text}\n      << {mark.evidence[:160]}")
        for twin, verdict in found:
            if verdict == "supported" or (twin.kind in SHOWN and verdict != "contradicted"):
                print(f"twin {twin.id} {twin.kind}: {verdict}: {twin.twin}")
    return report


def add_twins(report: Report, found: list[tuple[Twin, str]]) -> None:
    group = f"{len(found)} false twins"
    believed = sum(verdict == "supported" for _, verdict in found) / max(1, len(found))
    report.add(Figure(group, "called supported", believed, most=TWIN_SUPPORTED_GOAL))
    chosen = [verdict == "contradicted" for twin, verdict in found if twin.kind in SHOWN]
    report.add(Figure(group, "numbers and years contradicted", sum(chosen) / max(1, len(chosen)), floor=TWIN_RED_GOAL))
    for kind in sorted({twin.kind for twin, _ in found}):
        verdicts = [verdict for twin, verdict in found if twin.kind == kind]
        report.add(
            Figure(group, f"{kind} ({len(verdicts)}): contradicted", verdicts.count("contradicted") / len(verdicts))
        )
        report.add(Figure(group, f"{kind}: supported", verdicts.count("supported") / len(verdicts)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with answers.jsonl and twins.jsonl")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--show", action="store_true", help="print the sentences that were not marked as hoped")
    options = parser.parse_args()
    raise SystemExit(measure(options.data, show=options.show).finish(options.json))


if __name__ == "__main__":
    main()
