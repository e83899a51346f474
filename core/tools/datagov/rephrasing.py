"""Rephrases a question for which no good data set was found: at most one rephrasing per strategy, in order.

Each strategy replaces one name with another. A word that no data set contains is never dropped, because then anything
would match.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from core.language.hebrew import is_hebrew, own_forms
from core.language.normalisation import fold
from core.tools.datagov.decomposition import AskedData, Unit
from core.tools.datagov.word_groups import LEAST_SHARED, inflections, names_of
from core.words import Language

Strategy = Literal["subject_alone", "bare_words", "other_language", "singular", "other_name"]


def rephrasings(asked: AskedData) -> Iterator[tuple[Strategy, str]]:
    """Rephrasings that differ from the question and from each other."""
    said = {asked.question}
    tried: list[tuple[Strategy, str]] = [
        ("subject_alone", asked.core),
        ("bare_words", " ".join(_bare(unit) for unit in asked.subject)),
        (
            "other_language",
            " ".join(_translated(unit, "en" if asked.language == "he" else "he") for unit in asked.subject),
        ),
        ("singular", " ".join(_singular(unit) for unit in asked.subject)),
        ("other_name", " ".join(_renamed(unit, asked.language) for unit in asked.subject)),
    ]
    for strategy, question in tried:
        if question and question not in said:
            said.add(question)
            yield strategy, question


def _bare(unit: Unit) -> str:
    """Each word without its Hebrew prefix letter."""
    return " ".join(map(_without_prefix, unit.words))


def _without_prefix(word: str) -> str:
    return max((form for form in inflections(word) if word.endswith(form) and form != word), key=len, default=word)


def _singular(unit: Unit) -> str:
    bare = [_without_prefix(word) for word in unit.words]
    return " ".join(min((f for f in own_forms(word) if len(f) >= LEAST_SHARED), key=len, default=word) for word in bare)


def _translated(unit: Unit, language: Language) -> str:
    if is_hebrew(unit.text) == (language == "he"):
        return unit.text
    return next((name for group in sorted(unit.groups) for name in names_of(group, language)), unit.text)


def _renamed(unit: Unit, language: Language) -> str:
    """The unit under another name in the same language. A word that no data set contains is kept, so that it still
    lowers scores."""
    names = (name for group in sorted(unit.groups) for name in names_of(group, language))
    return next((name for name in names if fold(name) != unit.text), unit.text)
