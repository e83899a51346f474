"""Checks claims that the rules were not tuned on: measures how reliable a mark on a sentence is, with passages and true
and false claims that other people wrote.

``support_SUFFIX.yaml`` contains passages, each with claims that it supports and others: exchanged figures, dropped
hedges, swapped verbs, wrong rounding. Each claim is checked as a sentence of an answer that cites the passage, without
a chat model. Then it is checked again with a simulated model that knows the truth and says the opposite once in five.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from benchmarks.strangers_audit import ONE_IN
from benchmarks.support import single
from core.models.structured import TextModel, Written
from core.prompts.templates import Prompts
from core.review.support import SupportCheck
from core.review.support import SupportedSentence as Mark
from core.words import Language

SUPPORTED_GOAL, RECALL_GOAL, UNSUPPORTED_GOAL = 0.95, 0.50, 0.03
_SENTENCE = re.compile(r"^SENTENCE \d+: (.*)$", re.MULTILINE)


class Claimed(BaseModel):
    claim: str
    supported: bool
    kind: str = ""


class Told(BaseModel):
    id: str
    language: Language
    text: str
    claims: list[Claimed]


class Passages(BaseModel):
    passages: list[Told]


@dataclass(frozen=True)
class Judged:
    """A checked claim. ``row`` is the passage's number, so that halves can be reported separately."""

    row: int
    passage: Told
    claim: Claimed
    mark: Mark | None

    @property
    def said(self) -> str:
        return self.mark.verdict if self.mark else "not_checked"


class MistakenModel:
    """A simulated model: says the truth about each sentence, but once in ``ONE_IN`` the opposite."""

    def __init__(self, claims: Sequence[Claimed], seed: int = 14) -> None:
        wrong = set(random.Random(seed).sample(range(len(claims)), len(claims) // ONE_IN))
        self._truth = {each.claim: each.supported != (place in wrong) for place, each in enumerate(claims)}

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        said = _SENTENCE.findall(str(messages[-1].text))
        rows = [
            f'{{"sentence": {place}, "verdict": "{"supported" if self._truth.get(each) else "contradicted"}"}}'
            for place, each in enumerate(said, 1)
        ]
        return Written(f'{{"sentences": [{", ".join(rows)}]}}')


def measure(folder: Path, suffix: str, report: Report) -> None:
    """Adds the figures of all passages, of each language and of each half."""
    passages = read(folder / f"support_{suffix}.yaml")
    found = asyncio.run(judged(passages))
    _say("support", found, report, goals=True)
    for language in sorted({each.passage.language for each in found}):
        _say(f"support, {language}", [each for each in found if each.passage.language == language], report)
    for half, name in enumerate(("1st, 3rd, 5th ... passage", "2nd, 4th, 6th ... passage")):
        _say(f"support, {name}", [each for each in found if each.row % 2 == half], report)
    _say_kinds(found, report)
    model = MistakenModel([claim for passage in passages for claim in passage.claims])
    _say("support, with a model that errs once in five", asyncio.run(judged(passages, model)), report)
    report.notes += [
        f"support, {each.passage.id}: {each.claim.kind} called {each.said}: {each.claim.claim}"
        for each in found
        if each.said == ("contradicted" if each.claim.supported else "supported")
    ]


def read(file: Path) -> list[Told]:
    return Passages.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))).passages


async def judged(passages: Sequence[Told], model: TextModel | None = None) -> list[Judged]:
    check = SupportCheck(Prompts(), model)
    found = []
    for row, passage in enumerate(passages):
        source = single(passage.text)
        for claim in passage.claims:
            marks = (await check.check(f"{claim.claim} [1]", [source])).sentences
            found.append(Judged(row, passage, claim, marks[0] if marks else None))
    return found


def _say(group: str, found: Sequence[Judged], report: Report, goals: bool = False) -> None:
    called = [each.claim.supported for each in found if each.said == "supported"]
    true = [each for each in found if each.claim.supported]
    false = [each for each in found if not each.claim.supported]
    denied = sum(each.said == "contradicted" for each in true) / max(1, len(true))
    caught = sum(each.said == "contradicted" for each in false) / max(1, len(false))
    recall = sum(each.said == "supported" for each in true) / max(1, len(true))
    base = len(true) / max(1, len(found))

    def add(name: str, value: float, goal: float, baseline: float | None = None) -> None:
        against = "all supported" if baseline is not None else ""
        report.add(Figure(group, name, value, baseline, against, goal=goal if goals else None))

    add(f"called supported ({len(called)}): true", sum(called) / max(1, len(called)), SUPPORTED_GOAL, base)
    add(f"of {len(true)} true: called supported", recall, RECALL_GOAL)
    add("true and not called unsupported", 1 - denied, 1 - UNSUPPORTED_GOAL)
    report.add(Figure(group, f"of {len(false)} false: called unsupported", caught))


def _say_kinds(found: Sequence[Judged], report: Report) -> None:
    for kind in sorted({each.claim.kind for each in found}):
        chosen = [each for each in found if each.claim.kind == kind]
        held = sum((each.said == "supported") == each.claim.supported for each in chosen) / len(chosen)
        report.add(Figure("support, by kind", f"{kind} ({len(chosen)})", held))
