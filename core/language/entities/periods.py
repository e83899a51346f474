"""Finds the periods that a text names: returns years, quarters, halves, months and days with positions.

Keys compare as strings: "2022", "2022-Q2", "2022-H1", "2022-06", "2022-06-30". A quarter or half belongs to the year
stated with it; what a company means by its "fiscal 2023" is known only from its documents.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from core.language.entities import period_grammar as grammar
from core.language.entities.calendar_words import COUNTS, PART_NUMBERS, year_of
from core.language.entities.dates import DAYS, DateReading, DateSpan, date_at, dates_in
from core.language.entities.month_spans import month_spans
from core.language.note_marks import note_marks_blanked

MOST_YEARS = 30
"""Maximum number of years in a range for which all years are returned; of a longer one ("1950-2022"), only the first
and last."""

_DATED = DateReading((*DAYS, "compact"), needs_year=True, order="as told", dotted_short=False, years=grammar.YEAR)
_OF_MONTH = DateReading(("month_year", "short_month_year", "year_and_month", "month_of_year"), years=grammar.YEAR)
_WEEK = timedelta(days=7)
_KEY = re.compile(
    r"(?P<year>\d{4})(?:-Q(?P<quarter>[1-4])|-H(?P<half>[12])|-(?P<first>\d{1,2})M|-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
)
_PARTS = {"month": 1, "quarter": 3, "half": 6}
"""Number of months in each part of a year, such as a quarter."""
_ALIKE = str.maketrans(
    dict.fromkeys("‐‑‒–—―−־", "-") | dict.fromkeys("‘’‚‛׳′´`ʼ", "'") | dict.fromkeys("“”„״″", '"') | {"\u00a0": " "}
)
_GONE = "\x00"
_SHORT = 20_000
"""Maximum characters of a text whose periods are cached."""


@dataclass(frozen=True)
class NamedPeriod:
    """A period that a text names; ``start`` and ``end`` are its position in the text. ``fiscal``: the text calls it
    fiscal ("FY2022").

    ``months`` is the length of a period that is named by its last day: "three months ended June 30, 2023" has length 3
    and key "2023-06-30".
    """

    key: str
    year: int
    start: int
    end: int
    quarter: int | None = None
    half: int | None = None
    month: int | None = None
    day: int | None = None
    fiscal: bool = False
    months: int | None = None


def without_periods(text: str) -> str:
    """Returns ``text`` with each named period replaced by one space."""
    return without_spans(text, [(each.start, each.end) for each in periods_in(text)])


def without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """Returns ``text`` with each of ``spans`` replaced by one space."""
    parts, place = [], 0
    for start, end in sorted(spans):
        # The years of a range all have the position of the whole range.
        if start >= place:
            parts += [text[place:start], " "]
        place = max(place, end)
    return "".join([*parts, text[place:]])


def periods_in(text: str) -> list[NamedPeriod]:
    """Returns all periods that ``text`` names, in order; relative ones ("last year") are not included.

    For a range, returns its first and last year and the years in between; all have the position of the whole range.
    """
    return list(_short_text_periods(text) if len(text) <= _SHORT else _periods_of(text))


@lru_cache(maxsize=256)
def _short_text_periods(text: str) -> tuple[NamedPeriod, ...]:
    """Caches the periods of short texts, since every step of answering needs the question's periods."""
    return _periods_of(text)


def _periods_of(text: str) -> tuple[NamedPeriod, ...]:
    plain = note_marks_blanked(text).translate(_ALIKE)
    found: list[NamedPeriod] = []
    if any(character.isdigit() for character in plain):
        left = _blanked(plain, [match.span() for match in grammar.NO_PERIOD.finditer(plain)])
        for read in (_lengths, _month_spans, _dated_periods, _partial_years, _months, _fiscal_years, _years):
            new = list(read(left))
            found += new
            left = _blanked(left, [(period.start, period.end) for period in new])
    unique = {(period.start, period.key, period.months): period for period in found}
    return tuple(sorted(unique.values(), key=lambda period: (period.start, period.end)))


