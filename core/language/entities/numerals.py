"""Defines number words of English and Hebrew, and units."""

from __future__ import annotations

from core.language.vocabulary import Entry, WordSet, by_word, file_of


class _Numerals(Entry):
    values: dict[float, str]
    multipliers: dict[float, str]
    scales: dict[float, str]
    pairs: dict[str, str]
    units: dict[str, str]
    adverbs: dict[str, str]
    most: list[str]
    least: list[str]
    ordinals: WordSet


_DATA = file_of("numerals", _Numerals)()


VALUES = by_word(_DATA.values)
MULTIPLIERS = by_word(_DATA.multipliers)
SCALES = by_word(_DATA.scales)
"""Letters that scale an amount of money."""
PAIRS = {word: (2.0, unit) for word, unit in by_word(_DATA.pairs).items()}
"""Words that are a number and its unit in one word."""

UNITS = by_word(_DATA.units)
"""Maps every spelling of a unit to its name."""

ADVERBS = by_word(_DATA.adverbs)
"""Maps adverbs of frequency to the unit of time between two occurrences: "monthly" to month."""

MOST = _DATA.most
LEAST = _DATA.least
"""Words before a number that make it a maximum or a minimum."""

ORDINALS = _DATA.ordinals
"""Number words that name a position or a period and count nothing."""

CURRENCIES = frozenset({"ILS", "USD", "EUR", "GBP"})
IN_DAYS: dict[str, float] = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
"""Approximate number of days in each unit of time; working days are only compared with working days."""
LENGTHS = frozenset({"within", "for", "after", "lasting", "בתוך", "תוך", "למשך", "כעבור", "לאחר"})
"""Words before a unit of time that make it a duration: within an hour, בתוך שעה."""
