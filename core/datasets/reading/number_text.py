"""Defines how a number is written in a cell, as patterns that Python and DuckDB both understand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
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
_UNSURE_GROUP = re.compile(r"\d{1,3}([.,])\d{3}")
_LEAST_SHOWN = 0.1
"""Numbers that show a decimal mark, as a share of those that may show groups; fewer are slips."""
_GROUPED = 3
"""Number of digits in a group; a number with more has a mark if the others of its column have one."""


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


def mark_of(texts: Sequence[str]) -> Mark | None:
    """Returns the decimal mark that the numbers of a column show together; ``None`` if they show none.

    >>> mark_of(["1,530", "980", "2,410"]), mark_of(["1,530", "2,41"]), mark_of(["1,530", "2,410"])
    ('point', 'comma', None)
    """
    point = comma = short = long = 0
    groups: Counter[str] = Counter()
    for text in texts:
        digits = next(iter(_DIGITS.findall(text)), "") if not text.startswith(NATIVE) else ""
        is_point, is_comma = bool(_POINT.fullmatch(digits)), bool(_COMMA.fullmatch(digits))
        if (is_point or is_comma) and _is_number(text):
            point, comma = point + is_point, comma + is_comma
        elif found := _UNSURE_GROUP.fullmatch(digits):
            groups[found[1]] += 1
        elif digits == text:
            short, long = short + (len(digits) <= _GROUPED), long + (len(digits) > _GROUPED)
    if point != comma and point + comma >= _LEAST_SHOWN * groups.total():
        return "point" if point > comma else "comma"
    # A fixed number of three decimals would also be written in a whole number: next to "980", "1,530" has a group.
    if len(groups) == 1 and short > long:
        return "point" if "," in groups else "comma"
    return None if point == comma else "point" if point > comma else "comma"


def _is_number(text: str) -> bool:
    return number_of(text, "point") is not None or number_of(text, "comma") is not None


def has_unsure_groups(texts: Sequence[str]) -> bool:
    """Whether a text such as ``1.200`` may be a number of thousands."""
    return any((found := _UNSURE_GROUP.fullmatch(text)) and found[1] == "." for text in texts)