@lru_cache(maxsize=8_192)
def named_keys(text: str) -> tuple[str, ...]:
    """Returns the keys of the periods in ``text`` without duplicates. Cached, since the same few period names occur in
    many documents and questions."""
    return tuple(dict.fromkeys(period.key for period in periods_in(text)))


def extent(period: NamedPeriod | str) -> tuple[date, date]:
    """Returns the period's first and last day. Raises ``ValueError`` for a key that names no period."""
    key = period if isinstance(period, str) else period.key
    match = _KEY.fullmatch(key)
    if match is None:
        raise ValueError(f"{key!r} is no key of a period")
    year = int(match["year"])
    if match["day"]:
        last = date(year, int(match["month"]), int(match["day"]))
        length = None if isinstance(period, str) else period.months
        return (_day_before_months(last, length) + timedelta(days=1) if length else last), last
    if match["first"]:
        months = int(match["first"])
        return date(year, 1, 1), date(year, months, calendar.monthrange(year, months)[1])
    length, number = next(((months, int(match[part])) for part, months in _PARTS.items() if match[part]), (12, 1))
    final = length * number
    return date(year, final - length + 1, 1), date(year, final, calendar.monthrange(year, final)[1])


def covers(whole: NamedPeriod | str, part: NamedPeriod | str) -> bool:
    """Returns whether the period ``part`` is within the period ``whole``: 2022 covers 2022-Q2, 2022-06-30 and
    itself."""
    (begin, end), (first, last) = extent(whole), extent(part)
    return begin <= first and last <= end


def same(one: NamedPeriod | str, other: NamedPeriod | str) -> bool:
    """Returns whether both periods cover the same time: "year ended December 31, 2018" is 2018.

    If one states its length ("52 weeks ended"), they may end a week apart, since such years end on a fixed weekday.
    """
    (begin, end), (first, last) = extent(one), extent(other)
    lengths = any(isinstance(period, NamedPeriod) and period.months for period in (one, other))
    spare = _WEEK if lengths and begin != end and first != last else timedelta(0)
    return abs(begin - first) <= spare and abs(end - last) <= spare


def year_before(period: NamedPeriod) -> NamedPeriod:
    """Returns the same part of the year before: 2022-Q2 for 2023-Q2, and February 28 for February 29."""
    year = period.year - 1
    key = f"{year}{period.key[4:]}"
    if period.month and period.day:
        last = calendar.monthrange(year, period.month)[1]
        key = f"{year}-{period.month:02}-{min(period.day, last):02}"
    return replace(period, key=key, year=year)


def years_ended(end: date) -> list[str]:
    """Returns the years after which a fiscal year may be named: the year in which it ends and, if it ends early in that
    year, the year before."""
    return [str(end.year), str(end.year - 1)] if end.month <= 3 else [str(end.year)]


def _day_before_months(last: date, months: int) -> date:
    """Returns the day before a period of ``months`` months that ends on ``last``."""
    years, place = divmod(last.year * 12 + last.month - 1 - months, 12)
    final = calendar.monthrange(years, place + 1)[1]
    whole = last.day == calendar.monthrange(last.year, last.month)[1]
    return date(years, place + 1, final if whole else min(last.day, final))


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """Returns ``text`` with the parts that were already parsed replaced by spaces; all other characters keep their
    position."""
    parts, place = [], 0
    for start, end in sorted(spans):
        # The years of a range all have the position of the whole range.
        if end > place:
            parts += [text[place : max(start, place)], _GONE * (end - max(start, place))]
            place = end
    return "".join([*parts, text[place:]])


def _lengths(text: str) -> Iterator[NamedPeriod]:
    """Parses "three months ended June 30, 2023 and 2022": yields each day with the period's length."""
    for head in grammar.ENDED.finditer(text):
        place, lengths = head.end(), _lengths_of(head)
        first = True
        while dated := date_at(text, place, _DATED):
            more = grammar.MORE_YEARS.match(text, dated.end)
            for period in _days(dated, more):
                start = head.start() if first else period.start
                first = False
                yield from (replace(period, months=length, start=start) for length in lengths)
            also = grammar.ALSO.match(text, more.end() if more else dated.end)
            if also is None:
                break
            place = also.end()


