"""Tests how the benchmark of independent people's messages counts the messages that were understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import strangers
from benchmarks.strangers_utterances import Judged, Utterance, judged
from core.graph.understanding.intent.classifier import IntentClassifier
from core.prompts.templates import Prompts


def row(action: str, said: str, ambiguous: bool = False) -> Judged:
    return Judged(Utterance.model_validate({"text": "x", "action": action, "ambiguous": ambiguous}), said, 1.0)


def test_a_needless_question_is_wrong_but_not_sure() -> None:
    asked = row("audit", "ask")
    assert (asked.right, asked.wrong_and_sure) == (False, False)


def test_what_should_be_asked_is_right_only_when_it_is() -> None:
    assert row("summarize", "ask", ambiguous=True).right
    named = row("summarize", "summarize", ambiguous=True)
    assert (named.right, named.wrong_and_sure) == (False, True)


def test_the_action_without_asking_is_right() -> None:
    assert row("compare", "compare").right
    assert row("compare", "inquire").wrong_and_sure


def test_messages_are_read_as_the_workbench_reads_them() -> None:
    rows = [Utterance(text="Summarize the lease", action="summarize"), Utterance(text="the lease", action="summarize")]
    assert [each.said for each in judged(rows, IntentClassifier(Prompts(), lambda: 0.0))] == ["summarize", "ask"]


def test_a_folder_without_the_part_is_said_and_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert strangers.main(["--data", str(tmp_path), "--part", "utterances"]) == 0
    assert "does not exist" in capsys.readouterr().out
