"""The dates of a text: *text* → :class:`Day` as far as each is told, in English and Hebrew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_MONTH_NAMES = (
    "january|jan ינואר", "february|feb פברואר", "march|mar מרץ|מרס", "april|apr אפריל", "may מאי", "june|jun יוני",
    "july|jul יולי", "august|aug אוגוסט", "september|sept|sep ספטמבר", "october|oct אוקטובר", "november|nov נובמבר",
    "december|dec דצמבר",
)  # fmt: skip
_MONTHS = {
    name: number for number, names in enumerate(_MONTH_NAMES, 1) for part in names.split() for name in part.split("|")
}
_ENGLISH_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_HEBREW_DAYS = ("ראשון", "שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת")
_WEEKDAYS = {name: number for number, name in enumerate(_ENGLISH_DAYS, 1)}
_WEEKDAYS |= {f"יום {name}": number for number, name in enumerate(_HEBREW_DAYS, 1)}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[5-9]|20)\d\d"
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)"
    rf"|(?P<d2>\d{{1,2}})[./](?P<m2>\d{{1,2}})(?:[./](?P<y2>(?:{_YEAR}|\d\d)))(?![\d%])"
    rf"|(?P<m3>{_MONTH})(?:(?<=\b\w\w\w)\.)? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?![\d%]| ?%|[.:]\d)"
    rf"(?:,? (?P<y3>{_YEAR}))?"
    rf"|(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? [בל]?-?(?P<m4>{_MONTH})(?![\wא-ת])\.?(?:,? (?P<y4>{_YEAR}))?"
    rf"|[ובלמהש]{{0,2}}-?(?P<m5>{_MONTH})(?![\wא-ת])\.?(?:,? (?P<y5>{_YEAR}))?)",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"(?<![\wא-ת])[ובלמהש]{{0,2}}(?P<name>{'|'.join(_WEEKDAYS)})s?(?![\wא-ת])", re.IGNORECASE)
_AMBIGUOUS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "sept"})
_START = re.compile(r"(?:^|[.!?:;\n|>•]\s*|[\"'(\[*_]+|^\s*[-*\d.()]+\s+)$")


@dataclass(frozen=True)
class Day:
    """A date as far as it is told; ``weekday`` counts from Sunday = 1."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def within(self, others: Iterable[Day], years: frozenset[int]) -> bool:
        """Whether one of ``others`` says the same; its year may stand elsewhere, among ``years``."""
        return any(self.fits(other, years) for other in others)

    def fits(self, other: Day, years: frozenset[int]) -> bool:
        """Whether ``other`` says the same, and at least as much."""
        if self.weekday or other.weekday:
            return self.weekday == other.weekday
        year = self.year is None or self.year == other.year or (other.year is None and self.year in years)
        return year and self.month == other.month and self.day in (None, other.day)


def dates_in(text: str) -> tuple[list[Day], str]:
    """The dates of ``text``, and what is left of it, places unchanged."""
    days: list[Day] = []
    rest = taken(_DATE, text, lambda match: _keep(days, _day(match)))
    rest = taken(_WEEKDAY, rest, lambda match: _keep(days, Day(weekday=_WEEKDAYS[match["name"].lower()])))
    return days, rest


def taken(pattern: re.Pattern[str], text: str, keep: Callable[[re.Match[str]], bool]) -> str:
    """``text`` with what was kept blanked out, places unchanged."""
    return pattern.sub(lambda match: " " * len(match.group()) if keep(match) else match.group(), text)


def _keep(days: list[Day], day: Day | None) -> bool:
    if day:
        days.append(day)
    return day is not None


def _day(match: re.Match[str]) -> Day | None:
    part = {key: value for key, value in match.groupdict().items() if value}
    by_key = {key[0]: value for key, value in part.items()}
    month = by_key["m"]
    if month.lower() in _AMBIGUOUS and len(part) == 1 and not _is_month(match, month):
        return None
    number = _MONTHS.get(month.lower()) or int(month)
    year = int(by_key["y"]) if "y" in by_key else None
    day = int(by_key["d"]) if "d" in by_key else None
    if number > 12 and day and day <= 12:
        number, day = day, number
    if number > 12 or (day or 1) > 31:
        return None
    return Day(year + 2000 if year is not None and year < 100 else year, number, day)


def _is_month(match: re.Match[str], month: str) -> bool:
    """Whether "May" or "March" alone is a month: a capital letter that no beginning of a sentence explains."""
    place = match.end() - len(month)
    return month[0].isupper() and place > 0 and not _START.search(match.string[:place])