def _month_spans(text: str) -> Iterator[NamedPeriod]:
    """Parses ranges of months: "January-June 2023" is the first half of the year; one that is no half or quarter, such
    as nine months, is named by its last day."""
    for span in month_spans(text):
        number = span.last // span.months
        place = (span.year, span.start, span.end)
        if span.months == 12:
            yield NamedPeriod(str(span.year), *place)
        elif span.months == 3 and 3 * number == span.last:
            yield NamedPeriod(f"{span.year}-Q{number}", *place, quarter=number)
        elif span.months == 6 and 6 * number == span.last:
            yield NamedPeriod(f"{span.year}-H{number}", *place, half=number)
        elif period := _day_period(span.year, span.last, span.last_day.day, span.start, span.end):
            yield replace(period, months=span.months)


def _lengths_of(head: re.Match[str]) -> list[int]:
    if word := head["word"]:
        for months, beginnings in ((6, ("half", "מחצית")), (12, ("year", "שנ")), (3, ("quarter", "רבעון"))):
            if word.lower().startswith(beginnings):
                return [months]
        return [1]
    return _consecutive_years(head)


def lengths_in(text: str) -> list[int]:
    """Returns the lengths in months that ``text`` mentions: "thirteen weeks" is 3."""
    return [months for match in grammar.COUNTED.finditer(text) for months in _consecutive_years(match)]


def _consecutive_years(match: re.Match[str]) -> list[int]:
    counts = [_spelled_count(number) for number in (match["count"], match["other"]) if number]
    return [months_of_weeks(count) for count in counts] if match["unit"].lower().startswith("week") else counts


def months_of_weeks(weeks: int) -> int:
    """Returns the number of months in the part of a year that has this many weeks; 12 to 17 weeks are a quarter, for
    companies whose periods are whole weeks."""
    return min((1, 3, 6, 9, 12), key=lambda months: abs(months - weeks * 12 / 52))


def _spelled_count(word: str) -> int:
    return int(word) if word.isdigit() else COUNTS[re.sub(r"\s", "-", word.lower())]


def _dated_periods(text: str) -> Iterator[NamedPeriod]:
    for dated in dates_in(text, _DATED):
        yield from _days(dated, grammar.MORE_YEARS.match(text, dated.end))


def _days(dated: DateSpan, more: re.Match[str] | None) -> Iterator[NamedPeriod]:
    """Yields the day, and the same day in the years named after it: "December 31, 2022 and 2021"."""
    day = dated.day
    for year, start, end in ((day.year, dated.start, dated.end), *_years_of(more)):
        if year is None:
            continue
        if day.month is None or day.day is None:
            # 03/04/2023 may be two different days; only its year is certain.
            yield NamedPeriod(str(year), year, start, end)
        elif period := _day_period(year, day.month, day.day, start, end):
            yield period


def _years_of(more: re.Match[str] | None) -> Iterator[tuple[int, int, int]]:
    if more is None:
        return
    for year in re.finditer(grammar.YEAR, more.group()):
        yield int(year.group()), more.start() + year.start(), more.start() + year.end()


def _day_period(year: int, month: int, day: int, start: int, end: int) -> NamedPeriod | None:
    try:
        key = date(year, month, day).isoformat()
    except ValueError:
        return None
    return NamedPeriod(key, year, start, end, month=month, day=day)


