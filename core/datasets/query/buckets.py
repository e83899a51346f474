"""Formats parts of dates in SQL: 2024, 2024-H1, 2024-Q2, 2024-05, 2024-W07, 2024-05-31, hours, weekdays, months."""

from __future__ import annotations

import re
from functools import cache

from babel.dates import get_day_names, get_month_names

from core.datasets.query.model import Bucket
from core.words import LANGUAGES

_SQL: dict[Bucket, str] = {
    "year": "strftime({0}, '%Y')",
    "half": "strftime({0}, '%Y') || '-H' || ((month({0}) + 5) // 6)",
    "quarter": "strftime({0}, '%Y') || '-Q' || quarter({0})",
    "month": "strftime({0}, '%Y-%m')",
    "week": "strftime({0}, '%G-W%V')",
    "day": "strftime({0}, '%Y-%m-%d')",
    "hour": "hour({0})",
    "weekday": "isodow({0})",
    "month_of_year": "month({0})",
}
_FORMS: tuple[tuple[Bucket, re.Pattern[str]], ...] = (
    ("year", re.compile(r"\d{4}")),
    ("half", re.compile(r"\d{4}-H[12]")),
    ("quarter", re.compile(r"\d{4}-Q[1-4]")),
    ("month", re.compile(r"\d{4}-\d{2}")),
    ("week", re.compile(r"\d{4}-W\d{2}")),
    ("day", re.compile(r"\d{4}-\d{2}-\d{2}")),
)
COUNTED: frozenset[Bucket] = frozenset(("hour", "weekday", "month_of_year"))
"""Buckets whose values are numbers and repeat every day, week or year."""


def bucket_sql(bucket: Bucket, column: str) -> str:
    """Returns the SQL of a part of the date in ``column``."""
    return _SQL[bucket].format(column)


def counted(bucket: Bucket, text: str) -> int:
    """Returns the number of a value of one of ``COUNTED``: 6 for "6" and for "Saturday" in any language of the page.

    Raises:
        ValueError: it is neither a number nor a name.
    """
    number = _names(bucket).get(text.casefold())
    return int(text) if number is None else number


@cache
def _names(bucket: Bucket) -> dict[str, int]:
    """The names of weekdays (1 is Monday) or months, with their numbers."""
    found: dict[str, int] = {}
    for language in LANGUAGES:
        if bucket == "weekday":
            found |= {name.casefold(): day + 1 for day, name in get_day_names("wide", locale=language).items()}
        elif bucket == "month_of_year":
            names = get_month_names("wide", "stand-alone", locale=language)
            found |= {name.casefold(): month for month, name in names.items()}
    return found


def bucket_of(value: object) -> Bucket | None:
    """Returns the part of a date that ``value`` is written as; ``None`` for other texts."""
    text = str(value).strip()
    return next((bucket for bucket, form in _FORMS if form.fullmatch(text)), None)
