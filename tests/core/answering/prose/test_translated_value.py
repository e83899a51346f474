"""Tests that short values are written in the question's language."""

from __future__ import annotations

import pytest

from core.answering.prose.translated_value import translated_value
from core.answering.prose.values import values_in
from core.words import Language


@pytest.mark.parametrize(
    ("text", "language", "written"),
    [
        ("A baker earns 18 euros an hour.", "he", "18 אירו"),
        ("המנוי עולה 1,900 שקלים.", "en", "1,900 shekels"),
        ("It costs $1.5 million.", "he", "1.5 מיליון דולרים"),
        ("The notice is four months.", "he", "4 חודשים"),
        ("מותר לעבוד מהבית יומיים.", "en", "2 days"),
        ("תוך 48 שעות", "en", "48 hours"),
        ("It begins on 1 March 2026.", "he", "1 במרץ 2026"),
        ("עד 1 במאי 2026", "en", "1 May 2026"),
        ("Interest is 4 percent.", "he", "4%"),
        ("The door opens at 5:30.", "he", "5:30"),
    ],
)
def test_a_value_is_written_in_the_language_of_the_question(text: str, language: Language, written: str) -> None:
    assert [translated_value(value, text, language) for value in values_in(text)] == [written]
