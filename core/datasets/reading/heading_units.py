"""Finds the unit or currency that a heading or title names: "Weight (kg)", "Debit €", "Base €/MWh"."""

from __future__ import annotations

import re

from core.language.hebrew import variants
from core.language.vocabulary import pattern_of
from core.library.tables.cells import CURRENCIES
from core.library.tables.units import is_units

_SCALE = re.compile(r"^(?:thousand|million|billion|000s?|k|m|mn|bn)$", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s()\[\],;:]+")
_BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]{1,24}?)\s*[)\]]")
_RATE = re.compile(r"^([^\s/\d]{1,8})/([^\s/\d]{1,10})$")
_PERCENT = pattern_of("datasets/columns.headings.percent")
_IN = re.compile(r"^in\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{1,10}[²³23]?(?:/[^\W\d_]{1,10}[²³23]?)?|°[CF]?")


def currency_in(text: str) -> str:
    """Returns the currency that a heading names, with its scale ("EUR thousand") or what it is paid for ("EUR/MWh");
    empty if it names none."""
    tokens = _TOKEN.findall(text)
    for place, token in enumerate(tokens):
        rate = _RATE.match(token)
        code = _code(rate[1] if rate else token)
        if code and rate:
            return f"{code}/{rate[2]}"
        if code:
            after = tokens[place + 1] if place + 1 < len(tokens) else ""
            before = tokens[place - 1] if place else ""
            scale = next((word for word in (after, before) if _SCALE.match(word)), "")
            return f"{code} {scale.lower()}" if scale else code
    return ""


def _code(token: str) -> str:
    """The ISO code of a currency; words count only in capitals, because "all" and "try" are codes too."""
    code = next((CURRENCIES[form] for form in (token.lower(), *variants(token)) if form in CURRENCIES), "")
    return code if code and (not token.isalpha() or not token.isascii() or token.isupper()) else ""


def unit_in(text: str) -> str:
    """Returns the unit in brackets at the end of a heading; empty if there is none."""
    found = list(_BRACKETED.finditer(text))
    if not found or _PERCENT.search(found[-1][1]):
        return ""
    unit = _IN.sub("", found[-1][1])
    return unit if (_WORD.fullmatch(unit) or is_units(unit)) and len(unit) <= 20 else ""
