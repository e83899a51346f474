"""Matches documents with requested periods: returns the best-matching documents, and how they match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal

from core.language.entities.periods import NamedPeriod, covers, same
from core.question.known_entities import KnownDocument, KnownPeriod

Fit = Literal["exact", "renamed", "near", "within", "looks back", "looks ahead", "unknown", "none"]
"""How a document matches a period: by its own name for it or by another name ("renamed"); it is dated a few days later
("near"); it covers a part of the period, or the period is a part of what it covers ("within"); it also shows the period
as an earlier year ("looks back"), or looks ahead to it."""

EXACT, SEVERAL, NEAR, LOOKS_BACK, WITHIN, LOOKS_AHEAD, UNKNOWN = 3.0, 0.2, 2.0, 1.5, 1.0, 0.8, 0.5
YEARS_BACK = 2
"""Number of years before its own that a report usually shows too."""
_DAYS_AFTER = 10
"""Number of days after an event within which it is usually reported."""
_YEAR, _DAY = len("2022"), len("2022-06-30")
_KEY = re.compile(r"\d{4}(?:-(?:Q[1-4]|H[12]|\d\d(?:-\d\d)?))?")


def of_period(asked: Sequence[NamedPeriod], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Returns the documents that match the requested period best; all documents if no period is requested or none
    matches."""
    if not asked:
        return list(documents)
    scores = {each.id: matches_period(asked, each) for each in documents}
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return list(documents)
    suited = [each for each in documents if scores[each.id] >= best - (SEVERAL if best >= EXACT else 0.0)]
    return _named_so(asked, suited) if best >= EXACT else suited


def _named_so(asked: Sequence[NamedPeriod], documents: list[KnownDocument]) -> list[KnownDocument]:
    """If some reports call a quarter by the requested name themselves, keeps only those; otherwise the name means the
    calendar quarter."""
    quarters = {each.key for each in asked if each.quarter}
    named = [each for each in documents if quarters & {period.key for period in each.covered}]
    return named if len(quarters) == len(asked) == 1 and named else documents


def matches_period(asked: Sequence[NamedPeriod], document: KnownDocument) -> float:
    """Returns how well a document matches the periods. The latest of them counts most, since a report also shows
    earlier periods."""
    keys = _document_periods(document)
    if not keys:
        return UNKNOWN
    latest = max(asked, key=lambda each: (each.key[:4], len(each.key), each.key))
    exact = [each for each in asked if _ends_then(each, document) or any(_is(each, key) for key in keys)]
    if latest in exact or any(each.key == latest.key for each in exact):
        return EXACT + SEVERAL * (len({each.key for each in exact}) > 1)
    if exact:
        return EXACT - 0.5
    if latest.day and any(0 <= _days(latest.key, key) <= _DAYS_AFTER for key in keys if len(key) == _DAY):
        return NEAR
    if any(covers(key, latest) or covers(latest.key, key) for key in keys):
        return WITHIN
    later = {int(key) - latest.year for key in keys if len(key) == _YEAR}
    back = max((LOOKS_BACK - 0.1 * step for step in later if 0 < step <= YEARS_BACK), default=0.0)
    return back or (LOOKS_AHEAD if -1 in later else 0.0)


def fit_of(period: NamedPeriod, document: KnownDocument) -> Fit:
    """Returns how a document matches one period."""
    own = {each.key for each in document.covered} or set(document.periods[:1])
    score = matches_period([period], document)
    if score >= EXACT:
        of_year = document.kind == "current report" and len(period.key) == _YEAR
        return "exact" if of_year or any(_is(period, key) for key in own) else "renamed"
    if score >= NEAR:
        return "near"
    if score == WITHIN:
        return "within"
    if score == UNKNOWN and not _document_periods(document):
        return "unknown"
    if score == LOOKS_AHEAD:
        return "looks ahead"
    return "looks back" if score > 0 else "none"


def newest(documents: Sequence[KnownDocument]) -> frozenset[str]:
    """Returns the ids of the annual reports for the latest year, or of all documents for it if none is an annual
    report; empty if all ``documents`` are of that year."""
    annual = [each for each in documents if each.kind == "annual report"]
    years = {
        each.id: max((key[:_YEAR] for key in (*each.periods, each.dated or "")), default="")
        for each in annual or documents
    }
    latest = max(years.values(), default="")
    found = frozenset(id for id, year in years.items() if year == latest)
    return found if len(found) < len(documents) else frozenset()


def named_as(period: NamedPeriod, document: KnownDocument) -> KnownPeriod | None:
    """Returns the period of ``document`` for which ``period`` is another name, or else the document's first period;
    with its end date."""
    known = document.covered
    found = next((each for each in known if any(_is(period, key) for key in (each.key, *each.names))), None)
    found = found or next((each for each in known if _is_end(period, each)), known[0] if known else None)
    end = next((each.end for each in known if each.end), None)
    return found._replace(end=found.end or end) if found else None


def _is(period: NamedPeriod, key: str) -> bool:
    return bool(_KEY.fullmatch(key)) and (period.key == key or same(period, key))


def _ends_then(period: NamedPeriod, document: KnownDocument) -> bool:
    return document.kind != "current report" and any(_is_end(period, each) for each in document.covered)


def _is_end(period: NamedPeriod, covered: KnownPeriod) -> bool:
    """Returns whether the ``period`` is a day on which ``covered`` ends: the end of a year for "year ended" or "at" the
    day, the end of a quarter for other lengths."""
    if not period.day or period.key != covered.end:
        return False
    return period.months in (None, 12) if len(covered.key) == _YEAR else period.months != 12


def _document_periods(document: KnownDocument) -> list[str]:
    return [key for key in (*document.periods, document.dated or "") if _KEY.fullmatch(key)]


def _days(first: str, then: str) -> int:
    return (date.fromisoformat(then) - date.fromisoformat(first)).days
