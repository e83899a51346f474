"""Tests how often rules (without a model) understand analysts' messages. docs/benchmarks.md quotes this figure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

import pytest

from core.graph.records import Intent
from core.graph.understanding.intent.classifier import IntentClassifier

HELD_OUT_FLOOR = 0.93
BENCHMARKS = Path(__file__).parents[5] / "docs" / "benchmarks.md"
CLAIM = re.compile(r"(\d+) of (\d+) utterances.*?, (\d+) of (\d+) on the half", re.DOTALL)


def test_the_table_is_large_and_bilingual(utterances: Sequence) -> None:
    assert len(utterances) >= 140
    assert sum(bool(re.search("[א-ת]", each.text)) for each in utterances) >= 60
    assert len({each.text for each in utterances}) == len(utterances)


@pytest.mark.parametrize(
    ("what", "right"),
    [
        ("action", lambda row, intent: row.action_is_right(intent)),
        ("web", lambda row, intent: row.web_is_right(intent)),
        ("format", lambda row, intent: row.format_is_right(intent)),
    ],
)
async def test_rules_alone(
    what: str,
    right: Callable[[object, Intent], bool],
    utterances: Sequence,
    rules: IntentClassifier,
    record_property: Callable[[str, object], None],
) -> None:
    judged = [(right(each, (await rules.classify(each.asked)).intent), each.text) for each in utterances]
    held_out = judged[1::2]
    overall, unseen = mean(ok for ok, _ in judged), mean(ok for ok, _ in held_out)
    record_property(f"{what} accuracy", f"{overall:.3f}, held out {unseen:.3f}")
    missed = [text for ok, text in judged if not ok]
    assert unseen >= HELD_OUT_FLOOR, missed
    assert overall >= HELD_OUT_FLOOR, missed


@pytest.mark.parametrize("hebrew", [True, False])
async def test_neither_language_falls_behind(hebrew: bool, utterances: Sequence, rules: IntentClassifier) -> None:
    rows = [each for each in utterances if bool(re.search("[א-ת]", each.text)) is hebrew]
    assert mean([row.action_is_right((await rules.classify(row.asked)).intent) for row in rows]) >= HELD_OUT_FLOOR


async def test_the_benchmarks_state_the_measured_accuracy(utterances: Sequence, rules: IntentClassifier) -> None:
    right = [each.action_is_right((await rules.classify(each.asked)).intent) for each in utterances]
    held_out = right[1::2]
    claim = CLAIM.search(BENCHMARKS.read_text(encoding="utf-8"))
    assert claim, "docs/benchmarks.md does not state the accuracy of the rules"
    assert [int(number) for number in claim.groups()] == [sum(right), len(right), sum(held_out), len(held_out)]
