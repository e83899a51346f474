"""Notices beside answers that touch health, money or law."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from pydantic import BaseModel, Field, RootModel, field_validator

from core.language import hebrew
from core.language.normalisation import fold
from core.language.vocabulary import read_vocabulary
from core.words import Words

Subject = Literal["medical", "financial", "legal"]

STRONG_IN_ANSWER = 2
WEAK_IN_QUESTION = 2
_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")


@dataclass(frozen=True)
class Disclaimer:
    """Metadata of an answer, never part of its text."""

    subject: Subject
    words: Words


class _Keywords(BaseModel, extra="forbid", frozen=True):
    strong: frozenset[str]
    weak: frozenset[str]
    exceptions: list[str] = Field(alias="except")
    notice: Words

    @field_validator("strong", "weak", mode="before")
    @classmethod
    def _split(cls, words: str) -> list[str]:
        return [word.replace("-", " ") for word in words.split()]


class _Subjects(RootModel[dict[Subject, _Keywords]]):
    pass


@cache
def _subjects() -> dict[Subject, _Keywords]:
    return _Subjects.model_validate(read_vocabulary("graph/disclaimers")).root


def disclaimers(question: str, answer: str) -> list[Disclaimer]:
    """The notices that ``answer`` to ``question`` calls for."""
    return [
        Disclaimer(subject, keywords.notice)
        for subject, keywords in _subjects().items()
        if _calls(
            keywords, _words_and_pairs(question, keywords.exceptions), _words_and_pairs(answer, keywords.exceptions)
        )
    ]


def _calls(keywords: _Keywords, asked: frozenset[str], words: frozenset[str]) -> bool:
    return (
        bool(_keywords_found(keywords.strong, asked))
        or len(_keywords_found(keywords.weak, asked)) >= WEAK_IN_QUESTION
        or len(_keywords_found(keywords.strong, words)) >= STRONG_IN_ANSWER
    )


def _words_and_pairs(text: str, exceptions: Iterable[str]) -> frozenset[str]:
    """The words of ``text`` and pairs of them, Hebrew ones without their prefixes and plural endings too."""
    folded = f" {' '.join(_WORD.findall(fold(text)))} "
    for phrase in exceptions:
        folded = folded.replace(f" {phrase} ", " ")
    words = folded.split()
    forms = {form for word in words for form in (hebrew.variants(word) if hebrew.is_hebrew(word) else (word,))}
    pairs = {f"{form} {after}" for before, after in pairwise(words) for form in hebrew.variants(before)}
    return frozenset(forms | pairs)


def _keywords_found(keywords: Iterable[str], forms: frozenset[str]) -> set[str]:
    return {keyword for keyword in keywords if keyword in forms}
