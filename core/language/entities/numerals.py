"""Number words of English and Hebrew, and the units that numbers count."""

from __future__ import annotations

from pydantic import BaseModel

from core.language.vocabulary import read_vocabulary


class _Numerals(BaseModel, extra="forbid", frozen=True):
    values: dict[float, str]
    multipliers: dict[float, str]
    scales: dict[float, str]
    pairs: dict[str, str]
    units: dict[str, str]
    adverbs: dict[str, str]
    most: list[str]
    least: list[str]
    ordinals: str


_DATA = _Numerals.model_validate(read_vocabulary("numerals"))


def _by_word(lists: dict[float, str]) -> dict[str, float]:
    return {word: value for value, words in lists.items() for word in words.split()}


VALUES: dict[str, float] = _by_word(_DATA.values)
MULTIPLIERS: dict[str, float] = _by_word(_DATA.multipliers)
SCALES: dict[str, float] = _by_word(_DATA.scales)
"""Letters that scale an amount of money."""
PAIRS: dict[str, tuple[float, str]] = {
    word: (2.0, unit) for unit, words in _DATA.pairs.items() for word in words.split()
}
"""Words that are a number and its unit at once."""

UNITS: dict[str, str] = {word: unit for unit, words in _DATA.units.items() for word in words.split()}
"""Every spelling to the name of its unit."""

ADVERBS: dict[str, str] = {word: unit for unit, words in _DATA.adverbs.items() for word in words.split()}
"""How often, as one word, to the unit of time that passes between."""

MOST: list[str] = _DATA.most
LEAST: list[str] = _DATA.least
"""Words before a number that make it the most, or the least."""

ORDINALS = frozenset(_DATA.ordinals.split())
"""Number words that name a place or a period and count nothing."""

CURRENCIES = frozenset({"ILS", "USD", "EUR", "GBP"})
IN_DAYS: dict[str, float] = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
"""About how many days a unit of time has; working days are compared with working days alone."""
LENGTHS = frozenset({"within", "for", "after", "lasting", "בתוך", "תוך", "למשך", "כעבור", "לאחר"})
"""Words before a unit of time that make it a length: within an hour, בתוך שעה."""
