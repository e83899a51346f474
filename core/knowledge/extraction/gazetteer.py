"""Looks up countries, regions and cities: each spelling has one key, and each key has a name in English and Hebrew."""

from __future__ import annotations

import re
from functools import cache

from core.knowledge.extraction.lexicon import places
from core.language.hebrew import is_hebrew
from core.language.places import find_place, spellings
from core.language.vocabulary import Entry, file_of


class _Countries(Entry):
    names: list[str]


_countries = file_of("knowledge/countries", _Countries)


@cache
def _names_by_key() -> dict[str, tuple[str, ...]]:
    """All names of each key, the Hebrew one first, then the English one."""
    rows = [tuple(name.strip() for name in row.split(" | ")) for row in _countries().names]
    return {_folded(row[1]): row for row in rows}


@cache
def _by_name() -> dict[str, str]:
    return {_folded(name): key for key, row in _names_by_key().items() for name in row}


@cache
def country_names() -> frozenset[str]:
    """The countries' names in Latin script, folded."""
    return frozenset(_folded(name) for row in _names_by_key().values() for name in row if not is_hebrew(name))


def _folded(name: str) -> str:
    return name.lower().replace(".", "").removeprefix("the ")


def place_key(name: str) -> str | None:
    """A known place's key, the same for all its spellings."""
    if known := _by_name().get(_folded(name)):
        return known
    if place := find_place(name):
        return place.key
    folded = _folded(name)
    return folded if folded in places().latin or name in places().hebrew else None


def place_labels(key: str) -> dict[str, str]:
    """The place's name by language; empty if only one spelling is known."""
    if row := _names_by_key().get(key):
        return {"he": row[0], "en": row[1]}
    if place := find_place(key):
        hebrew = next((name for name in place.names if is_hebrew(name)), None)
        latin = next((name for name in place.names if not is_hebrew(name)), None)
        return {language: name for language, name in (("he", hebrew), ("en", latin)) if name}
    return {}


@cache
def latin_names() -> re.Pattern[str]:
    """A pattern of all place names in Latin script, as texts write them."""
    known = {name for row in _names_by_key().values() for name in row if not is_hebrew(name)}
    known |= {name for name in spellings() if not is_hebrew(name) and len(name) > 2}
    known |= {_capitalised(name) for name in places().latin if name not in ("us", "uk", "usa", "uae")}
    forms = "|".join(re.escape(name) for name in sorted(known, key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![\w.&-])(?:{forms})(?![\w&])(?!-[a-z])")


def _capitalised(name: str) -> str:
    return " ".join(word if word in ("of", "and", "de") else word.capitalize() for word in name.split())
