"""Counts quarters: *key of a quarter* ↔ number, and the quarter by which a report calls a quarter of its tables.

Tables are stored under calendar quarters. A company whose year ends in September calls the quarter to December its
first. Its documents say so, and a question uses the same names.
"""

from __future__ import annotations

import re

from core.library.tables.periods import span_key

QUARTER_MONTHS = 3
_KEY = re.compile(r"(\d{4})-Q([1-4])")


def quarter_number(key: str) -> int | None:
    """Returns the quarter's place in a continuous count; ``None`` if ``key`` is not a quarter.

    >>> quarter_number("2031-Q2") - quarter_number("2030-Q4")
    2
    """
    match = _KEY.fullmatch(key)
    return int(match[1]) * 4 + int(match[2]) - 1 if match else None


def quarter_key(number: int) -> str:
    """Returns the key of a quarter by its place in the count."""
    return f"{number // 4}-Q{number % 4 + 1}"


def quarters_ahead(own: str, end: str) -> int:
    """Returns by how many quarters the name that a report gives its quarter is ahead of the calendar; 0 if unknown.

    Args:
        own: the key under which the report names its own quarter.
        end: the quarter's last day (ISO).

    >>> quarters_ahead("2031-Q1", "2030-12-31")
    1
    """
    named, calendar = quarter_number(own), quarter_number(span_key(end, QUARTER_MONTHS))
    return named - calendar if named is not None and calendar is not None else 0
