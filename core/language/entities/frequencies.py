"""Finds frequencies in English and Hebrew text; returns each as a number of times a year with its position.

"Every two months", "twice a year", "monthly" and "a month" after a price are frequencies; "a month before" is a
duration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.language.cache_sizes import TEXTS
from core.language.entities.calendar_words import MONTH
from core.language.entities.numerals import ADVERBS, PAIRS, UNITS, VALUES
from core.language.normalisation import fold

TIMES_A_YEAR = {
    "hour": 8_760.0, "day": 365.0, "night": 365.0, "working day": 250.0, "week": 52.0, "month": 12.0, "quarter": 4.0,
    "year": 1.0,
}  # fmt: skip
_SPELLINGS = {word: unit for word, unit in UNITS.items() if unit in TIMES_A_YEAR} | {"quarter": "quarter"}
_SPELLINGS |= dict.fromkeys(("רבעון", "רבעונים"), "quarter")
_ENGLISH = "|".join(sorted((word for word in _SPELLINGS if word.isascii()), key=len, reverse=True))
_HEBREW = "|".join(sorted([*(w for w in _SPELLINGS if not w.isascii()), *PAIRS], key=len, reverse=True))
_COUNT = (
    r"(?:(?!working|business|calendar|contract)(?P<count>other|second|\d+|[a-z]+)\s+)?"
    r"(?P<working>working\s+|business\s+)?(?:calendar\s+|contract\s+)?"
)
_TIMES = r"(?P<times>once|twice|thrice|[\w.]{1,40}\s+times)\s+"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_TIMES}(?:in\s+)?(?:a|an|per|each|every|any)\s+{_COUNT}(?P<unit>{_ENGLISH})\b",
        rf"\b(?:every|each|in\s+any)\s+{_COUNT}(?P<unit>{_ENGLISH})\b",
        rf"(?<!within )(?<!for )(?<!after )(?<!about )(?<!than )\b(?:a|per)\s+(?:calendar\s+|contract\s+)?"
        rf"(?P<unit>{_ENGLISH})\b(?!'|\s+(?:before|after|later|ago|earlier|in advance|from|of|notice|prior)\b)",
        rf"\b(?P<adverb>{'|'.join(word for word in ADVERBS if word.isascii())})\b",
        rf"(?<![א-ת])(?P<times>פעם|אחת|פעמיים|[א-ת\d]{{1,40}}\s+פעמים)\s+(?:בכל\s+|לכל\s+|כל\s+|[בל]-?)(?:(?P<count>[א-ת\d]+)\s+)?"
        rf"(?P<unit>{_HEBREW})(?![א-ת])",
        rf"(?<![א-ת])(?:ב?כל|לכל|מדי|מידי)\s+(?:(?P<count>[א-ת\d]+)\s+)?(?P<unit>{_HEBREW})(?![א-ת])",
        rf"(?<![א-ת])[לב](?P<unit>חודש|שנה|שבוע|יום|שעה|לילה|רבעון)(?![א-ת])(?!\s+(?:\d|{MONTH}|ה(?:ראשו|אחרו|שני|שליש|בא|קודמ)))",
        rf"(?<![א-ת])ה?(?P<adverb>{'|'.join(word for word in ADVERBS if not word.isascii())})(?![א-ת])",
    )
)
_WHOLE_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0, "פעם": 1.0, "אחת": 1.0, "פעמיים": 2.0}


@dataclass(frozen=True)
class Frequency:
    """A frequency; ``a_year``: how many times a year; ``start`` and ``end``: its position in the normalised (folded)
    text."""

    a_year: float
    start: int
    end: int

    def same(self, other: Frequency) -> bool:
        return abs(self.a_year - other.a_year) <= 0.02 * max(self.a_year, other.a_year)


@lru_cache(maxsize=TEXTS)
def frequencies(text: str) -> tuple[Frequency, ...]:
    """Returns the frequencies of ``text`` in order of position."""
    return tuple(sorted(_frequencies(fold(text)), key=lambda each: each.start))


def _frequencies(plain: str) -> Iterator[Frequency]:
    rest = plain
    for pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            rate = _rate(match.groupdict())
            if rate is not None:
                yield Frequency(rate, *match.span())
                rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]


def _rate(groups: dict[str, str | None]) -> float | None:
    """Returns the number of times a year, or ``None`` if the text between "every" and the unit is not a number: "every
    last month"."""
    if adverb := groups.get("adverb"):
        return TIMES_A_YEAR[ADVERBS[adverb]]
    times, count = _times(groups.get("times")), _frequency_count(groups.get("count"))
    unit = groups["unit"] or ""
    if unit in PAIRS:
        count, name = 2.0, PAIRS[unit][1]
    else:
        name = "working day" if groups.get("working") else _SPELLINGS[unit]
    return None if times is None or not count else times * TIMES_A_YEAR[name] / count


def _times(word: str | None) -> float | None:
    return _WHOLE_TIMES.get(word) or _number_value(word.split()[0]) if word is not None else 1.0


def _frequency_count(word: str | None) -> float | None:
    if word is None:
        return 1.0
    return 2.0 if word in ("other", "second") else _number_value(word)


def _number_value(word: str) -> float | None:
    return float(word) if word.replace(".", "", 1).isdigit() else VALUES.get(word)
