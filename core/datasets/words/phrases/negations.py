"""Splits words that deny a heading or a value: "unpaid" is "not paid" in a table with a column *Paid*."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from core.datasets.words.frames import Frame
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import operations


def without_negations(text: str, frame: Frame, values: Collection[str]) -> str:
    """Returns ``text`` with such words split, if only their second part is a heading of the frame that can be denied,
    or a category; ``values`` are the words of its values."""
    known = {*values, *(word for field in frame.fields for word in words_of(field.column.name))}
    denied: set[str] = set()
    for column in (field.column for field in frame.fields):
        if column.type == "boolean" or column.is_dated:
            denied.update(words_of(column.name))
        elif column.type == "category":
            denied.update(value.lower() for value in column.values)

    def split(match: re.Match[str]) -> str:
        is_split = match.group().lower() not in known and match["rest"].lower() in denied
        return f"{operations().denial} {match['rest']}" if is_split else match.group()

    return _pattern().sub(split, text)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(operations().denying)})-?(?P<rest>[^\W\d_]{{4,}})(?!\w)", re.IGNORECASE)
