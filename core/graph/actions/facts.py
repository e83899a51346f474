"""What can be wrong in a sentence although its words are right: numbers with their units and limits, dates, codes and
names, in English and Hebrew [issue: support check; spec A6 audit]."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from core.graph.actions.numerals import CURRENCIES, IN_DAYS, LEAST, MOST, MULTIPLIERS, PAIRS, UNITS, VALUES
from core.language.normalisation import normalise, strip_nikud
from core.language.terms import is_stop_word

Limit = Literal["most", "least", "exactly"]

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
_CODE = re.compile(r"(?<![\w-])(?=[\w-]*[A-Za-z])(?=[\w-]*\d)(?!\d+(?:st|nd|rd|th)\b)[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?!:?\d)")
_TOKEN = re.compile(r"[$€£₪]|%|°|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+(?:[\"'][^\W\d_]+)*")
_PREFIX = "ובלמהשכ"
_NAME = re.compile(r"[A-Z][\w'&]*(?:-[\w']+)*")
_START = re.compile(r"(?:^|[.!?:;\n|>•]\s*|[\"'(\[*_]+|^\s*[-*\d.()]+\s+)$")
_NUMBERED = re.compile(
    r"^\W{0,3}\d{1,2}(?:\.\d{1,2})+\)?\s+(?=[A-Z]|[א-ת](?!חוז|ליון|יליון|לף))|^\W{0,3}\d{1,2}[.)]\s+"
)
"""The number of a clause is no fact."""
_WORKING = frozenset({"working", "business", "עבודה", "עסקים"})
_NOT_ONE = re.compile(
    r"\b(?:no one|one of|one another|anyone|one's|that one|this one|the one)\b|אף אחד|אחד מ|אחת מ|כל אחד|כל אחת"
)


@dataclass(frozen=True)
class Number:
    """``unit`` is one of ``numerals.UNITS``, ``working day`` or ``""``; ``start``: its place in the prepared text;
    ``thing``: the word behind it, which it counts where it has no unit."""

    value: float
    unit: str = ""
    limit: Limit | None = None
    start: int = 0
    thing: str = field(default="", compare=False)

    def same(self, other: Number) -> bool:
        """Equal in value, and in unit where both have one; units of time are converted."""
        if self.unit and other.unit and self.unit != other.unit:
            if self.unit in IN_DAYS and other.unit in IN_DAYS:
                return abs(self.value * IN_DAYS[self.unit] - other.value * IN_DAYS[other.unit]) < 1e-6
            return False
        return abs(self.value - other.value) < 1e-9


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


@dataclass(frozen=True)
class Facts:
    """``names``: Latin names and codes, lower case."""

    numbers: tuple[Number, ...]
    dates: tuple[Day, ...]
    clocks: frozenset[str]
    names: frozenset[str]

    @property
    def days(self) -> frozenset[Day]:
        return frozenset(self.dates)

    @property
    def years(self) -> frozenset[int]:
        told = {day.year for day in self.days if day.year}
        return frozenset(told | {int(n.value) for n in self.numbers if not n.unit and 1500 <= n.value < 2100})

    @property
    def count(self) -> int:
        return len(self.numbers) + len(self.dates) + len(self.clocks) + len(self.names)


def prepared(text: str) -> str:
    """``text`` in the spelling in which facts are looked for; case stays."""
    return strip_nikud(normalise(text))


@lru_cache(maxsize=20_000)
def facts(text: str) -> Facts:
    """The facts that ``text`` holds."""
    text = _NUMBERED.sub("", prepared(text))
    days: list[Day] = []
    rest = _taken(_DATE, text, lambda match: _keep(days, _day(match)))
    rest = _taken(_WEEKDAY, rest, lambda match: _keep(days, Day(weekday=_WEEKDAYS[match["name"].lower()])))
    clocks = frozenset(f"{int(match[1])}:{match[2]}" for match in _CLOCK.finditer(rest))
    rest = _taken(_CLOCK, rest, lambda match: True)
    codes = {match.group().lower() for match in _CODE.finditer(rest)}
    rest = _taken(_CODE, rest, lambda match: True)
    return Facts(tuple(_numbers(rest)), tuple(days), clocks, frozenset(codes | set(_names(rest))))


def _taken(pattern: re.Pattern[str], text: str, keep: Callable[[re.Match[str]], bool]) -> str:
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


def _numbers(text: str) -> Iterator[Number]:
    tokens = [(match.group().lower(), match.start()) for match in _TOKEN.finditer(text)]
    not_ones = {place for match in _NOT_ONE.finditer(text.lower()) for place in range(match.start(), match.end())}
    index = 0
    while index < len(tokens):
        word, start = tokens[index]
        bare = _bare(word)
        if bare in PAIRS:
            value, unit = PAIRS[bare]
            yield Number(value, unit, _limit(text, start, tokens, index + 1), start)
            index += 1
            continue
        length, value = _value(tokens, index)
        if not length or (value == 1 and not word[0].isdecimal() and start in not_ones):
            index += 1
            continue
        unit = _unit(tokens, index, length)
        thing = tokens[index + length][0] if not unit and index + length < len(tokens) else ""
        yield Number(value, unit, _limit(text, start, tokens, index + length), start, thing)
        index += length


def _bare(word: str) -> str:
    """A Hebrew number word without its prefix letters."""
    if word in VALUES or word in MULTIPLIERS or word in PAIRS or word in UNITS:
        return word
    for cut in (1, 2):
        rest = word[cut:]
        if all(letter in _PREFIX for letter in word[:cut]) and (
            rest in VALUES or rest in MULTIPLIERS or rest in PAIRS or rest in UNITS
        ):
            return rest
    return word


def _value(tokens: list[tuple[str, int]], index: int) -> tuple[int, float]:
    """How many tokens from ``index`` are one number, and its value."""
    word = _bare(tokens[index][0])
    total, length = 0.0, 1
    if word[0].isdecimal():
        current = float(word.replace(",", ""))
    elif word in VALUES:
        current = VALUES[word]
    elif word == "once" and index + 1 < len(tokens) and tokens[index + 1][0] in ("a", "in", "per", "each", "every"):
        return 1, 1.0
    elif word in MULTIPLIERS:
        current = MULTIPLIERS[word]
    else:
        return 0, 0.0
    digits = word[0].isdecimal()
    while index + length < len(tokens):
        raw = tokens[index + length][0]
        following = _bare(raw)
        joined = raw == "and" and index + length + 1 < len(tokens)
        if following in MULTIPLIERS:
            current *= MULTIPLIERS[following] if current < MULTIPLIERS[following] else 1
            if current >= 1_000:
                total, current = total + current, 0.0
        elif not digits and following in VALUES and _adds(current or total, VALUES[following], raw):
            current += VALUES[following]
        elif not (joined and current + total >= 100 and not digits and _bare(tokens[index + length + 1][0]) in VALUES):
            break
        length += 1
    return length, total + current


def _adds(before: float, value: float, raw: str) -> bool:
    """Whether number words run on: twenty five, עשרים וחמש, three hundred ten."""
    if before >= 100:
        return value < 100 and value >= 1
    hebrew = "א" <= raw[0] <= "ת"
    if before >= 20 and before % 10 == 0:
        return 1 <= value < 10 and (not hebrew or raw.startswith("ו"))
    return hebrew and value == 10 and 1 <= before < 10 and raw in ("עשרה", "עשר")


def _unit(tokens: list[tuple[str, int]], index: int, length: int) -> str:
    after = [word for word, _ in tokens[index + length : index + length + 2]]
    if after[:1] in (["working"], ["business"]) or (after[:1] == ["ימי"] and after[1:2] and after[1] in _WORKING):
        return "working day"
    if after == ["per", "cent"]:
        return "percent"
    if after and (unit := _unit_of(after[0])):
        return unit
    before, place = tokens[index - 1] if index else ("", 0)
    unit = _unit_of(before)
    if tokens[index][0] in ("אחד", "אחת"):
        return unit
    beside = tokens[index][1] - place - len(before) <= 1
    return unit if unit in CURRENCIES and beside else ""


def _unit_of(word: str) -> str:
    """Of a word as it stands, or behind the Hebrew article: other prefixes make it "per week" and no count."""
    return UNITS.get(word) or (UNITS.get(word[1:], "") if word.startswith("ה") else "")


def _any(phrases: list[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


_BETWEEN = r"[\s$€£₪-]*(?:(?:a|the|ils|nis|usd|eur|total|sum|of|period|ה|כ|סך|של|סכום|תקופה)[\s-]+){0,3}[$€£₪-]*$"
_MOST_BEFORE = re.compile(rf"(?<![\wא-ת])ו?ש?(?:{_any(MOST)}){_BETWEEN}", re.IGNORECASE)
_LEAST_BEFORE = re.compile(rf"(?<![\wא-ת])ו?ש?(?:{_any(LEAST)}){_BETWEEN}", re.IGNORECASE)
_EXACT_BEFORE = re.compile(r"(?:exactly|precisely|בדיוק)\s*(?:ils|nis|usd)?\s*$", re.IGNORECASE)
_MOST_BEHIND = re.compile(
    r"^\s*(?:[\w\"']+\s+){0,2}(?:or less|or fewer|at most|maximum|לכל היותר|או פחות|ומטה)\b", re.IGNORECASE
)
_LEAST_BEHIND = re.compile(
    r"^\s*(?:[\w\"']+\s+){0,2}(?:or more|at least|minimum|and above|לפחות|או יותר|ומעלה)\b", re.IGNORECASE
)
_REACH = 40
_BACKWARDS = re.compile(r"\s*\w+\s+(?:\w+\s+)?(?:before|prior|ahead|לפני)(?!\w)", re.IGNORECASE)
_EARLIER = re.compile(r"(?:not?|לא) (?:earlier than|יותר מוקדם מ|מוקדם מ)\W*$")
_LATER = re.compile(r"(?:not?|לא) (?:later than|יאוחר מ)\W*$")


def _limit(text: str, start: int, tokens: list[tuple[str, int]], index: int) -> Limit | None:
    """What the words around the number at ``start`` make of it; token ``index`` is the first behind it."""
    found = _limit_before(text, start) or _limit_behind(text, tokens, index)
    behind = text[tokens[index][1] :][:_REACH] if index < len(tokens) else ""
    if found and _BACKWARDS.match(behind):
        # "No earlier than ten days before" is at most ten days: time is counted backwards there.
        before = text[max(0, start - _REACH) : start].lower()
        if _EARLIER.search(before):
            return "most"
        if _LATER.search(before):
            return "least"
    return found


def _limit_before(text: str, start: int) -> Limit | None:
    """What the words before the number at ``start`` make of it."""
    before = text[max(0, start - _REACH) : start].lower()
    if _EXACT_BEFORE.search(before):
        return "exactly"
    most, least = _MOST_BEFORE.search(before), _LEAST_BEFORE.search(before)
    if most and least:
        return "most" if most.start() <= least.start() else "least"
    if most:
        return "most"
    return "least" if least else None


def _limit_behind(text: str, tokens: list[tuple[str, int]], index: int) -> Limit | None:
    behind = text[tokens[index][1] :][:_REACH] if index < len(tokens) else ""
    if _MOST_BEHIND.search(behind):
        return "most"
    return "least" if _LEAST_BEHIND.search(behind) else None


def _names(text: str) -> Iterator[str]:
    """Words with a capital letter that are not there because a sentence begins."""
    for match in _NAME.finditer(text):
        word = match.group().removesuffix("'s")
        opens = bool(_START.search(text[: match.start()])) or match.start() == 0
        if len(word) < 2 or word.lower() in UNITS or is_stop_word(word.lower()):
            continue
        if not opens or (word.isupper() and len(word) > 1):
            yield word.lower()


def opening_word(text: str) -> str | None:
    """The capitalised word that begins ``text``: perhaps a name."""
    match = _NAME.match(prepared(text).lstrip("\"'([*_> -#"))
    return match.group().removesuffix("'s").lower() if match and not is_stop_word(match.group().lower()) else None
