"""Parses units of measure in headings and cells: "Lead (mg/kg)", "Freight · kt", "length_km", "275 bps"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from babel.core import Locale

from core.language.vocabulary import pattern_of, words_of
from core.library.tables.unit_symbols import symbols
from core.library.tables.units import currency_in

_SYMBOL = re.compile(symbols(r"K|pH|bps|pp|pts|x|×|%|‰|h|d|a"))
_WORD = pattern_of("answering/cells.units.words")
_LONE_LETTER = re.compile(r"[A-Za-z]|[mM][mM]")
"""Letters in a heading's brackets that may mean a unit, but also a scale or a note: (m), (mm), (b), (a)."""
_BRACKETED = re.compile(r"[(\[（]([^()\[\]（）]{1,24})[)\]）]")
_LAST = re.compile(r"[·,;|]\s*([^·,;|()]{1,24})$")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]{1,6}")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BEHIND = re.compile(r"\d[.,]?\s?(bps|pts|x|×)$", re.IGNORECASE)
_SIGN = re.compile(r"[$€£₪¥₹]")
_OF_PARTS = dict(zip(words_of("answering/cells.units.parts"), words_of("answering/cells.units.signs"), strict=True))
_RATE = re.compile(r"(?:[$€£₪¥₹]|\b[A-Z]{3}\b)\s?/\s?[^\W\d_]{1,8}[²³]?(?=[)\]）]?$)")
"""Matches money per measure: "€/MWh"."""
_LONGEST = 120


@lru_cache(maxsize=4096)
def measure_in(head: str) -> str | None:
    """Returns the unit that a heading contains: in brackets, after a comma or a dot, or as the last part of an
    identifier."""
    if len(head) > _LONGEST:
        return None
    if _IDENTIFIER.fullmatch(head):
        last = _PART.findall(head)[-1].lower()
        return _OF_PARTS.get(last)
    if rate := _RATE.search(head):
        return rate.group()
    for text in reversed(_stated(head)):
        if _UNSPACED.fullmatch(text) or _WORD.fullmatch(text):
            return text
        if _SYMBOL.fullmatch(text) and not _LONE_LETTER.fullmatch(text):
            return text
    return None


@lru_cache(maxsize=4096)
def currency_of_head(head: str) -> str | None:
    """Returns the ISO code of the currency named by sign or code in a heading, never by an ambiguous word."""
    if len(head) > _LONGEST or _RATE.search(head):
        return None
    if _IDENTIFIER.fullmatch(head):
        last = _PART.findall(head)[-1].upper()
        return last if last in _currencies() else None
    for text in reversed(_stated(head)):
        if text.upper() == text and text in _currencies():
            return text
        if currency := currency_in(text):
            return currency
    return currency_in(head) if _SIGN.search(head) else None


def own_unit(text: str) -> str | None:
    """Returns the unit that a figure itself states: bps, pts, x; not a percent sign, which the cell's kind already
    shows."""
    found = _BEHIND.search(text)
    return found[1] if found else None


@lru_cache(maxsize=4096)
def spoken(head: str) -> str:
    """Returns a heading in natural wording: ``warden.name`` → ``warden name``; other headings unchanged."""
    if not _IDENTIFIER.fullmatch(head):
        return head
    parts = [part.lower() for part in _PART.findall(head)]
    has_unit = len(parts) > 1 and (parts[-1] in _OF_PARTS or parts[-1].upper() in _currencies())
    return " ".join(parts[:-1] if has_unit else parts)


@lru_cache(maxsize=4096)
def without_units(head: str) -> str:
    """Returns a heading without its trailing unit, currency or scale: ``Lead (mg/kg)`` → ``Lead``."""
    plain = spoken(head)
    if measure_in(head) or currency_of_head(head):
        plain = _BRACKETED.sub(" ", _RATE.sub("", plain)).removesuffix("()").strip(" (,·;|")
        last = _LAST.search(plain)
        if last and (measure_in(plain) or currency_of_head(plain)):
            plain = plain[: last.start()]
    return " ".join(plain.split())


def _stated(head: str) -> Sequence[str]:
    """Returns the texts of a heading in brackets or after its last separator."""
    last = _LAST.search(head)
    return [found[1].strip() for found in _BRACKETED.finditer(head)] + ([last[1].strip()] if last else [])


@lru_cache(maxsize=1)
def _currencies() -> frozenset[str]:
    return frozenset(Locale("en").currencies)
