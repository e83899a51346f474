"""Defines how a number is written in a cell, as patterns that Python and DuckDB both understand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.datasets.reading.staging import NATIVE
from core.language.vocabulary import numbers_of, words_of
from core.library.tables.cells import CURRENCIES

Mark = Literal["point", "comma"]

_CURRENCY = "|".join(sorted(map(re.escape, CURRENCIES), key=len, reverse=True))
_UNIT = r"%|[^\s\d()<>=;:,.+\-–/'’_²³¹⁰⁴-⁹*†‡§^#&@!?\"][^\s\d()]{0,14}(?:[23²³])?(?: [^\s\d()]{1,10})?"
_MARKS = r"\s*(?:[*†‡§¹²³⁰⁴-⁹]+|\[[0-9A-Za-z]{1,3}\])"
"""Marks of footnotes behind a number."""
_SPACES = " \u00a0\u202f\u2009"
_GROUP = {"point": f"[,'’{_SPACES}]", "comma": f"[.'’{_SPACES}]"}
_DECIMAL = {"point": r"\.", "comma": ","}
PARTS = ("open", "sign", "before", "inner", "digits", "power", "after", "close", "minus")
"""The groups of ``pattern``."""
SCALES = {word: factor for word, factor in numbers_of("library/tables.cells.scales").items() if len(word) > 1}
ORDINALS = frozenset(words_of("datasets/columns.values.ordinals"))
"""Endings of ordinal numbers, such as "3rd"."""
_POINT = re.compile(r"\d+\.\d{1,2}|\d+\.\d{4,}|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|0\.\d+|\d{4,}\.\d+")
_COMMA = re.compile(r"\d+,\d{1,2}|\d+,\d{4,}|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|0,\d+|\d{4,},\d+")
_DIGITS = re.compile(r"\d[\d.,]*\d|\d")
_UNSURE_GROUP = re.compile(r"\d{1,3}\.\d{3}")


@dataclass(frozen=True)
class NumberText:
    """A number as written: its currency as an ISO code, its unit, whether it is a percentage, and its digits."""

    digits: str
    value: float
    currency: str = ""
    unit: str = ""

    @property
    def is_percent(self) -> bool:
        return self.unit == "%"


@cache
def pattern(mark: Mark) -> str:
    """Returns the regular expression of a number; its groups are ``PARTS``."""
    group, decimal = _GROUP[mark], _DECIMAL[mark]
    grouped = rf"\d{{1,3}}(?:{group}\d{{2}})*{group}\d{{3}}|\d{{1,3}}(?:{group}\d{{3}})+"
    digits = rf"(?:{grouped}|\d+)(?:{decimal}\d+)?|{decimal}\d+"
    return (
        rf"(?i)^([(])?\s{{0,2}}([-+−–])?\s{{0,2}}({_CURRENCY})?\s{{0,2}}([-−–(])?\s{{0,2}}({digits})([eE][-+]\d{{1,3}})?"
        rf"\s{{0,2}}({_CURRENCY}|{_UNIT})?\s{{0,2}}([)])?([-−])?(?:\.|{_MARKS})?$"
    )


@cache
def _compiled(mark: Mark) -> re.Pattern[str]:
    return re.compile(pattern(mark))


def group_of(mark: Mark) -> str:
    """Returns the characters that group digits, as a set of a regular expression."""
    return _GROUP[mark]


def number_of(text: str, mark: Mark) -> NumberText | None:
    """Returns the number that a staged cell holds; ``None`` if it holds none. An exact number has a decimal point."""
    is_native = text.startswith(NATIVE)
    bare = text.removeprefix(NATIVE).strip()
    used: Mark = "point" if is_native else mark
    found = _compiled(used).match(bare)
    if not found:
        return None
    opened, sign, before, inner, digits, power, after, closed, minus = found.groups()
    if (bool(opened) + (inner == "(")) != bool(closed):
        return None
    plain = re.sub(_GROUP[used], "", digits)
    value = float(f"{plain.replace(',', '.')}{power or ''}")
    negative = bool(opened) or (sign or "") in ("-", "−", "–") or bool(inner) or bool(minus)
    after = (after or "").strip()
    currency = CURRENCIES.get((before or after).lower(), "")
    unit = "" if after.lower() in CURRENCIES or after.lower() in ORDINALS else after
    factor = SCALES.get(unit.lower())
    if factor:
        value, unit = value * factor, ""
    return NumberText(digits, -value if negative else value, currency, unit)


def marks_in(texts: list[str]) -> tuple[int, int]:
    """Counts the texts whose digits show a decimal point or comma: (point, comma)."""
    point = comma = 0
    for text in texts:
        if text.startswith(NATIVE):
            continue
        for digits in _DIGITS.findall(text)[:1]:
            point += bool(_POINT.fullmatch(digits))
            comma += bool(_COMMA.fullmatch(digits))
    return point, comma


def has_unsure_groups(texts: list[str]) -> bool:
    """Whether a text such as ``1.200`` may be a number of thousands."""
    return any(_UNSURE_GROUP.fullmatch(text) for text in texts)
