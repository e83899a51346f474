"""Dates and citations that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from core.language.normalisation import normalise

_ENGLISH_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                   "november", "december"]  # fmt: skip
_HEBREW_MONTHS = [
    "ינואר",
    "פברואר",
    "מרץ",
    "אפריל",
    "מאי",
    "יוני",
    "יולי",
    "אוגוסט",
    "ספטמבר",
    "אוקטובר",
    "נובמבר",
    "דצמבר",
]
_MONTHS = {name: number for names in (_ENGLISH_MONTHS, _HEBREW_MONTHS) for number, name in enumerate(names, 1)}
_MONTHS |= {name[:3]: number for number, name in enumerate(_ENGLISH_MONTHS, 1)} | {"sept": 9, "מרס": 3}

_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_DATES = re.compile(
    rf"(?<![\d./])(?<!\d-)(?:{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)"
    rf"|(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark)(?P<last>(?:1[5-9]|20)\d\d)"
    rf"|\b(?P<before>{_NAME})\.?\s(?P<after>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<then>(?:1[5-9]|20)\d\d)"
    rf"|(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s|ב-?)?|\bב?)(?P<named>{_NAME})\.?,?\s(?P<when>(?:1[5-9]|20)\d\d))"
    r"(?!\d|-\d|\.\d)",
    re.IGNORECASE,
)

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>,;]+[^\s\"<>,;.)\]]")
_ARXIV = re.compile(r"\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_NAMES = r"[A-Z][\w'-]+(?:,? (?:and|&) [A-Z][\w'-]+| et al\.?)"
_YEAR_OF = r"(?:1[5-9]|20)\d\d[a-e]?"
_AUTHOR_YEAR = re.compile(rf"\b{_NAMES},? \({_YEAR_OF}\)|(?<=\()(?:{_NAMES}|[A-Z][\w'-]+), {_YEAR_OF}(?=[);])")
_PARTY = r"[A-Z][\w&'-]+(?: (?:of|the|and|Inc\.|Ltd\.|Co\.|Corp\.|[A-Z][\w&'-]+)){0,4}"
_CASE = re.compile(rf"\b{_PARTY} v\.? {_PARTY}")
_HEBREW_CASE = re.compile(
    r"(?<![א-ת])(?:ע\"א|ע\"פ|בג\"ץ|רע\"א|רע\"פ|דנ\"א|דנ\"פ|ת\"א|ת\"פ|ע\"ע|עע\"מ|בש\"א)\s\d{1,6}[/-]\d{2,4}(?:-\d{2})?"
)
_STATUTE = re.compile(
    r"(?<![א-ת])(?:חוק|פקודת|תקנות|חוק-יסוד:?) [א-ת][א-ת \"'()-]{2,60}, ?ה?תש[א-ת\"']{1,4}[א-ת]?-(?:19|20)\d\d"
)


def dates(text: str, limit: int = 20) -> list[str]:
    """Dates in order of appearance, each once: ``2024-01-31`` or ``2024-01``.

    A date whose day and month cannot be told apart (03/04/2024) stays as it is written.
    """
    found = (_iso(match) for match in _DATES.finditer(normalise(text)))
    return list(dict.fromkeys(day for day in found if day))[:limit]


def _iso(match: re.Match[str]) -> str | None:
    part = match.groupdict()
    if part["last"]:
        first, second, year = int(part["first"]), int(part["second"]), int(part["last"])
        if first <= 12 and second <= 12 and first != second:
            return match.group()
        return _valid(year, second, first) if second <= 12 else _valid(year, first, second)
    if part["year"]:
        return _valid(int(part["year"]), int(part["month"]), int(part["day"]))
    name, year = (part["before"] or part["named"]).lower(), int(part["then"] or part["when"])
    day = part["after"] or part["number"]
    return _valid(year, _MONTHS[name], int(day)) if day else f"{year}-{_MONTHS[name]:02d}"


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def citations(text: str, limit: int = 30) -> list[str]:
    """Works, statutes and judgments that the text refers to, as they are written, each once."""
    return list(dict.fromkeys(_cited(normalise(text))))[:limit]


def _cited(text: str) -> Iterator[str]:
    for pattern in (_DOI, _ARXIV, _AUTHOR_YEAR, _CASE, _HEBREW_CASE, _STATUTE):
        for match in pattern.finditer(text):
            yield match.group()
