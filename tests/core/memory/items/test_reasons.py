from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.memory.items.reasons import MOST_WORDS, REASONS, FailureReason
from core.memory.items.records import OutcomeEvent, OutcomeExample
from core.memory.outcomes.explanation import score_changes

QUESTION = "How much is the mileage?"


@pytest.mark.parametrize(
    ("why", "en"),
    [
        (FailureReason(), ""),
        (FailureReason(reason="outdated"), "outdated"),
        (FailureReason(words=" two\nlines "), "two lines"),
        (FailureReason(reason="wrong_figure", words="it is 40"), "wrong figure: it is 40"),
    ],
)
def test_a_reason_is_told_in_one_line(why: FailureReason, en: str) -> None:
    assert why.to("en") == en
    assert bool(why.to("he")) == bool(en)


def test_every_reason_has_both_languages_and_words_are_bounded() -> None:
    assert all(each.en and each.he for each in REASONS.values())
    with pytest.raises(ValidationError):
        FailureReason(words="x" * (MOST_WORDS + 1))


def test_records_from_before_reasons_were_kept_still_load() -> None:
    row = {"_id": "out_1", "user_id": "ada", "answer_id": "msg_1", "outcome": "failed", "authority": "person"}
    assert OutcomeEvent.model_validate({**row, "timestamp": 1.0}).why is None
    assert OutcomeExample.model_validate({**row, "memory_id": "mem_1", "question": QUESTION, "at": 1.0}).why is None


def test_what_moves_is_one_sentence_of_what_and_when() -> None:
    one = score_changes([("books", 0.4)], QUESTION)
    assert one
    assert one.en == f"Thanks. This passage will rank lower when you ask “{QUESTION}” Other questions are not affected."
    assert one.he.startswith("תודה. הקטע הזה ידורג נמוך יותר כשתשאלו")
    several = score_changes([("history", 1.4), ("working", 1.2)], QUESTION)
    assert several
    assert several.en.startswith("Thanks. These 2 memories will rank higher")
    mixed = score_changes([("books", 1.4), ("working", 0.9)], QUESTION)
    assert mixed
    assert mixed.en.startswith("Thanks. The sources of this answer will rank differently")
    assert score_changes([("books", 1.0)], QUESTION) is None
    assert score_changes([], QUESTION) is None


def test_a_long_question_is_cut_at_a_word() -> None:
    long = score_changes([("books", 0.4)], "mileage " * 40)
    assert long
    assert len(long.en) < 200
    assert "mileage…" in long.en
