"""Finds years, quarters and halves in a sentence: *sentence, the document's own periods* → spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.knowledge.extraction.patterns import Span
from core.language.entities.periods import periods_in
from core.messages import message

_KEY = re.compile(r"(?P<year>\d{4})(?:-(?P<part>[QH])(?P<number>\d))?")
_EARLIEST, _LATEST = 1950, 2049
_FALLS_DUE = re.compile(
    r"(?:\bdue|maturing|matures|maturity|notes?|debentures?|bonds?)\s+(?:in\s+)?(?:[\w%.]+\s+){0,2}$", re.IGNORECASE
)
_IN_NAME = re.compile(r"[- ]?[A-Z][a-z]")
_IN_CODE = re.compile(r"[A-Z]{2}\d{0,4}[-–/]$")
_GOES_ON = re.compile(r"[-–]\d{2}[-–]")
_OF_LAW = re.compile(r"\b(?:Act|Law|Code|Directive|Regulation|No\.)(?: of)? $")
_MONTHS = (12, 3, 6, 9)


def periods_of(text: str, ends: Mapping[str, str]) -> Iterator[Span]:
    """Periods in the sentence; a single day counts only if one of the document's periods ends on it ("the year ended 31
    March 2021")."""
    for period in periods_in(text):
        key = ends.get(period.key, "") if period.day and period.months in _MONTHS else period.key
        match = _KEY.fullmatch(key)
        if match is None or not _EARLIEST <= int(match["year"]) <= _LATEST:
            continue
        if (
            _OF_LAW.search(text[: period.start])
            or _IN_NAME.match(text[period.end :])
            or _GOES_ON.match(text[period.end :])
            or _IN_CODE.search(text[max(0, period.start - 8) : period.start])
            or _FALLS_DUE.search(text[max(0, period.start - 40) : period.start])
        ):
            continue
        yield Span(period.start, period.end, "date", period_labels(key)["en"], key)


def period_labels(key: str) -> dict[str, str]:
    """The period's name in each language, such as "Q2 2021" for "2021-Q2"; empty if the key has another form."""
    match = _KEY.fullmatch(key)
    if match is None:
        return {}
    if match["part"] is None:
        return {"en": key, "he": key}
    number, year = match["number"], match["year"]
    part = "knowledge.periods.quarter" if match["part"] == "Q" else "knowledge.periods.half"
    return message(part, number=number, year=year).model_dump()
