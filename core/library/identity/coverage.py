"""Determines the periods that a document covers: *cover, kind* → ``CoveredPeriod`` records.

A fiscal year has up to three names: the company's own ("fiscal 2022"), the year it ends in, and the filename's. The key
is the company's own name if the text gives it, otherwise the year it ends in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.language.entities.calendar_words import ORDINAL, YEAR
from core.language.entities.foreign_dates import with_english_dates
from core.language.entities.period_grammar import ONE_QUARTER
from core.language.entities.periods import NamedPeriod, extent, periods_in
from core.language.vocabulary import pattern_of, phrases
from core.library.identity.cover import Cover
from core.library.identity.document_date import TITLED, dateline, in_english, label_dates
from core.library.records import CoveredPeriod, DocumentKind

_phrase = phrases("library/identity.coverage")
_MOSTTITLED = 12
_GLUED_QUARTER = re.compile(
    rf"(?:{ORDINAL})\s*(?:fiscal\s*)?quarters?\s*(?:of\s*)?(?:fiscal|fy)\s*(?:year\s*)?(?P<year>{YEAR})",
    re.IGNORECASE,
)
"""Matches a fiscal quarter, even if the file has lost its spaces."""
_YEAR_ENDED = re.compile(
    rf"fiscal\s*(?:year\s*)?(?P<year>{YEAR})\s*(?:\([^)]{{0,20}}|,?\s*(?:which\s*)?)?(?:the\s*)?[^.;]{{0,40}}?"
    r"end(?:ed|ing|s)\s*(?:on\s*)?(?P<rest>[^.;]{4,40})",
    re.IGNORECASE,
)
_STRETCHES = [
    (
        months,
        re.compile(
            rf"(?<![^\W_])(?:{words})\s*(?:months?|weeks?|{_phrase('months')})\s*(?:ended|{_phrase('ended')})",
            re.IGNORECASE,
        ),
    )
    for months, words in (
        (9, f"nine|39|thirty-nine|36|40|forty|{_phrase('nine')}"),
        (6, f"six|26|twenty-six|24|28|{_phrase('six')}"),
    )
]
_OUTLOOK = pattern_of("library/identity.coverage.outlook")
_CLAUSE = pattern_of("library/identity.coverage.clause")
_WEEK = timedelta(days=7)
_DRIFT = timedelta(days=10)
"""A quarter of whole weeks may end at most this many days before or after the end of a month."""


def periods_of(cover: Cover, kind: DocumentKind, headline: str | None = None) -> list[CoveredPeriod]:
    """The periods that the document covers, the main one first; empty if none is found. ``headline`` is a press
    release's headline; ``titled_periods`` reads the titles of other documents."""
    cover = in_english(cover)
    match kind:
        case "annual report":
            return _covered_years(cover)
        case "quarterly report":
            return _quarter(cover)
        case "earnings release":
            return _release(cover, headline or "")
    return [] if kind in TITLED else _dated(cover, kind)


# -- annual reports ----------------------------------------------------------------------------------------------------


def _covered_years(cover: Cover) -> list[CoveredPeriod]:
    ended = _ended_period(cover, (12,))
    candidates = _said_years(cover)
    in_name = _filename_periods(cover)
    if ended is not None:
        last = extent(ended)[1]
        own = _own_year(last, cover)
        # A year of whole weeks that ends in the first days of January belongs to the previous December.
        key = str(own or (last - _WEEK).year)
        names = [key, f"fiscal {key}", str(last.year), *_near_years(in_name, last.year)]
        return [CoveredPeriod(key=key, names=_unique(names), end=last.isoformat())]
    years = [period.year for period in _in_lines(cover, 12)]
    year = years[0] if years else in_name[0].year if in_name else candidates[0] if candidates else None
    if year is None:
        return []
    return [CoveredPeriod(key=str(year), names=_unique([str(year), *_near_years(in_name, year)]))]


def _ended_period(cover: Cover, months: tuple[int, ...]) -> NamedPeriod | None:
    """The first period of this length that has ended according to the cover, even if its date is far from these
    words."""
    for text in (cover.text[:4000], cover.text, cover.early):
        found = [period for period in periods_in(text) if period.months in months]
        if found:
            return found[0]
    words = r"quarterly\s*period\s*ended" if months == (3,) else r"(?:fiscal\s*)?year\s*ended"
    if match := re.search(words, cover.text[:3000], re.IGNORECASE):
        days = [each for each in periods_in(cover.text[match.end() : match.end() + 150]) if each.day]
        return days[0] if days else None
    return None


