"""Other words for a question that found nothing good: each strategy at most one, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from core.language.hebrew import is_hebrew
from core.tools.datagov.decomposition import AskedData, Unit
from core.tools.datagov.word_groups import names_of
from core.words import Language

Strategy = Literal["subject_alone", "bare_words", "other_language", "singular", "other_names"]


def rephrasings(asked: AskedData) -> Iterator[tuple[Strategy, str]]:
    """Those that differ from the question and from each other."""
    said = {asked.question}
    tried: list[tuple[Strategy, str]] = [
        ("subject_alone", asked.core),
        ("bare_words", " ".join(_bare(unit) for unit in asked.subject)),
        ("other_language", " ".join(_translated(unit, "en" if asked.language == "he" else "he") for unit in asked.subject)),
        ("singular", " ".join(_shortest(unit) for unit in asked.subject)),
        ("other_names", " ".join([asked.core, *(name for unit in asked.subject for name in _names(unit))])),
    ]
    for strategy, question in tried:
        if question and question not in said:
            said.add(question)
            yield strategy, question


def _bare(unit: Unit) -> str:
    """Each word without the letters that Hebrew writes together with it."""
    return " ".join(
        max((form for form in forms if word.endswith(form) and form != word), key=len, default=word)
        for word, forms in zip(unit.words, unit.forms, strict=True)
    )


def _shortest(unit: Unit) -> str:
    return " ".join(
        min((form for form in forms if len(form) > 2), key=len, default=word)
        for word, forms in zip(unit.words, unit.forms, strict=True)
    )


def _translated(unit: Unit, language: Language) -> str:
    if is_hebrew(unit.text) == (language == "he"):
        return unit.text
    return next((name for group in sorted(unit.groups) for name in names_of(group, language)), unit.text)


def _names(unit: Unit) -> list[str]:
    return [name for group in sorted(unit.groups) for name in names_of(group)]
