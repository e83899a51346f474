"""Audits statements that the rules were not tuned on: measures how reliable a verdict is for statements and documents
that other people wrote.

``audit_SUFFIX.yaml`` contains documents, each with statements that it supports (*complies*), contradicts (*conflicts*)
or does not mention (*not_covered*). Each statement is audited separately, as a user would type it, with the packaged
embeddings and without a chat model. Then it is audited again with a simulated model that gets the label and answers
wrongly once in five.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from benchmarks.strangers_utterances import embeddings
from benchmarks.summaries import as_source
from core.models.embeddings import Embeddings
from core.models.structured import TextModel, Written
from core.prompts.templates import Prompts
from core.review.actions.audit import Auditor, ClauseFinding
from core.words import Language

DECIDED_GOAL, FALSE_GOAL, FOUND_GOAL, ABSENT_GOAL = 0.92, 0.02, 0.50, 0.80
ONE_IN = 5
Label = Literal["complies", "conflicts", "not_covered"]
_CLAUSE = re.compile(r"BEGIN CLAUSE\n(.*?)\nEND CLAUSE", re.DOTALL)


class Item(BaseModel):
    """A statement with its label. ``words``: whether it uses the document's words (near) or other words (far)."""

    statement: str
    label: Label
    kind: str = ""
    words: str = ""


class Document(BaseModel):
    id: str
    language: Language
    text: str
    items: list[Item]


class Documents(BaseModel):
    documents: list[Document]


@dataclass(frozen=True)
class Judged:
    """A statement's verdict. ``row`` is the document's number, so that halves can be reported separately."""

    row: int
    document: Document
    item: Item
    finding: ClauseFinding

    @property
    def said(self) -> str:
        return self.finding.verdict

    @property
    def right(self) -> bool:
        return self.said == self.item.label

    @property
    def decided(self) -> bool:
        return self.said in ("complies", "conflicts")

    @property
    def falsely_complies(self) -> bool:
        return self.said == "complies" and not self.right


class MistakenModel:
    """A simulated model. It answers with the label of each clause, but once in ``ONE_IN`` with a wrong one: *complies*
    whenever that is wrong."""

    def __init__(self, items: Sequence[Item], seed: int = 14) -> None:
        dice = random.Random(seed)
        wrong = set(dice.sample(range(len(items)), len(items) // ONE_IN))
        self._answers = {each.statement: self._answer(each, place in wrong) for place, each in enumerate(items)}
        self.wrong = {each.statement for place, each in enumerate(items) if place in wrong}

    def _answer(self, item: Item, wrong: bool) -> str:
        if not wrong:
            return item.label
        return "conflicts" if item.label == "complies" else "complies"

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        clauses = _CLAUSE.findall(str(messages[-1].text))
        rows = [
            f'{{"clause": {place}, "verdict": "{self._answers.get(clause, "not_covered")}", "passage": 1, '
            '"severity": null, "reason": ""}'
            for place, clause in enumerate(clauses, 1)
        ]
        return Written(f'{{"clauses": [{", ".join(rows)}]}}')


def measure(folder: Path, suffix: str, report: Report) -> None:
    """Adds the figures of all documents, of each language and of each half."""
    documents = read(folder / f"audit_{suffix}.yaml")
    vectors = embeddings()
    found = asyncio.run(judged(documents, vectors))
    say("audit", found, report, goals=True)
    for language in sorted({each.document.language for each in found}):
        say(f"audit, {language}", [each for each in found if each.document.language == language], report)
    for half, name in enumerate(("1st, 3rd, 5th ... document", "2nd, 4th, 6th ... document")):
        say(f"audit, {name}", [each for each in found if each.row % 2 == half], report)
    model = MistakenModel([item for document in documents for item in document.items])
    helped = asyncio.run(judged(documents, vectors, model))
    _say_helped(helped, model, report)
    report.notes += [
        f"audit, {each.document.id}: {each.item.label} called {each.said}: {each.item.statement}"
        for each in found
        if each.said != "not_decided" and not each.right
    ]


def read(file: Path) -> list[Document]:
    return Documents.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))).documents


