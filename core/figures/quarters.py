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


def calendar_quarter(end: str) -> str:
    """Returns the key under which tables are stored that print a quarter by its last day.

    Args:
        end: the last day (ISO).

    >>> calendar_quarter("2031-07-01")
    '2031-Q2'
    """
    return span_key(end, QUARTER_MONTHS)


def as_in_tables(asked: str, own: str, end: str) -> str:
    """Returns the key of the tables for a quarter that is asked for by the report's name; other keys are unchanged.

    Args:
        own: the key by which the report calls its own quarter.
        end: the own quarter's last day (ISO).

    >>> as_in_tables("2030-Q1", own="2031-Q1", end="2030-12-31")
    '2029-Q4'
    """
    number, named, printed = map(quarter_number, (asked, own, calendar_quarter(end)))
    if number is None or named is None or printed is None:
        return asked
    return quarter_key(number - named + printed)