def _own_year(last: date, cover: Cover) -> int | None:
    """The company's own number for the fiscal year that ended on ``last``.

    "fiscal 2023" next to "(the year ended January 28, 2023)" gives it. Otherwise it is the more frequent one of the two
    possible fiscal years. A year that ends in the second half of a calendar year has that year's number.
    """
    if last.month > 5:
        return last.year
    for match in _YEAR_ENDED.finditer(cover.early):
        days = [period for period in periods_in(match["rest"]) if period.day]
        if days and abs(extent(days[0])[1] - last) <= timedelta(days=1):
            return int(match["year"])
    counts = Counter(period.year for period in periods_in(cover.early) if period.fiscal and period.quarter is None)
    here, before = counts[last.year], counts[last.year - 1]
    if not here and not before:
        return None
    # A report mentions its own year and the one before it, but rarely the next one.
    return last.year if here > counts[last.year - 2] or here >= before else last.year - 1


def _said_years(cover: Cover) -> list[int]:
    counts = Counter(period.year for period in periods_in(cover.text))
    return [year for year, _ in counts.most_common(1)]


# -- quarterly reports -------------------------------------------------------------------------------------------------


def _quarter(cover: Cover) -> list[CoveredPeriod]:
    ended = _ended_period(cover, (3,)) or _ended_period(cover, (6, 9))
    in_name = [period for period in _filename_periods(cover) if period.quarter or period.half]
    if ended is None:
        named = [period for period in _in_lines(cover, 20) if period.quarter or period.half]
        known = [*named, *in_name]
        return [_covered_period(known[0], [period.key for period in known])] if known else []
    last = extent(ended)[1]
    calendar = _calendar_quarter(last)
    own = _own_quarter(last, cover) or (in_name[0].key if in_name else calendar or _quarter_of(last))
    names = _unique([own, *[period.key for period in in_name], *([calendar] if calendar else [])])
    return [CoveredPeriod(key=own, names=names, end=last.isoformat())]


def _calendar_quarter(last: date) -> str | None:
    """The calendar quarter that ended near this date, if any."""
    for near in (last - _DRIFT, last, last + _DRIFT):
        if abs(extent(_quarter_of(near))[1] - last) <= _DRIFT:
            return _quarter_of(near)
    return None


def _quarter_of(day: date) -> str:
    return f"{day.year}-Q{(day.month + 2) // 3}"


def _own_quarter(last: date, cover: Cover) -> str | None:
    """The fiscal quarter that ended on ``last``: its number comes from the elapsed part of the year, its year from the
    text.

    A quarterly report counts from the beginning of its year ("six months ended"), which identifies the second quarter.
    Of the two possible year numbers, the year it ends in is used, unless the text never mentions that year but mentions
    the two before it.
    """
    run = _months_run(cover, last)
    if run is None:
        return None
    quarter = run // 3
    # A quarter of whole weeks may end in the first days of the next month.
    month = (last - _WEEK).month
    ends = (last - _WEEK).year + (month + 3 * (4 - quarter) - 1) // 12
    years = Counter(int(match["year"]) for match in _GLUED_QUARTER.finditer(cover.early))
    years.update(period.year for period in periods_in(cover.early) if period.fiscal)
    before = not years[ends] and years[ends - 1] and years[ends - 2]
    return f"{ends - 1 if before else ends}-Q{quarter}"


def _months_run(cover: Cover, last: date) -> int | None:
    """3, 6 or 9: the longest period up to ``last`` in the report, including headings that are printed apart from their
    date."""
    periods = [period for period in periods_in(cover.early) if period.months in (3, 6, 9)]
    lengths = [period.months or 0 for period in periods if abs(extent(period)[1] - last) <= timedelta(days=1)]
    longest = max(lengths, default=0)
    for months, heading in _STRETCHES:
        if longest == months or (longest <= 3 and len(heading.findall(cover.early)) > 1):
            return months
    return longest or None


# -- releases ----------------------------------------------------------------------------------------------------------


def _release(cover: Cover, headline: str) -> list[CoveredPeriod]:
    """Quarter and year from the headline; missing parts come from the first paragraphs and the filename."""
    in_name = _filename_periods(cover)
    periods = [period for period in periods_in(_past(headline)) if period.day is None and period.month is None]
    if not any(period.quarter for period in periods):
        periods = [_with_quarter(period, headline) for period in periods]
    if not any(period.quarter for period in periods):
        lead = "\n".join(line.text for line in cover.lines[:14])
        quarters = [period for period in periods_in(lead) if period.quarter and not _is_outlook(lead, period)]
        periods += quarters[:1] if not periods else []
    quarters = [period for period in periods if period.quarter]
    if not periods:
        periods = in_name
        quarters = [period for period in periods if period.quarter]
    covered = [_with_names(period, in_name, cover) for period in periods[:2]]
    if quarters and quarters[0].quarter == 4 and not any(len(each.key) == 4 for each in covered):
        covered.append(_whole_year(quarters[0], in_name))
    if covered and not quarters:
        covered += [_covered_period(period, [period.key]) for period in in_name if period.quarter]
    return covered


def _with_quarter(period: NamedPeriod, headline: str) -> NamedPeriod:
    """ "Third Quarter and Year-to-Date Results for Fiscal 2023": joins the quarter with a year that is printed apart
    from it."""
    apart = [] if period.quarter or period.half else periods_in(f"{_quarter_words(headline)} {period.year}")
    return replace(period, key=apart[0].key, quarter=apart[0].quarter) if apart and apart[0].quarter else period


