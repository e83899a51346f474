"""Replaces relative periods with names: "last year" → FY2022, the newest year on which an organisation reports.

"Last year" is the calendar year before this one if a report covers it, else the newest full year with a report. In a
comparison ("than last year"), it is the year before the year that is compared with it. Without any report, the calendar
decides. "A year earlier" than a quarter is the same quarter one year before, not the whole year.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from core.language.entities.periods import NamedPeriod, periods_in, year_before
from core.language.entities.relative_periods import RelativePeriod, relative_periods_in
from core.language.hebrew import FROM, IN, TO, is_hebrew
from core.question.known_entities import KnownDocument

_YEAR = len("2022")


class NamedPeriods(NamedTuple):
    """The ``text`` with names in place of relative periods; ``taken`` maps each period's key to the words that it
    replaced."""

    text: str
    taken: dict[str, str]


def with_names(
    text: str, reports: Sequence[KnownDocument], today: date, base: Sequence[NamedPeriod] = ()
) -> NamedPeriods:
    """Returns ``text`` with its relative periods resolved; ``base`` are the periods mentioned before."""
    taken: dict[str, str] = {}
    relative = relative_periods_in(text)
    # A question that only names an earlier year to compare with ("than last year") is about the newest year.
    alone = relative and all(each.beside and each.unit == "year" for each in relative) and not base
    base = base or _own_quarters(relative, reports)
    for each in reversed(relative):
        earlier = _same_part_earlier(each, base)
        key = earlier.key if earlier else _period_key(each, reports, today, base)
        if key is None:
            continue
        taken[key] = text[each.start : each.end]
        name = _worded(key, each, text, bool(reports), earlier.months if earlier else None)
        own = _own_year(int(key) + 1, text, bool(reports)) if alone and each is relative[0] else ""
        text = text[: each.joint] + own + text[each.joint : each.start] + name + text[each.end :]
    return NamedPeriods(text, taken)


def _own_quarters(relative: Sequence[RelativePeriod], reports: Sequence[KnownDocument]) -> list[NamedPeriod]:
    """Returns the quarters that the text names without a year ("Q2"), for other periods that depend on them."""
    keys = [_quarter(each, reports, ()) for each in relative if each.step == "named"]
    return [period for key in keys if key for period in periods_in(" ".join(reversed(key.split("-"))))]


def _same_part_earlier(relative: RelativePeriod, base: Sequence[NamedPeriod]) -> NamedPeriod | None:
    """Returns the latest period of ``base`` one year before, if that is a part of a year and ``relative`` means the
    same part: "a year earlier", "the year before", or a comparison with "last year"."""
    latest = max(base, key=lambda each: (each.year, each.key), default=None)
    if latest is None or len(latest.key) == _YEAR or relative.unit != "year":
        return None
    earlier = relative.step in ("year ago", "before") or (relative.step == "last" and relative.beside)
    return year_before(latest) if earlier else None


def _period_key(
    relative: RelativePeriod, reports: Sequence[KnownDocument], today: date, base: Sequence[NamedPeriod]
) -> str | None:
    if relative.unit == "quarter":
        return _quarter(relative, reports, base)
    full = _newest_full(reports) or today.year - 1
    spoken = max((each.year for each in base), default=None)
    match relative.step:
        case "last" if not relative.beside:
            year = today.year - 1 if _is_covered(today.year - 1, reports) else full
        case "this":
            year = today.year if _is_covered(today.year, reports) or not reports else _newest(reports) or full
        case "last" | "before" | "year ago":
            year = (spoken or full) - 1
        case _:
            year = (spoken or full) + 1
    return str(year)


def _quarter(relative: RelativePeriod, reports: Sequence[KnownDocument], base: Sequence[NamedPeriod]) -> str | None:
    """Finds the year for a quarter without one ("Q2"), only from reports: the year mentioned before, else the newest
    year with a report for that quarter."""
    known = sorted({key for each in reports for key in _document_periods(each) if "Q" in key})
    if relative.number is not None:
        same = [key for key in known if key.endswith(f"Q{relative.number}")]
        spoken = max((each.year for each in base), default=None)
        if spoken is not None:
            return f"{spoken}-Q{relative.number}"
        return same[-1] if same else None
    spoken_quarter = max((each.key for each in base if each.quarter), default=None)
    newest = spoken_quarter if relative.step in ("before", "after") else None
    newest = newest or (known[-1] if known else None)
    if newest is None:
        return None
    step = {"before": -1, "after": 1}.get(relative.step, -1 if relative.beside else 0)
    year, place = divmod(int(newest[:_YEAR]) * 4 + int(newest[-1]) - 1 + step, 4)
    return f"{year}-Q{place + 1}"


def _worded(key: str, relative: RelativePeriod, text: str, fiscal: bool, months: int | None = None) -> str:
    year, _, part = key.partition("-")
    name = f"{part} {year}" if part else f"FY{year}" if fiscal else year
    if part[:1].isdigit():
        name = f"{months} months ended {key}" if months else key
    if relative.step == "named":
        # In Hebrew, a joined preposition before the replaced word must be joined to the name.
        return f"-{name}" if is_hebrew(text[: relative.start][-1:]) else name
    phrase = text[relative.start : relative.end]
    if is_hebrew(phrase):
        prefix = phrase[0] if phrase[0] in (IN, TO, FROM) else IN if relative.bare else ""
        return f"{prefix}-{name}" if prefix else name
    return f"in {name}" if relative.bare else name


def _own_year(year: int, text: str, fiscal: bool) -> str:
    """Returns words that name the newest year ("in FY2022 "), for a question that compares this year with another one
    without naming it."""
    name = f"FY{year}" if fiscal else str(year)
    return f"{IN}-{name} " if is_hebrew(text) else f"in {name} "


def _document_periods(document: KnownDocument) -> list[str]:
    return [each.key for each in document.covered] or list(document.periods)


def _newest_full(reports: Sequence[KnownDocument]) -> int | None:
    keys = [
        key for each in reports if each.kind != "current report" for key in _document_periods(each) if len(key) == _YEAR
    ]
    return max(map(int, keys), default=None)


def _newest(reports: Sequence[KnownDocument]) -> int | None:
    years = [int(key[:_YEAR]) for each in reports for key in _document_periods(each)]
    return max(years, default=None)


def _is_covered(year: int, reports: Sequence[KnownDocument]) -> bool:
    return any(key == str(year) for each in reports if each.kind != "current report" for key in each.periods)
