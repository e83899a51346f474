"""Parses single-character fractions: ``1½`` is 1.5, never 11/2."""

from __future__ import annotations

import unicodedata

FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"


def digits_value(digits: str) -> float:
    """Returns the value of digits with thousands separators and an optional fraction at the end.

    >>> digits_value("1,200"), digits_value("1½"), digits_value("¾")
    (1200.0, 1.5, 0.75)
    """
    part = unicodedata.numeric(digits[-1]) if digits[-1] in FRACTIONS else 0.0
    whole = digits.rstrip(FRACTIONS).replace(",", "").strip()
    return float(whole or 0) + part
