"""Checks messages that the rules were not tuned on: measures whether the user's request is understood, or the user is
asked.

``utterances_SUFFIX.yaml`` is a list of messages, each with the ``action`` it asks for, or ``ambiguous`` if the user
should be asked. A result is right if it is the labelled action without asking, or asking if that is the label. A
needless question is wrong, but not "wrong and sure". Each message is read separately, without a chat model, as the
workbench would read it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from core.events import Action
from core.graph.records import IntentRequest
from core.graph.understanding.intent.classifier import IntentClassifier
from core.graph.understanding.intent.probabilities import Estimator
from core.models.build import build_embeddings
from core.models.embeddings import Embeddings
from core.prompts.templates import Prompts
from core.settings import Settings

ALL_GOAL, ORDERS_GOAL, PLAIN_GOAL, SURE_GOAL = 0.75, 0.70, 0.92, 0.10
PLAIN = Path(__file__).with_name("utterances_plain.yaml")
MILLISECONDS = 40.0


class Utterance(BaseModel):
    text: str
    action: Action
    ambiguous: bool = False
    lang: str = ""


@dataclass(frozen=True)
class Judged:
    """A message and its result. ``said``: the action that was understood, or "ask"."""

    utterance: Utterance
    said: str
    milliseconds: float

    @property
    def wanted(self) -> str:
        return "ask" if self.utterance.ambiguous else self.utterance.action

    @property
    def right(self) -> bool:
        return self.said == self.wanted

    @property
    def wrong_and_sure(self) -> bool:
        return not self.right and self.said != "ask"


def measure(folder: Path, suffix: str, report: Report) -> None:
    """Adds the figures of other people's messages, and those of this project's plain messages."""
    rules = IntentClassifier(Prompts(), _now)
    joined = IntentClassifier(Prompts(), _now, estimator=estimator())
    rows = utterances(folder / f"utterances_{suffix}.yaml")
    _say("utterances", rows, rules, joined, ALL_GOAL, report)
    _say("plain utterances of ours", utterances(PLAIN), rules, joined, PLAIN_GOAL, report)


def estimator() -> Estimator:
    """Returns an estimator with the packaged model, after the model had time to start."""
    return Estimator(embeddings(), seconds=60)


def embeddings() -> Embeddings:
    """Returns the packaged embeddings."""
    return build_embeddings(Settings(_env_file=None))  # type: ignore[call-arg]


def utterances(file: Path) -> list[Utterance]:
    return [Utterance.model_validate(row) for row in yaml.safe_load(file.read_text(encoding="utf-8"))]


def judged(rows: Sequence[Utterance], classifier: IntentClassifier) -> list[Judged]:
    return asyncio.run(_judged(rows, classifier))


async def _judged(rows: Sequence[Utterance], classifier: IntentClassifier) -> list[Judged]:
    await classifier.classify(IntentRequest(text="ready?"))
    found = []
    for row in rows:
        began = time.perf_counter()
        intent = (await classifier.classify(IntentRequest(text=row.text))).intent
        spent = 1000 * (time.perf_counter() - began)
        found.append(Judged(row, "ask" if intent.asks else intent.action, spent))
    return found


def _say(
    group: str,
    rows: Sequence[Utterance],
    rules: IntentClassifier,
    joined: IntentClassifier,
    goal: float,
    report: Report,
) -> None:
    alone, found = judged(rows, rules), judged(rows, joined)
    ordered = {"summarize", "compare", "audit", "memory"}
    kinds: dict[str, Callable[[Judged], bool]] = {"right": lambda _: True}
    kinds["right, orders"] = lambda each: each.utterance.action in ordered
    for action in ("inquire", *sorted(ordered)):
        kinds[f"right, {action}"] = lambda each, action=action: each.wanted == action
    kinds["right, to be asked"] = lambda each: each.utterance.ambiguous
    for language in sorted({row.lang for row in rows}):
        kinds[f"right, {language}"] = lambda each, language=language: each.utterance.lang == language
    goals = {"right": goal, "right, orders": ORDERS_GOAL}
    for name, belongs in kinds.items():
        if any(belongs(each) for each in found):
            value, before = _share(found, belongs), _share(alone, belongs)
            report.add(Figure(group, name, value, before, "rules only", goal=goals.get(name)))
    sure, before = (sum(each.wrong_and_sure for each in some) / len(some) for some in (found, alone))
    # Higher is better: this is the share that is not wrong and sure.
    report.add(Figure(group, "not wrong and sure", 1 - sure, 1 - before, "rules only", goal=1 - SURE_GOAL))
    slow = sorted(each.milliseconds for each in found)[int(0.95 * len(found))]
    report.add(Figure(group, "ms to understand, p95", slow, MILLISECONDS, "at most"))
    report.notes += [
        f"{group}, wrong and sure: {each.wanted} taken for {each.said}: {each.utterance.text}"
        for each in found
        if each.wrong_and_sure
    ]


def _share(found: Sequence[Judged], belongs: Callable[[Judged], bool]) -> float:
    chosen = [each.right for each in found if belongs(each)]
    return sum(chosen) / len(chosen)


def _now() -> float:
    return datetime(2026, 6, 1, tzinfo=UTC).timestamp()
