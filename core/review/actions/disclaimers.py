"""Adds notices to generated advice about health, money or law."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from core.language import hebrew
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of, pattern_of
from core.words import Words

Subject = Literal["medical", "financial", "legal"]

STRONG_IN_ANSWER = 2
WEAK_IN_QUESTION = 2
_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")


@dataclass(frozen=True)
class Disclaimer:
    """A notice stored in an answer's metadata, never in its text."""

    subject: Subject
    words: Words


_Hyphenated = Annotated[
    frozenset[str], BeforeValidator(lambda words: [word.replace("-", " ") for word in words.split()])
]
"""Words from the data file, in which a hyphen joins a pair of words: "tax-return" is the pair "tax return"."""


class _Keywords(Entry):
    strong: _Hyphenated
    weak: _Hyphenated
    exceptions: list[str] = Field(alias="except")
    notice: Words

    def are_called_for(self, question: str, answer: str) -> bool:
        asked, words = (_words_and_pairs(text, self.exceptions) for text in (question, answer))
        return (
            bool(self.strong & asked)
            or len(self.weak & asked) >= WEAK_IN_QUESTION
            or len(self.strong & words) >= STRONG_IN_ANSWER
        )


_subjects = file_of("graph/disclaimers", dict[Subject, _Keywords])


def is_advice(question: str, answer: str, *, cited: bool) -> bool:
    """Returns whether a generated answer advises a person. An answer that only reports what its sources say (``cited``)
    does not; one without sources may."""
    asked, given = pattern_of("graph/advice.asked"), pattern_of("graph/advice.given")
    return not cited or bool(asked.search(question) or given.search(answer))


def disclaimers(question: str, answer: str) -> list[Disclaimer]:
    """Returns the notices that apply to ``answer`` and ``question``."""
    return [
        Disclaimer(subject, keywords.notice)
        for subject, keywords in _subjects().items()
        if keywords.are_called_for(question, answer)
    ]


def _words_and_pairs(text: str, exceptions: Iterable[str]) -> frozenset[str]:
    """Returns the words of ``text`` and pairs of them; Hebrew words also without prefixes and plural endings."""
    folded = f" {' '.join(_WORD.findall(fold(text)))} "
    for phrase in exceptions:
        folded = folded.replace(f" {phrase} ", " ")
    words = folded.split()
    forms = {form for word in words for form in (hebrew.variants(word) if hebrew.is_hebrew(word) else (word,))}
    pairs = {f"{form} {after}" for before, after in pairwise(words) for form in hebrew.variants(before)}
    return frozenset(forms | pairs)
