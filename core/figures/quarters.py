"""Counts quarters: *key of a quarter* ↔ number, and the quarter by which a report calls a quarter of its tables.

Tables are stored under calendar quarters. A company whose year ends in September calls the quarter to December its
first. Its documents say so, and a question uses the same names.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from core.language.entities.periods import extent
from core.library.records import CoveredPeriod
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


class OwnQuarter(NamedTuple):
    """The quarter that a document reports on: the ``key`` by which the document calls it, and its last day (ISO)."""

    key: str
    end: str

    @classmethod
    def of(cls, periods: Sequence[CoveredPeriod]) -> OwnQuarter | None:
        """Returns the first quarter of the ``periods`` that a document covers, if its last day is known."""
        return next((cls(each.key, each.end) for each in periods if each.end and quarter_number(each.key)), None)

    def is_printed_by_day(self, printed: Container[str]) -> bool:
        """Returns whether a table prints this quarter by its last day, so that its key is another one.

        Args:
            printed: the keys of the table's periods.
        """
        return self.key not in printed and calendar_quarter(self.end) in printed

    def called(self, printed: str) -> str:
        """Returns the key by which the document calls a quarter of its tables; other keys are unchanged.

        >>> OwnQuarter("2031-Q1", "2030-12-31").called("2029-Q4")
        '2030-Q1'
        """
        return as_in_tables(printed, calendar_quarter(self.end), _last_day(self.key))


def _last_day(key: str) -> str:
    return extent(key)[1].isoformat()


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
