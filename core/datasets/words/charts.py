"""Finds the words of a question that only ask for a chart, and the kind of chart: "as a bar chart"."""

from __future__ import annotations

import re
from functools import cache

from core.language.vocabulary import Entry, file_of
from core.records.data_answer import ChartKind


class _Charts(Entry):
    charts: str
    kinds: dict[ChartKind, list[str]]
    forms: list[str]
    alone: dict[ChartKind, list[str]]
    alone_forms: list[str]
    verbs: str


_charts = file_of("datasets/charts", _Charts)


def without_chart(question: str) -> tuple[str, ChartKind | None]:
    """Returns the question without its words about a chart, and the kind of chart that they name.

    >>> without_chart("Net amount by category as a bar chart")
    ('Net amount by category', 'bar')
    >>> without_chart("How many lines are dated March 2024?")
    ('How many lines are dated March 2024?', None)
    """
    for kind, pattern in _patterns():
        if match := pattern.search(question):
            left = f"{question[: match.start()]} {question[match.end() :]}"
            return " ".join(left.split()).strip(" ,"), kind
    return question, None


@cache
def _patterns() -> list[tuple[ChartKind | None, re.Pattern[str]]]:
    words = _charts()
    found: list[tuple[ChartKind | None, str, str]] = [
        (kind, "|".join(patterns), form) for kind, patterns in words.kinds.items() for form in words.forms
    ]
    found += [(kind, "|".join(names), form) for kind, names in words.alone.items() for form in words.alone_forms]
    found += [(None, "{chart}", form) for form in (*words.forms, words.verbs)]
    return [
        (kind, re.compile(form.replace("{kind}", rf"(?:{pattern})(?!\w)").replace("{chart}", words.charts), re.I))
        for kind, pattern, form in found
    ]
