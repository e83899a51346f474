"""Parses units: "(in millions, except per share)", "$000" → the printed text, its factor, its currency."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.note_marks import without_note_marks
from core.language.vocabulary import pattern_of, phrases, words_of
from core.library.tables.cells import CURRENCIES

_phrase = phrases("library/tables.units")
_SIGNS = words_of("library/tables.units.signs")

_LONGEST = 160
_CODE = r"(?:NIS|ILS|EUR|USD|GBP|CHF|JPY|CAD|AUD|INR|RMB|CNY)"
_SCALES = [
    (1e9, re.compile(rf"\bbillions?\b|\bbn\b|{_phrase('billions')}", re.IGNORECASE)),
    (
        1e6,
        re.compile(
            r"\bmillions?\b|\bmm\b|\bmn\b|(?<=[$€£₪¥₹])\s?m\b|\b(?:usd|eur|gbp|nis|ils|rmb|cny|chf|cad|aud|jpy|inr)\s?m\b"
            rf"|\bm(?:[€£]|{_CODE}\b)|{_phrase('millions')}",
            re.IGNORECASE,
        ),
    ),
    (
        1e3,
        re.compile(
            rf"\bthousands?\b|['’‘]?\b000['’]?s?\b|(?<=[$€£₪])\s?k\b|\b[kt](?:[€£]|{_CODE}\b)|{_phrase('thousands')}\b",
            re.IGNORECASE,
        ),
    ),
]
_SCALE = r"(?:thousands?|millions?|billions?|['’‘]?000['’]?s?)"
_SIGN = r"(?:U\.?S\.? ?|[CA])?[$€£₪¥₹]"
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,160})(?:[)\]]|$)")
_PHRASE = re.compile(
    rf"(?:(?:amounts?|dollars?|shares?|figures|all|tabular|{_SIGN}|NIS|EUR|euros?|USD|U\.S\.|and|in|of|are|expressed|"
    r"except|[a-z]{1,40} )[\s,]*+){0,7}"
    rf"\bin (?:(?:U\.?S\.? )?(?:dollars? )?|{_SIGN} ?|{_CODE} ?)?{_SCALE}\b[^.:;]{{0,80}}",
    re.IGNORECASE,
)
_COMPACT = re.compile(
    rf"\(?(?:(?<!\s)\s++)?+(?:{_SIGN}|{_CODE})\s?['’‘]?(?:{_SCALE}|m|mm|mn|bn|k)?\s*\)?|\(?[kmt](?:[€£]|{_CODE})\)?|\(?{_SCALE}\)?",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"\s\(?((?:{_SIGN}|\b{_CODE})\s?['’‘]?(?:{_SCALE}|m|mm|mn|bn|k))\)?(?:\s+(?:re-?stated|unaudited|audited)\d?)?$",
    re.IGNORECASE,
)
_HEBREW = re.compile(_phrase("hebrew"))
_PLAIN = pattern_of("library/tables.units.plain")
_OF_SHARES = re.compile(r"shares?(?: (?:amounts?|data))? (?:are )?in ", re.IGNORECASE)
_HEBREW_CURRENCIES = {
    word: code for code in ("ILS", "USD", "EUR") for word in words_of(f"library/tables.units.currencies.{code}")
}
_WORDS = {"dollar": "USD", "euro": "EUR", "pound sterling": "GBP", "shekel": "ILS"}


@dataclass(frozen=True)
class Units:
    """Parsed units. ``scale`` is ``None`` if the text does not mention thousands or millions."""

    printed: str
    scale: float | None = None
    currency: str | None = None


def units_in(text: str) -> Units | None:
    """The units that a heading, caption or header cell names; ``None`` when it names none."""
    line = " ".join(without_note_marks(text).split())
    if not line or len(line) > 4 * _LONGEST:
        return None
    for found in _BRACKETED.finditer(line):
        inner = found[1].strip()
        if scale_in(inner) and not re.match(r"\$?\d", inner):
            return Units(inner, scale_in(inner), currency_in(inner))
    for pattern in (_COMPACT, _HEBREW):
        whole = pattern.fullmatch(line)
        if whole and line.strip("() "):
            return Units(line.strip("() "), scale_in(line), currency_in(line))
    phrase = _PHRASE.search(line) or _HEBREW.search(line)
    if phrase:
        printed = phrase.group().strip(" ,()")
        return Units(printed, scale_in(printed), currency_in(printed))
    plain = _PLAIN.fullmatch(line)
    named = (plain[1] or plain[2]) if plain else None
    return Units(named, None, currency_in(named)) if named else None


def trailing_units(text: str) -> Units | None:
    """Units at the end of a heading with other words: "30 June 2019 £m"."""
    found = _TRAILING.search(" ".join(without_note_marks(text).split()))
    return Units(found[1], scale_in(found[1]), currency_in(found[1])) if found else None


def last_units(text: str) -> Units | None:
    """The last bracket in a running text that says thousands or millions and may introduce a table; a bracket that only
    mentions shares is combined with the last one about amounts."""
    units = [found[1].strip() for found in _BRACKETED.finditer(" ".join(text.split()))]
    units = [inner for inner in units if scale_in(inner) and not any(map(str.isdigit, inner.replace("000", "")))]
    amounts = [inner for inner in units if not _OF_SHARES.match(inner)]
    if not units:
        return None
    last = units[-1] if units[-1] in amounts or not amounts else f"{amounts[-1]}; {units[-1]}"
    return Units(last, scale_in(last), currency_in(last))


def is_units(text: str) -> bool:
    """Whether ``text`` only gives units."""
    line = " ".join(without_note_marks(text).split()).strip()
    if not line or len(line) > _LONGEST:
        return False
    bare = line[1:-1].strip() if line[0] in "([" and line[-1] in ")]" else line
    if any(pattern.fullmatch(bare) for pattern in (_COMPACT, _HEBREW)) or _PLAIN.fullmatch(line):
        return True
    found = _PHRASE.search(bare)
    if found is not None and len(found.group()) >= 0.75 * len(bare):
        return True
    return bare != line and scale_in(bare) is not None and len(bare.split()) <= 14


def scale_in(text: str) -> float | None:
    """The factor of the first scale in the text."""
    found = [(match.start(), scale) for scale, pattern in _SCALES if (match := pattern.search(text))]
    return min(found)[1] if found else None


def currency_in(text: str) -> str | None:
    lowered = text.lower()
    for sign in _SIGNS:
        if sign in lowered:
            return CURRENCIES[sign]
    found = re.search(r"\b[kmt]?(usd|eur|gbp|nis|ils|chf|jpy|cad|aud|inr|rmb)(?:m|bn|k)?\b", lowered)
    if found:
        return CURRENCIES[found[1]]
    words = {**_WORDS, **_HEBREW_CURRENCIES}
    return next((code for word, code in words.items() if word in lowered), None)
