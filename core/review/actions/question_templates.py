"""Builds questions about figures from templates: takes a figure and periods; returns a question."""

from __future__ import annotations

import re
from typing import Literal

from core.language.detection import detect
from core.language.hebrew import IN, MAQAF, OF, TO
from core.language.vocabulary import Entry, WordSet, file_of
from core.words import Language, Words

Form = Literal["change", "value"]
_PARTICIPLE = re.compile(r" (?:\w+ed|paid|sold|held|made)$")
_PLURAL = re.compile(r"(?<![su])s$")


class _Data(Entry):
    forms: dict[Form, Words]
    kinds: dict[str, Words]
    general: WordSet
    clauses: Words


_DATA = file_of("graph/followups", _Data)()
GENERAL = _DATA.general
"""Generic words in headings and labels that name a purpose instead of a subject."""


def is_clause(heading: str) -> bool:
    """Returns whether ``heading`` is a question or a full statement, so that it cannot be a question's topic."""
    return "?" in heading or re.search(_DATA.clauses.to(detect(heading)), heading, re.IGNORECASE) is not None


def change(figure: str, whose: str, before: str, after: str, language: Language) -> str:
    """Returns a question about how a figure changed from one period to another."""
    what = _prefixed(IN, figure) if language == "he" else figure
    return _put("change", language, figure=what, whose=_possessive(whose, language), before=before, after=after)


def value(figure: str, whose: str, period: str, language: Language, *, is_day: bool = False) -> str:
    """Returns a question about a figure's value in a period or on a day."""
    after = _prefixed(IN, period) if language == "he" else f"{'on' if is_day else 'in'} {period}"
    return _put("value", language, figure=figure, whose=_possessive(whose, language), after=after, be=_be(figure))


def kind_of(kind: str, language: Language) -> str:
    """Returns the name of a document kind for use inside a sentence; empty if it has none."""
    return _DATA.kinds[kind].to(language) if kind in _DATA.kinds else ""


def named(organisation: str, kind: str, period: str, language: Language) -> str:
    """Returns a name for a document from its organisation and kind: "Northwind's FY2022 annual report"; empty if both
    are unknown."""
    what = kind_of(kind, language)
    if not organisation or not what:
        return ""
    if language == "he":
        return " ".join(filter(None, [what, f"{OF} {organisation}", period and _prefixed(TO, period)]))
    return " ".join(filter(None, [_genitive(organisation), period, what]))


def _put(form: Form, language: Language, **given: str) -> str:
    return " ".join(_DATA.forms[form].to(language).format(**given).split())


def _possessive(organisation: str, language: Language) -> str:
    if not organisation:
        return ""
    return f" {OF} {organisation}" if language == "he" else f"{_genitive(organisation)} "


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _prefixed(letter: str, word: str) -> str:
    """Adds a Hebrew preposition, with a hyphen before words that are not Hebrew."""
    return f"{letter}{word}" if detect(word) == "he" else f"{letter}{MAQAF}{word}"


def _be(figure: str) -> str:
    """Picks the verb form from the main noun: "cost of sales" was, "dividends" were."""
    head = _PARTICIPLE.sub("", re.split(r" (?:of|per|for|in|on|from) ", figure, maxsplit=1)[0])
    return "were" if _PLURAL.search(head) else "was"


def is_plural(name: str) -> bool:
    """Returns whether the main noun of a name is plural: "cost of sales" is not, "payment terms" is."""
    return _be(name) == "were"
