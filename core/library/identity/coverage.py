"""The periods that a document covers and its date: *cover, kind* → ``CoveredPeriod``s, ISO date [issue 12].

A fiscal year has up to three names: the company's own ("fiscal 2022"), the year it ends in, and the filename's. The key
is the company's own where the text says it, else the year it ends in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.language.periods import NamedPeriod, extent, periods_in
from core.library.identity.cover import Cover
from core.library.identity.wording import any_of
from core.library.records import CoveredPeriod, DocumentKind

_NEAR = 90
"""Characters after a label in which its date stands."""
_SEC_QUARTERS = re.compile(r"(?P<ordinal>first|second|third|fourth)\s*(?:fiscal\s*)?quarters?\s*(?:of\s*)?(?:fiscal|fy)\s*(?:year\s*)?(?P<year>20\d\d)",
                           re.IGNORECASE)  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FISCAL_END = timedelta(days=16)


def periods_of(cover: Cover, kind: DocumentKind, headline: str | None = None) -> list[CoveredPeriod]:
    """What the document is about in time, the main period first; none where nothing says it."""
    if kind == "annual report":
        found = _year(cover)
    elif kind == "quarterly report":
        found = _quarter(cover)
    elif kind == "earnings release":
        found = _release(cover, headline or "")
    else:
        found = _dated(cover, kind)
    return found


def date_of(cover: Cover, kind: DocumentKind) -> str | None:
    """The day that the document bears: of its label, of its dateline, else of its signature."""
    if kind in ("annual report", "quarterly report"):
        signed = [each for each in _after_label(cover.last, ("date", "dated", "תאריך")) if each.day]
        return signed[-1].key if signed else None
    labelled = _label_dates(cover)
    if labelled:
        return labelled[0].key
    days = [period for line in cover.lines[:12] for period in periods_in(line.text) if period.day and not period.months]
    return days[0].key if days else None


# -- annual reports ----------------------------------------------------------------------------------------------------


def _year(cover: Cover) -> list[CoveredPeriod]:
    ended = _ended(cover, (12,))
    said = _said_years(cover)
    in_name = _filename_periods(cover)
    if ended is not None:
        last = extent(ended)[1]
        own = _own_year(last, cover)
        key = str(own or last.year)
        names = [key, f"fiscal {key}", str(last.year), *_near_years(in_name, last.year)]
        return [CoveredPeriod(key=key, names=_unique(names), end=last.isoformat())]
    years = [period.year for line in cover.lines[:12] for period in periods_in(line.text)]
    year = years[0] if years else in_name[0].year if in_name else said[0] if said else None
    if year is None:
        return []
    return [CoveredPeriod(key=str(year), names=_unique([str(year), *_near_years(in_name, year)]))]


def _ended(cover: Cover, months: tuple[int, ...]) -> NamedPeriod | None:
    """The first period of this length that the cover says ended, however far its date has drifted from the words."""
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
    """The number that the text gives the fiscal year which ended on ``last``.

    "fiscal 2023" beside "(the year ended January 28, 2023)" says it; else the fiscal year that is named most, of the two
    that it can be. A year that ends in the second half of a year has that year's number.
    """
    if last.month > 5:
        return last.year
    for match in re.finditer(r"fiscal\s*(?:year\s*)?(?P<year>20\d\d)\s*(?:\([^)]{0,20}|,?\s*(?:which\s*)?)?(?:the\s*)?[^.;]{0,40}?end(?:ed|ing|s)\s*(?:on\s*)?(?P<rest>[^.;]{4,40})",
                             cover.early, re.IGNORECASE):  # fmt: skip
        days = [period for period in periods_in(match["rest"]) if period.day]
        if days and abs(extent(days[0])[1] - last) <= timedelta(days=1):
            return int(match["year"])
    counts = Counter(period.year for period in periods_in(cover.early) if period.fiscal and period.quarter is None)
    here, before = counts[last.year], counts[last.year - 1]
    if not here and not before:
        return None
    # A report speaks of its own year and of the one before it, hardly of the next.
    return last.year if here > counts[last.year - 2] or here >= before else last.year - 1


def _said_years(cover: Cover) -> list[int]:
    counts = Counter(period.year for period in periods_in(cover.text))
    return [year for year, _ in counts.most_common(1)]


# -- quarterly reports -------------------------------------------------------------------------------------------------


def _quarter(cover: Cover) -> list[CoveredPeriod]:
    ended = _ended(cover, (3,)) or _ended(cover, (6, 9))
    in_name = [period for period in _filename_periods(cover) if period.quarter or period.half]
    if ended is None:
        named = [
            period for line in cover.lines[:20] for period in periods_in(line.text) if period.quarter or period.half
        ]
        known = [*named, *in_name]
        return [_covered(known[0], [period.key for period in known])] if known else []
    last = extent(ended)[1]
    calendar = f"{last.year}-Q{(last.month + (0 if last.day > 9 else -1) + 2) // 3}"
    own = _own_quarter(last, cover) or (in_name[0].key if in_name else calendar)
    names = _unique([own, *[period.key for period in in_name], calendar])
    return [CoveredPeriod(key=own, names=names, end=last.isoformat())]


def _own_quarter(last: date, cover: Cover) -> str | None:
    """The quarter that the text speaks of most as its own fiscal one, when that can have ended on ``last``."""
    counts: Counter[str] = Counter()
    for match in _SEC_QUARTERS.finditer(cover.early):
        year, quarter = int(match["year"]), _ORDINALS[match["ordinal"].lower()]
        if year in (last.year - 1, last.year, last.year + 1):
            counts[f"{year}-Q{quarter}"] += 1
    for period in periods_in(cover.early):
        if period.quarter and period.fiscal and abs(period.year - last.year) <= 1:
            counts[period.key] += 1
    if not counts:
        return None
    # The year before is named as often, for comparison: the later of the two is its own.
    most = counts.most_common(1)[0]
    return max(key for key, count in counts.items() if count * 2 >= most[1] and key[-2:] == most[0][-2:])


# -- releases ----------------------------------------------------------------------------------------------------------


def _release(cover: Cover, headline: str) -> list[CoveredPeriod]:
    """Quarter and year of the headline; what it leaves open is told by the first paragraphs and the filename."""
    in_name = _filename_periods(cover)
    said = [period for period in periods_in(_past(headline)) if period.day is None and period.month is None]
    said = [_with_quarter(period, headline) for period in said]
    if not any(period.quarter for period in said):
        lead = "\n".join(line.text for line in cover.lines[:14])
        quarters = [period for period in periods_in(lead) if period.quarter and not _is_outlook(lead, period)]
        said += quarters[:1] if not said else []
    quarters = [period for period in said if period.quarter]
    if not said:
        said = in_name
        quarters = [period for period in said if period.quarter]
    covered = [_with_names(period, in_name, cover) for period in said[:2]]
    if quarters and quarters[0].quarter == 4 and not any(len(each.key) == 4 for each in covered):
        covered.append(_whole_year(quarters[0], in_name))
    if covered and not quarters:
        covered += [_covered(period, [period.key]) for period in in_name if period.quarter]
    return covered


def _with_quarter(period: NamedPeriod, headline: str) -> NamedPeriod:
    """ "Third Quarter and Year-to-Date Results for Fiscal 2023": the quarter stands apart from its year."""
    apart = [] if period.quarter or period.half else periods_in(f"{_quarter_words(headline)} {period.year}")
    return replace(period, key=apart[0].key, quarter=apart[0].quarter) if apart and apart[0].quarter else period


def _quarter_words(headline: str) -> str:
    match = re.search(
        r"\b(?:first|second|third|fourth)[\s-]+quarter\b|\bq[1-4]\b|רבעון ה?(?:ראשון|שני|שלישי|רביעי)",
        headline,
        re.IGNORECASE,
    )
    return match.group() if match else ""


def _past(headline: str) -> str:
    """The headline up to where it speaks of what is to come."""
    return re.split(r"outlook|guidance|expects|forecast|תחזית", headline, flags=re.IGNORECASE)[0]


def _is_outlook(text: str, period: NamedPeriod) -> bool:
    return bool(
        re.search(r"outlook|guidance|expect|forecast", text[max(0, period.start - 60) : period.start], re.IGNORECASE)
    )


def _with_names(period: NamedPeriod, in_name: Sequence[NamedPeriod], cover: Cover) -> CoveredPeriod:
    near = [
        each.key if each.quarter or not period.quarter else f"{each.year}-Q{period.quarter}"
        for each in in_name
        if abs(each.year - period.year) <= 1 and each.quarter in (period.quarter, None)
    ]
    if period.quarter is None and period.half is None:
        near = [str(each.year) for each in in_name if abs(each.year - period.year) <= 1]
    ended = _ended(cover, (3, 12))
    end = extent(ended)[1].isoformat() if ended and abs(ended.year - period.year) <= 1 else None
    return _covered(period, [period.key, *near], end)


def _whole_year(quarter: NamedPeriod, in_name: Sequence[NamedPeriod]) -> CoveredPeriod:
    names = [str(quarter.year), *(str(each.year) for each in in_name if abs(each.year - quarter.year) <= 1)]
    return CoveredPeriod(key=str(quarter.year), names=_unique(names))


# -- what bears a date -------------------------------------------------------------------------------------------------


def _dated(cover: Cover, kind: DocumentKind) -> list[CoveredPeriod]:
    """The day of a report, contract, meeting, memo or bill; the year in a title; else nothing."""
    if kind == "other":
        titled = [period for line in cover.lines[:1] for period in periods_in(line.text) if len(line.text) < 120]
        return [_covered(period, [period.key]) for period in titled[:2]]
    if kind == "paper":
        return []
    labelled = _label_dates(cover)
    in_name = [period for period in _filename_periods(cover) if kind == "current report" or period.day is None]
    titled = [period for line in cover.lines[:3] for period in periods_in(line.text) if period.day is None]
    found = (
        labelled[:1]
        or [
            period for line in cover.lines[:20] for period in periods_in(line.text) if period.day and not period.months
        ][:1]
    )
    if not found:
        return [_covered(period, [period.key]) for period in (titled or in_name)[:1]]
    names = [found[0].key, *(period.key for period in labelled[1:2] if kind == "current report")]
    names += [period.key for period in in_name if abs(period.year - found[0].year) <= 2]
    names += [period.key for period in titled if kind == "policy"]
    return [_covered(found[0], names, found[0].key)]


def _label_dates(cover: Cover) -> list[NamedPeriod]:
    """Days that stand beside a label of a date, the surest label first."""
    return [period for period in _after_label(cover.text[:5000], None) if period.day]


def _after_label(text: str, labels: tuple[str, ...] | None) -> list[NamedPeriod]:
    pattern = any_of("dates") if labels is None else re.compile(rf"(?<!\w)(?:{'|'.join(labels)})(?!\w)", re.IGNORECASE)
    found: dict[int, NamedPeriod] = {}
    days = [period for period in periods_in(text) if period.day]
    for match in pattern.finditer(text):
        for period in days:
            gap = text[match.end() : period.start]
            if match.end() <= period.start + 4 and period.start - match.end() <= _NEAR and gap.count("\n") <= 1:
                found.setdefault(period.start, period)
                break
    for period in days:
        # "January 4, 2023 / Date of Report": the label below its line.
        after = text[period.end : period.end + 40].lstrip(" \n_|")
        if re.match(r"date\s*of\s*report", after, re.IGNORECASE):
            found.setdefault(period.start, period)
    return [found[start] for start in sorted(found)]


def _filename_periods(cover: Cover) -> list[NamedPeriod]:
    return periods_in(cover.filename.rsplit(".", 1)[0])


def _near_years(periods: Sequence[NamedPeriod], year: int) -> list[str]:
    return [str(period.year) for period in periods if abs(period.year - year) <= 1]


def _covered(period: NamedPeriod, names: list[str], end: str | None = None) -> CoveredPeriod:
    return CoveredPeriod(key=period.key, names=_unique(names), end=end)


def _unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
