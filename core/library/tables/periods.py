"""Periods that headings name: "Three Months Ended June 30, 2023" → ``2023-Q2``, "June 30, 2018" → ``2018-06-30``."""

from __future__ import annotations

import re

_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HE = {
    "ינואר": 1, "פברואר": 2, "מרץ": 3, "מרס": 3, "אפריל": 4, "מאי": 5, "יוני": 6, "יולי": 7, "אוגוסט": 8, "ספטמבר": 9,
    "אוקטובר": 10, "נובמבר": 11, "דצמבר": 12,
}  # fmt: skip
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|" + "|".join(_HE) + r")"
)
_DAY_LAST = re.compile(
    rf"\b{_MONTH}\.?\s+(?P<day>\d{{1,2}})\b(?:\s*,)?(?:[^\d]{{1,30}}?(?P<year>(?:19|20)\d\d)\b)?", re.I
)
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}})\s+(?:ב|of )?{_MONTH}\.?,?(?:\s+(?P<year>(?:19|20)\d\d)\b)?", re.I)
_MONTH_YEAR = re.compile(rf"\b{_MONTH}\.?,?\s+(?P<year>(?:19|20)\d\d)\b", re.I)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_SLASHED = re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:19|20)?\d\d)\b")
_DOTTED = re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)?\d\d)\b")
_YEAR = re.compile(r"(?<![\d.,$€£₪-])((?:19|20)\d\d)(?:[AEF](?=\b)|\b)(?![.,]\d|%)")
_SPACED_YEAR = re.compile(r"\b(2) (0) (\d) (\d)\b")
_QUARTER = re.compile(
    r"\bQ([1-4])\b|\b([1-4])Q|\b(first|second|third|fourth|1st|2nd|3rd|4th)[\s-]+(?:fiscal\s+)?quarter"
    r"|רבעון (ראשון|שני|שלישי|רביעי)",
    re.I,
)
_SHORT_YEAR = re.compile(r"(?:\bFY|Q[1-4]\s?(?:FY)?\s?|[1-4]Q\s?)['’]?(\d\d)\b", re.I)
_FISCAL = re.compile(r"\bfy\s?['’]?((?:19|20)?\d\d)\b", re.I)
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_HEBREW_ORDINALS = {"ראשון": 1, "שני": 2, "שלישי": 3, "רביעי": 4}
_MONTHS_LONG = [
    (months, re.compile(pattern, re.IGNORECASE))
    for months, pattern in (
        (3, r"\b(?:three|3)[\s-]+(?:months?|weeks?)\b|\bquarters?\b|שלושה חודשים"),
        (3, r"\b(?:twelve|thirteen|fourteen|sixteen|seventeen|1[23467])[\s-]+weeks?\b"),
        (6, r"\b(?:six|6)[\s-]+(?:months?|weeks?)\b|שישה חודשים"),
        (6, r"\b(?:twenty[\s-]?(?:four|six|eight)|2[468])[\s-]+weeks?\b"),
        (9, r"\b(?:nine|9)[\s-]+(?:months?|weeks?)\b|תשעה חודשים"),
        (9, r"\b(?:thirty[\s-]?(?:six|nine)|forty|36|39|40)[\s-]+weeks?\b"),
        (12, r"\b(?:twelve|12)[\s-]+months?\b|\byears?[\s-]+end|^years?\b|\b(?:for|the) years?\b|\bannual\b"),
        (12, r"\bfiscal\b"),
        (12, r"\b5[23][\s-]+weeks?\b|לשנה|שנת|לשנים"),
    )
]
_TWELVE_MONTHS = re.compile(r"\b(?:twelve|12)[\s-]+months?\b", re.I)


def period_of(text: str) -> str | None:
    """The one period that a heading names: ``2022``, ``2022-Q2``, ``2022-H1``, ``2022-9M``, ``2022-06-30`` or ``None``.

    A span is named by the year in which it ends, its quarter by the calendar.
    """
    line = _SPACED_YEAR.sub(r"\1\2\3\4", " ".join(text.split()))
    length = _length(line)
    quarter = _quarter(line)
    date = _date(line)
    year = _year(line)
    if date is not None:
        return _of_date(date, length)
    if year is None:
        return None
    if quarter:
        return f"{year}-Q{quarter}"
    return f"{year}-{_part(length, None)}" if length in (6, 9) else str(year)


def span_key(day: str, months: int) -> str:
    """The key of so many months to an ISO day: "2031-12-31" and 6 → "2031-H2"."""
    return f"{day[:4]}-{_part(months, int(day[5:7]))}"


def _length(line: str) -> int | None:
    if _TWELVE_MONTHS.search(line):
        return 12
    return next((months for months, pattern in _MONTHS_LONG if pattern.search(line)), None)


def _quarter(line: str) -> int | None:
    found = _QUARTER.search(line)
    if not found:
        return None
    digit, leading, ordinal, hebrew = found.groups()
    return int(digit or leading or 0) or _ORDINALS.get((ordinal or "").lower()) or _HEBREW_ORDINALS.get(hebrew or "")


def _of_date(date: tuple[int, int, int | None], length: int | None) -> str:
    year, month, day = date
    if length is None:
        return f"{year}-{month:02d}-{day:02d}" if day else f"{year}-{month:02d}"
    return str(year) if length == 12 else f"{year}-{_part(length, month)}"


def _part(length: int | None, month: int | None) -> str:
    if length == 3 and month:
        return f"Q{(month + 2) // 3}"
    if length == 6:
        return f"H{1 if month is None or month <= 8 else 2}"
    return f"{length}M"


def _date(line: str) -> tuple[int, int, int | None] | None:
    """(year, month, day) of the last date of the line, since spans are named by their end."""
    years = _YEAR.findall(line)
    found: list[tuple[int, tuple[int, int, int | None]]] = []
    for pattern in (_DAY_LAST, _DAY_FIRST, _ISO, _SLASHED, _DOTTED, _MONTH_YEAR):
        for match in pattern.finditer(line):
            groups = match.groupdict()
            year = groups["year"] or (years[-1] if len(set(years)) == 1 else None)
            month, day = _month(groups["month"]), int(groups.get("day") or 0) or None
            if year and 1 <= month <= 12 and (day or 1) <= 31:
                found.append((match.start(), (_full(year), month, day)))
        if found:
            break
    return max(found)[1] if found else None


def _month(text: str) -> int:
    if text.isdigit():
        return int(text)
    return _HE.get(text) or _EN.index(text[:3].lower()) + 1


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _year(line: str) -> int | None:
    """``None`` when the line names several: a comparison is no period."""
    found = {int(year) for year in _YEAR.findall(line)} | {_full(year) for year in _FISCAL.findall(line)}
    found |= {_full(year) for year in _SHORT_YEAR.findall(line)} if not found else set()
    return found.pop() if len(found) == 1 else None
