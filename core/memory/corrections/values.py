"""Tells how firmly a text holds a typed value: 0 (not at all) .. 1 (word for word)."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language import hebrew
from core.language.cache_sizes import TEXTS
from core.language.entities.facts import Facts, facts
from core.language.entities.numerals import UNITS
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.transliteration import sounds_like

VERBATIM = 1.0
IN_OTHER_FORM = 0.9
"""All numbers, dates and words of the value, in another order or form."""
NUMBERS_ONLY = 0.6
"""All numbers and dates of the value; its words are missing, for example because the text is in another language."""
LEAST_SOUNDS = 2
"""Minimum number of consonants that a name shares with its spelling in the other script."""

_LEAD = "is"
"""A word before the value, so that its first number is not taken for the number of a clause."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EDGES = " .,;:!?\"'()[]"
_WORD = re.compile(r"[^\W_]+(?:['\"][^\W_]+)*")


def firmness(value: str, text: str) -> float:
    """How firmly ``text`` holds ``value``.

    >>> firmness("560 shekels", "Up to 560 shekels are paid.")
    1.0
    >>> firmness("ninety days", "It gives notice 90 days before.")
    0.9
    >>> firmness("ninety days", "It gives notice in May.")
    0.0
    """
    wanted = _spelled(value).strip(_EDGES)
    if not wanted:
        return 0.0
    written = _spelled(text)
    if _verbatim(wanted).search(written):
        return VERBATIM
    known = facts(f"{_LEAD} {value}")
    has_figures = bool(known.numbers or known.dates or known.clocks)
    if has_figures and not _has_figures(known, facts(text)):
        return 0.0
    words = [word for word in content_terms(_wordy(value)) if not word.isdecimal()]
    missing = [word for word in words if not covers(word, written) and not _is_name_in(word, written)]
    if not missing and (words or has_figures):
        return IN_OTHER_FORM
    is_foreign = hebrew.is_hebrew(wanted) != hebrew.is_hebrew(written)
    return NUMBERS_ONLY if is_foreign and _tells(known) else 0.0


@lru_cache(maxsize=TEXTS)
def _spelled(text: str) -> str:
    return _THOUSANDS.sub("", fold(text))


@lru_cache(maxsize=TEXTS)
def _verbatim(wanted: str) -> re.Pattern[str]:
    """Matches the value as whole words; Hebrew may join prefixes to its first word."""
    joined = f"[{hebrew.PREFIXES}]{{0,3}}" if hebrew.is_hebrew(wanted[0]) else ""
    return re.compile(rf"(?<![^\W_])(?<!\d[.,]){joined}{re.escape(wanted)}(?![^\W_])(?![.,]\d)")


def _has_figures(known: Facts, found: Facts) -> bool:
    years = found.years
    return (
        all(any(number.same(other) for other in found.numbers) for number in known.numbers)
        and all(day.within(found.dates, years) for day in known.dates)
        and known.clocks <= found.clocks
    )


def _tells(known: Facts) -> bool:
    """Whether the figures alone identify a value: a bare "one" is in most texts."""
    return bool(known.dates or known.clocks or any(number.value != 1 or number.unit for number in known.numbers))


def _wordy(value: str) -> str:
    """The value without numbers and their units, since these are compared as numbers."""
    words = (word for word in _WORD.findall(fold(value)) if not facts(word).numbers)
    return " ".join(word for word in words if word not in UNITS)


def _is_name_in(word: str, text: str) -> bool:
    """Whether the text spells the word in the other script by sound."""
    is_hebrew = hebrew.is_hebrew(word)
    others = (other for other in _WORD.findall(text) if hebrew.is_hebrew(other) != is_hebrew)
    pairs = ((word, other) if is_hebrew else (other, word) for other in others)
    return any(sounds_like(*pair) >= LEAST_SOUNDS for pair in pairs)
