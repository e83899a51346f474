"""Number words of English and Hebrew, and the units that numbers count."""

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
"""Words that are a number and its unit at once."""

UNITS = by_word(_DATA.units)
"""Every spelling to the name of its unit."""

ADVERBS = by_word(_DATA.adverbs)
"""How often, as one word, to the unit of time that passes between."""

MOST = _DATA.most
LEAST = _DATA.least
"""Words before a number that make it the most, or the least."""

ORDINALS = _DATA.ordinals
"""Number words that name a place or a period and count nothing."""

CURRENCIES = frozenset({"ILS", "USD", "EUR", "GBP"})
IN_DAYS: dict[str, float] = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
"""About how many days a unit of time has; working days are compared with working days alone."""
LENGTHS = frozenset({"within", "for", "after", "lasting", "בתוך", "תוך", "למשך", "כעבור", "לאחר"})
"""Words before a unit of time that make it a length: within an hour, בתוך שעה."""