async def judged(
    documents: Sequence[Document], vectors: Embeddings | None, model: TextModel | None = None
) -> list[Judged]:
    auditor = Auditor(Prompts(), model, embeddings=vectors)
    found = []
    for row, document in enumerate(documents):
        source = as_source(document.text, title=document.id)
        for item in document.items:
            findings = (await auditor.audit(item.statement, [source], document.language)).findings
            found.append(Judged(row, document, item, strictest(findings)))
    return found


def strictest(findings: Sequence[ClauseFinding]) -> ClauseFinding:
    """Returns one verdict for a statement that was split into several clauses: one *conflicts* decides, and *complies*
    requires all clauses."""
    order = ("conflicts", "not_decided", "not_covered", "complies")
    return min(findings, key=lambda each: order.index(each.verdict))


def say(group: str, found: Sequence[Judged], report: Report, goals: bool = False) -> None:
    often = max(sum(each.item.label == label for each in found) for label in ("complies", "conflicts", "not_covered"))
    decided = [each.right for each in found if each.decided]
    absent = [each.right for each in found if each.said == "not_covered"]
    wanted = [each for each in found if each.item.label != "not_covered"]
    false = sum(each.falsely_complies for each in found) / len(found)

    def add(name: str, value: float, goal: float) -> None:
        report.add(Figure(group, name, value, goal=goal if goals else None))

    add(f"called complies or conflicts ({len(decided)}): right", _share(decided), DECIDED_GOAL)
    add("not wrongly called complies, of all", 1 - false, 1 - FALSE_GOAL)
    add(f"of {len(wanted)} that comply or conflict: found", _share([each.right for each in wanted]), FOUND_GOAL)
    add(f"called not covered ({len(absent)}): right", _share(absent), ABSENT_GOAL)
    if goals:
        _say_kinds(group, found, report)
    exact = sum(each.right for each in found) / len(found)
    report.add(Figure(group, "right, not decided counted wrong", exact, often / len(found), "one verdict always"))


def _say_kinds(group: str, found: Sequence[Judged], report: Report) -> None:
    kinds: dict[str, Callable[[Judged], bool]] = {}
    for label in ("complies", "conflicts", "not_covered"):
        for words in ("near", "far"):
            kinds[f"{label}, {words}: found"] = lambda each, label=label, words=words: (
                each.item.label == label and each.item.words == words
            )
    for name, belongs in kinds.items():
        chosen = [each.right for each in found if belongs(each)]
        if chosen:
            report.add(Figure(group, name, _share(chosen)))


def _say_helped(found: Sequence[Judged], model: MistakenModel, report: Report) -> None:
    """Adds the figures with a model that errs: the check of numbers must reject its wrong *complies*."""
    group = "audit, with a model that errs once in five"
    decided = [each.right for each in found if each.decided]
    numbers = [each for each in found if each.item.kind == "numbers" and each.item.statement in model.wrong]
    false = sum(each.falsely_complies for each in found) / len(found)
    past = sum(each.falsely_complies for each in numbers)
    told = sum(each.item.label != "complies" for each in numbers)
    report.add(Figure(group, f"called complies or conflicts ({len(decided)}): right", _share(decided)))
    report.add(Figure(group, "not wrongly called complies, of all", 1 - false, goal=1 - FALSE_GOAL))
    report.add(Figure(group, f"false complies kept out by numbers ({told})", 1 - past / max(1, told), goal=1.0))
    wanted = [each.right for each in found if each.item.label != "not_covered"]
    report.add(Figure(group, "found", _share(wanted)))


def _share(chosen: Sequence[bool]) -> float:
    return sum(chosen) / len(chosen) if chosen else 1.0
