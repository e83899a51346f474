"""Classifies single cells for finding headings: number, date, period, or text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from core.datasets.reading.staging import NATIVE
from core.language.entities.calendar_words import HEBREW_ORDINAL, MONTHS
from core.language.vocabulary import phrase_of
from core.library.tables.cells import is_date, is_figure, is_year
from core.library.tables.periods import period_of

CellKind = Literal["empty", "number", "date", "period", "text"]

_REMEMBERED = 20_000
_EMPTY = frozenset(("", "-", "–", "—", "n/a", "#n/a", "nan", "null"))
_LONGEST_PERIOD = 40
_DATE_TIME = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T]\d{1,2}:\d{2}.*)?")
_PART = re.compile(
    rf"Q[1-4]|[1-4]Q|H[12]|[12]H|{phrase_of('library/tables.periods.quarter')} {HEBREW_ORDINAL}", re.IGNORECASE
)
_MEASURED = re.compile(r"[-+(]?\d[\d.,]*\)?( ?[^\W\d_]{1,4}\.?)?")


@lru_cache(maxsize=_REMEMBERED)
def kind_of(text: str) -> CellKind:
    """Returns the kind of a staged cell; placeholders such as "N/A" count as empty."""
    if text.startswith(NATIVE):
        return "period" if is_year(text[1:]) else "number"
    bare = text.strip()
    if bare.lower() in _EMPTY:
        return "empty"
    if is_year(bare) or (len(bare) <= _LONGEST_PERIOD and is_period(bare)):
        return "period"
    if _DATE_TIME.fullmatch(bare) or is_date(bare):
        return "date"
    return "number" if is_figure(bare) or _MEASURED.fullmatch(bare) else "text"


def is_period(text: str) -> bool:
    """Whether a heading names a year, a part of a year or a month, and not a day."""
    if text.lower().rstrip(".") in MONTHS or _PART.fullmatch(text):
        return True
    if _DATE_TIME.fullmatch(text) or not any(map(str.isdigit, text)):
        return False
    period = period_of(text)
    return period is not None and len(period) <= len("2024-06")


def shown(text: str) -> str:
    """Returns a staged cell as a user sees it."""
    return text.removeprefix(NATIVE)