def _partial_years(text: str) -> Iterator[NamedPeriod]:
    """Yields quarters, halves and the first months of a year, each with the years named next to it."""
    for match in grammar.FIRST_MONTHS.finditer(text):
        year, fiscal, months = *_year_in(match), 9 if match["count"].lower() in ("nine", "9") else 3
        if period := _day_period(year, months, 30 if months == 9 else 31, *match.span()):
            yield replace(period, months=months, fiscal=fiscal)
    for pattern in (grammar.WHOLE_THEN_PART, grammar.PART_OF_YEAR, grammar.YEAR_THEN_PART):
        for match in pattern.finditer(text):
            yield from _parts_of(match, pattern is grammar.WHOLE_THEN_PART)
        text = _blanked(text, [match.span() for match in pattern.finditer(text)])


def _parts_of(match: re.Match[str], whole: bool) -> Iterator[NamedPeriod]:
    year, fiscal = _year_in(match)
    start, end = match.span()
    for part in re.finditer(grammar.PART, match["parts"], re.IGNORECASE):
        yield _part(part.group(), year, start, end, fiscal)
    if whole or match.groupdict().get("whole"):
        yield NamedPeriod(str(year), year, start, end, fiscal=fiscal)


def _year_in(match: re.Match[str]) -> tuple[int, bool]:
    part = match.groupdict()
    return year_of(part["long"] or part["short"] or part["bare"]), bool(part["fiscal"])


def _part(words: str, year: int, start: int, end: int, fiscal: bool) -> NamedPeriod:
    number = next((int(sign) for sign in words if sign in "1234"), 0) or next(
        PART_NUMBERS[word]
        for part in re.findall(r"[^\W_]+", words.lower())
        for word in (part, part.removeprefix("ה"))
        if word in PART_NUMBERS
    )
    if re.search(r"half|six|מחצית|חציון|h", words.lower()) and not re.search(r"q|fourth|third", words.lower()):
        return NamedPeriod(f"{year}-H{number}", year, start, end, half=number, fiscal=fiscal)
    return NamedPeriod(f"{year}-Q{number}", year, start, end, quarter=number, fiscal=fiscal)


def _months(text: str) -> Iterator[NamedPeriod]:
    for day, start, end, _, _ in dates_in(text, _OF_MONTH):
        if day.year is not None and day.month is not None:
            yield NamedPeriod(f"{day.year}-{day.month:02d}", day.year, start, end, month=day.month)


def _fiscal_years(text: str) -> Iterator[NamedPeriod]:
    """Yields the years in "FY2022", "fiscal years 2023, 2022 and 2021", "FY2015 - FY2017"."""
    for match in grammar.FISCAL_YEARS.finditer(text):
        before, ends = year_of(match["first"]), match.end("first")
        start = match.start("fiscal")
        yield NamedPeriod(str(before), before, start, ends, fiscal=True)
        for more in grammar.ANOTHER_YEAR.finditer(match["more"]):
            year, place = year_of(more["year"]), match.start("more")
            if grammar.A_RANGE.fullmatch(more["join"] or ""):
                yield from _years_between(before, year, start, place + more.end(), True)
            yield NamedPeriod(str(year), year, place + more.start("named"), place + more.end(), fiscal=True)
            before = year


def _years(text: str) -> Iterator[NamedPeriod]:
    for match in grammar.YEAR_RANGE.finditer(text):
        first, last = int(match["first"]), int(match["first"][: -len(match["last"])] + match["last"])
        if first < last:
            yield NamedPeriod(str(first), first, match.start("first"), match.end("first"))
            yield from _years_between(first, last, match.start("first"), match.end("last"), False)
            yield NamedPeriod(str(last), last, match.start("last"), match.end("last"))
            text = _blanked(text, [match.span()])
    for pattern in (grammar.ONE_YEAR, grammar.SHORT_CALENDAR):
        for match in pattern.finditer(text):
            year = year_of(match["first"])
            yield NamedPeriod(str(year), year, match.start("first"), match.end("first"))


def _years_between(first: int, last: int, start: int, end: int, fiscal: bool) -> Iterator[NamedPeriod]:
    if 0 < last - first <= MOST_YEARS:
        yield from (NamedPeriod(str(year), year, start, end, fiscal=fiscal) for year in range(first + 1, last))
