from __future__ import annotations

from core.events import RunCreated, StepCreated, StepDetail, StepStatus
from core.messages.step_labels import STEP_LABELS
from core.words import Words
from viz.trace import TraceView


def view(language: str = "en") -> TraceView:
    trace = TraceView()
    for event in (
        RunCreated(kind="question", subject="q", language=language),
        StepCreated(step_id="1", label=STEP_LABELS["searching"]),
        StepCreated(step_id="2", parent_id="1", label=STEP_LABELS["candidates"]),
        StepDetail(step_id="2", detail=Words(en="31 candidates", he="31 מועמדים"), done=31, total=31),
        StepStatus(step_id="2", status="done", milliseconds=1800),
        StepCreated(step_id="3", parent_id="1", label=STEP_LABELS["reranking"]),
        StepStatus(step_id="3", status="done", milliseconds=0.1, skipped=Words(en="no model", he="אין מודל")),
    ):
        trace.fold(event)
    return trace


def test_steps_nest_and_say_what_they_found() -> None:
    trace = view()
    assert [line.label for line in trace.roots] == ["Searching your documents"]
    assert [line.detail for line in trace.roots[0].children] == ["31 candidates", ""]
    html = trace.html()
    assert "1.8 s" in html
    assert "no model" in html


def test_the_live_line_is_the_running_step_in_the_questions_language() -> None:
    assert view("he").live_text() == "מחפש במסמכים שלך"


def test_a_step_nobody_opened_changes_nothing() -> None:
    trace = view()
    before = trace.html()
    trace.fold(StepStatus(step_id="unknown", status="done"))
    assert trace.html() == before
