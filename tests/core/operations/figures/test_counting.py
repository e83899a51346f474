"""Tests that a run's events are turned into durations and counts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.errors import problem_of
from core.events import (
    Answered,
    AssistantDelta,
    Event,
    Failure,
    Interrupted,
    Passage,
    Response,
    RunCompleted,
    RunCreated,
    Source,
    Sources,
    StepStatus,
)
from core.operations.figures.counting import RunCounting
from core.operations.figures.figures import Figures
from core.records.spent import Spent
from core.runs.records import Run
from core.words import Words


class Said:
    """Records a run's events: ``said(1.5, event)`` means that ada's run wrote ``event`` 1.5 s after it began."""

    def __init__(self, kind: str = "question") -> None:
        self.counting = RunCounting()
        self.run = Run(id="run_1", user_id="ada", kind=kind, subject="?", created_at=100.0)  # type: ignore[arg-type]

    def __call__(self, at: float, *events: Event) -> None:
        self.counting.heard(self.run, events, 100.0 + at)

    @property
    def figures(self) -> Figures:
        return self.counting.taken()["ada"]


def began() -> RunCreated:
    return RunCreated(kind="question", subject="?", language="he")


def responded(*, instead: bool = False) -> Response:
    return Response(kind="extractive", text="so", language="en", instead=instead)


def test_a_question_is_timed_to_its_first_event_its_first_words_and_its_end() -> None:
    said = Said()
    said(0.0, began())
    said(0.25, StepStatus(step_id="a1-s1-understanding", status="done", milliseconds=40.0))
    said(1.75, AssistantDelta(text="It "), AssistantDelta(text="is so."))
    said(2.5, responded(instead=True), Spent(calls=2, tokens_in=30, tokens_out=7, cost=0.5))
    said(2.9, RunCompleted(outcome="answered"))
    figures = said.figures
    totals = {name: each.total for name, each in figures.times_of("answer").items()}
    assert totals == pytest.approx({"first_event": 0.25, "first_token": 1.75, "whole": 2.9})
    assert figures.time_of("stage:understanding").total == pytest.approx(0.04)
    assert figures.of("model") == {"calls": 2, "tokens_in": 30, "tokens_out": 7, "cost": 0.5}
    assert figures.of("language") == {"he": 1}
    assert figures.of("answers") == {"extractive": 1}
    assert figures.of("fallbacks") == {"model": 1}
    assert figures.of("outcomes") == {"answered": 1}


def test_what_its_person_thought_is_no_time_of_the_answer() -> None:
    said = Said()
    said(0.0, began())
    said(1.0, Interrupted(interrupt_id="i", kind="text_input", question="Which?"))
    said(600.0, Answered(interrupt_id="i", text="that one"))
    said(602.0, AssistantDelta(text="So."))
    said(603.0, RunCompleted(outcome="answered"))
    times = said.figures.times_of("answer")
    assert {name: each.total for name, each in times.items()} == pytest.approx(
        {"first_event": 1.0, "first_token": 3.0, "whole": 4.0}
    )


def test_only_an_answer_counts_as_one() -> None:
    said = Said()
    said(0.0, began())
    said(9.0, Failure(problem=problem_of("timeout", "runs.ledger.unknown_run")), RunCompleted(outcome="failed"))
    figures = said.figures
    assert "whole" not in figures.times_of("answer")
    assert figures.of("errors") == {"timeout": 1}
    assert figures.of("outcomes") == {"failed": 1}


def test_a_stage_that_did_not_happen_has_no_time() -> None:
    said = Said()
    said(0.0, StepStatus(step_id="s1-reranking", status="done", milliseconds=1.0, skipped=Words.alike("none")))
    said(0.0, StepStatus(step_id="s2-searching", status="running"))
    assert not said.figures.times


def test_reading_a_document_is_no_answer() -> None:
    said = Said("ingestion")
    said(0.0, StepStatus(step_id="r1-s1-extracting", status="done", milliseconds=1_500.0))
    said(4.0, RunCompleted(outcome="completed"))
    figures = said.figures
    assert figures.times_of("answer") == {}
    assert figures.time_of("stage:extracting").total == pytest.approx(1.5)
    assert figures.of("readings") == {"completed": 1}


def test_a_failed_upload_is_no_failed_answer() -> None:
    said = Said("ingestion")
    said(4.0, Failure(problem=problem_of("validation", "runs.ledger.unknown_run")), RunCompleted(outcome="failed"))
    figures = said.figures
    assert figures.of("outcomes") == {}
    assert figures.of("readings") == {"failed": 1}


def test_passages_of_documents_are_hits_of_their_tier() -> None:
    said, passages = Said(), [Passage(item_id=str(number), text="t") for number in range(3)]
    sources: Sequence[Source] = [
        Source(number=1, document_id="d", title="d", filename="d", score=1.0, passages=passages),
        Source(kind="web", number=2, document_id="w", title="w", filename="w", score=1.0, passages=passages),
    ]
    said(0.0, Sources(sources=list(sources), confidence="high"))
    assert said.figures.of("tier_hits") == {"books": 3}


def test_what_was_taken_is_not_counted_again() -> None:
    said = Said()
    said(0.0, RunCompleted(outcome="answered"))
    assert said.figures.of("outcomes") == {"answered": 1}
    assert said.counting.taken() == {}