def _quarter_words(headline: str) -> str:
    match = ONE_QUARTER.search(headline)
    return match["quarter"] if match else ""


def _past(headline: str) -> str:
    """The headline up to the clause about the future: "...; Raises Full-Year Guidance"."""
    outlook = _OUTLOOK.search(headline)
    if outlook is None:
        return headline
    clauses = list(_CLAUSE.finditer(headline, 0, outlook.start()))
    return headline[: clauses[-1].start()] if clauses else headline[: outlook.start()]


def _is_outlook(text: str, period: NamedPeriod) -> bool:
    return bool(_OUTLOOK.search(text[max(0, period.start - 60) : period.start]))


def _with_names(period: NamedPeriod, in_name: Sequence[NamedPeriod], cover: Cover) -> CoveredPeriod:
    near = [
        each.key if each.quarter or not period.quarter else f"{each.year}-Q{period.quarter}"
        for each in in_name
        if abs(each.year - period.year) <= 1 and each.quarter in (period.quarter, None)
    ]
    if period.quarter is None and period.half is None:
        near = [str(each.year) for each in in_name if abs(each.year - period.year) <= 1]
    return _covered_period(period, [period.key, *near], _last_ended(cover, period.year))


def _last_ended(cover: Cover, year: int) -> str | None:
    """The latest end of a period before the release's date; later ones are outlooks."""
    released = dateline(cover)
    text = cover.early[:20_000]
    # "Ten trading days ended March 9" is no reporting period.
    keys = [
        period.key
        for period in periods_in(text)
        if period.day and re.search(r"(?<!\w)(?<!days )ended\s", text[max(0, period.start - 12) : period.end])
    ]
    past = [key for key in keys if (not released or key < released) and abs(int(key[:4]) - year) <= 1]
    return max(past, default=None)


def _whole_year(quarter: NamedPeriod, in_name: Sequence[NamedPeriod]) -> CoveredPeriod:
    names = [str(quarter.year), *(str(each.year) for each in in_name if abs(each.year - quarter.year) <= 1)]
    return CoveredPeriod(key=str(quarter.year), names=_unique(names))


# -- documents with a date --------------------------------------------------------------------------------------


def titled_periods(title: str, kind: DocumentKind) -> list[CoveredPeriod]:
    """The periods in a title: "Survey 2019"; a range from the first day of a year to the last day of a year becomes its
    years."""
    periods = periods_in(with_english_dates(title)) if kind in TITLED else []
    if len(periods) > 1 and periods[0].key.endswith("-01-01") and periods[1].key.endswith("-12-31"):
        years = dict.fromkeys([periods[0].key[:4], periods[1].key[:4]])
        return [CoveredPeriod(key=year, names=[year]) for year in years]
    return [_covered_period(period, [period.key]) for period in periods[:_MOSTTITLED] if not period.day]


def _dated(cover: Cover, kind: DocumentKind) -> list[CoveredPeriod]:
    """The date of a current report, contract, meeting, memo, letter or bill."""
    labelled = label_dates(cover)
    in_name = [period for period in _filename_periods(cover) if kind == "current report" or period.day is None]
    titled = [period for period in _in_lines(cover, 3) if period.day is None]
    found = labelled[:1] or [period for period in _in_lines(cover, 20) if period.day and not period.months][:1]
    if not found:
        return [_covered_period(period, [period.key]) for period in (titled or in_name)[:1]]
    names = [found[0].key]
    if kind == "current report":
        names += _days_in_brackets(cover, found[0])
    names += [period.key for period in in_name if abs(period.year - found[0].year) <= 2]
    names += [period.key for period in titled if kind == "policy"]
    return [_covered_period(found[0], names, found[0].key)]


def _days_in_brackets(cover: Cover, report: NamedPeriod) -> list[str]:
    """ "July 1, 2022 (June 30, 2022)": the date of the event after the date of the report."""
    days = [period for period in periods_in(cover.text[:5000]) if period.day]
    place = next((number for number, period in enumerate(days) if period.start == report.start), None)
    if place is None or place + 1 >= len(days):
        return []
    return [days[place + 1].key] if 0 < days[place + 1].start - report.end <= 3 else []


def _in_lines(cover: Cover, most: int) -> list[NamedPeriod]:
    return [period for line in cover.lines[:most] for period in periods_in(line.text)]


def _filename_periods(cover: Cover) -> list[NamedPeriod]:
    return periods_in(cover.filename.rsplit(".", 1)[0])


def _near_years(periods: Sequence[NamedPeriod], year: int) -> list[str]:
    return [str(period.year) for period in periods if abs(period.year - year) <= 1]


def _covered_period(period: NamedPeriod, names: list[str], end: str | None = None) -> CoveredPeriod:
    return CoveredPeriod(key=period.key, names=_unique(names), end=end)


def _unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
