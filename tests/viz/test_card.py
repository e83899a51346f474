"""Tests the card of a clarification question: its subject is shown in full, long texts are folded, external text is
escaped."""

from __future__ import annotations

from core.events import Answered, Choice, Detail, Interrupted
from core.records.interrupts import RUN, PlanStep
from viz.card import PREVIEW, Exchange, card, details_of, trail

LONG = "\n".join(["The first line of a long note, which goes on.", *(f"Line {n}" for n in range(40))])
ONCE = Choice(id="once", label="Yes, this time")


def asked(*details: Detail) -> Interrupted:
    question = "\n".join(["Use the note writer?", *(f"{each.name}: {each.text[:300]}" for each in details)])
    return Interrupted(interrupt_id="ask_1", kind="tool_choice", question=question, details=[*details], choices=[ONCE])


def test_what_is_short_stands_there_and_what_is_long_is_folded_and_whole() -> None:
    path, text = details_of(asked(Detail(name="path", text="a.txt"), Detail(name="content", text=LONG)))
    assert (path.preview, path.text) == ("", "a.txt")
    assert text.text == LONG
    assert text.preview.startswith("The first line of a long note, which goes on. Line 0")
    assert len(text.preview) == PREVIEW + 1


def test_a_question_with_details_says_each_once() -> None:
    drawn = str(card(asked(Detail(name="path", text="a.txt")), "run_1", "en"))
    assert drawn.count("a.txt") == 1
    assert "Use the note writer?" in drawn
    assert "<dt" in drawn
    assert "<details>" not in drawn
    folded = str(card(asked(Detail(name="content", text=LONG)), "run_1", "he"))
    assert "<details>" in folded
    assert f"{len(LONG):,} תווים" in folded


def test_a_question_without_details_keeps_its_lines() -> None:
    plain = Interrupted(interrupt_id="ask_1", kind="doc_choice", question="Which one?\nThere are two.", choices=[ONCE])
    drawn = str(card(plain, "run_1", "en"))
    assert "Which one?\nThere are two." in drawn
    assert "<dl" not in drawn


def test_details_are_text() -> None:
    drawn = str(card(asked(Detail(name="<b>", text="<script>alert(1)</script>")), "run_1", "en"))
    assert "<script>" not in drawn
    assert "<b>" not in drawn


def test_the_trail_tells_in_short_what_it_was_about() -> None:
    waited = asked(Detail(name="path", text="a.txt"), Detail(name="content", text=LONG))
    drawn = str(trail([Exchange(waited, Answered(interrupt_id="ask_1", labels=["Yes, this time"]))], "en"))
    assert drawn.count("a.txt") == 1
    assert "Line 30" not in drawn
    assert "Yes, this time" in drawn


STEPS = [PlanStep(id="1", text="The rent of 2023"), PlanStep(id="2", text="The rent of <2024>")]
PLAN = Interrupted(
    interrupt_id="ask_1", kind="plan", question="Start?", steps=STEPS, choices=[Choice(id=RUN, label="Run")]
)


def test_a_plan_is_a_list_of_steps_that_can_be_changed() -> None:
    drawn = str(card(PLAN, "run_1", "en"))
    assert drawn.count("<li data-step=") == drawn.count("<textarea") == 2
    assert '<span dir="auto">The rent of &lt;2024&gt;</span>' in drawn
    assert "data-change-plan" in drawn
    assert drawn.count("data-choice") == 1


def test_the_trail_has_the_steps_that_were_kept() -> None:
    changed = Answered(interrupt_id="ask_1", steps=[PlanStep(id="2", text="The rent of 2025")])
    drawn = str(trail([Exchange(PLAN, changed)], "en"))
    assert "The rent of 2025" in drawn
    assert "The rent of 2023" not in drawn
    assert "Cancelled" not in drawn
    assert "The rent of 2023" in str(trail([Exchange(PLAN, Answered(interrupt_id="ask_1", labels=["Run"]))], "en"))


def test_a_column_is_shown_with_its_sample_values() -> None:
    column = Choice(id="c1", label="Date of order", samples=["2024-01-05", "2024-02-11"])
    asked_column = Interrupted(interrupt_id="ask_1", kind="column_choice", question="Which date?", choices=[column])
    assert "2024-01-05 · 2024-02-11" in str(card(asked_column, "run_1", "en"))
