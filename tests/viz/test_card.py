"""Tests the card of a clarification question: its subject is shown in full, long texts are folded, external text is
escaped."""

from __future__ import annotations

from core.events import Answered, Choice, Detail, Interrupted
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
