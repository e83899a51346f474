"""Finds the dates and citations that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.language.entities.calendar_words import OLD_YEAR, YEAR
from core.language.entities.dates import DAYS, DateReading, DateSpan, dates_in
from core.language.hebrew import LETTER, LETTERS, NO_LETTER_BEFORE
from core.language.normalisation import normalise
from core.language.vocabulary import phrases

_phrase = phrases("library/description.mentions")

_DATES = DateReading((*DAYS, "month_year"), needs_year=True, order="as told", dotted_short=False)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]+[^\s\"<>,;.)\]]")
_ARXIV = re.compile(r"\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_NAMES = r"[A-Z][\w'-]+(?:,? (?:and|&) [A-Z][\w'-]+| et al\.?)"
_YEAR_OF = rf"{OLD_YEAR}[a-e]?"
_AUTHOR_YEAR = re.compile(rf"\b{_NAMES},? \({_YEAR_OF}\)|(?<=\()(?:{_NAMES}|[A-Z][\w'-]+), {_YEAR_OF}(?=[);])")
_PARTY = r"[A-Z][\w&'-]+(?: (?:of|the|and|Inc\.|Ltd\.|Co\.|Corp\.|[A-Z][\w&'-]+)){0,4}"
_CASE = re.compile(rf"\b{_PARTY} v\.? {_PARTY}")
_HEBREW_CASE = re.compile(_phrase("hebrew_case"))
_STATUTE = re.compile(
    rf"{NO_LETTER_BEFORE}{_phrase('law')} {LETTER}[{LETTERS} \"'()-]{{2,60}}, ?"
    rf"{_phrase('year')}[{LETTERS}\"']{{1,4}}{LETTER}?-{YEAR}"
)


def dates(text: str, limit: int = 20) -> list[str]:
    """Dates in order of appearance, each once: ``2024-01-31`` or ``2024-01``.

    A date whose day and month cannot be distinguished (03/04/2024) is kept as written.
    """
    plain = normalise(text)
    found = (_date_text(span, plain) for span in dates_in(plain, _DATES))
    return list(dict.fromkeys(found))[:limit]


def _date_text(span: DateSpan, text: str) -> str:
    year, month, day = span.day.year, span.day.month, span.day.day
    if month is None:
        return text[span.bare : span.end]
    return f"{year}-{month:02d}-{day:02d}" if day else f"{year}-{month:02d}"


def citations(text: str, limit: int = 30) -> list[str]:
    """Works, laws and court decisions that the text cites, as written, each once."""
    return list(dict.fromkeys(_citations(normalise(text))))[:limit]


def _citations(text: str) -> Iterator[str]:
    for pattern in (_DOI, _ARXIV, _AUTHOR_YEAR, _CASE, _HEBREW_CASE, _STATUTE):
        for match in pattern.finditer(text):
            yield match.group()
