"""Describes datasets for a model: name, description, and columns with types, units and sample values."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.records import Column, Dataset
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.tokens import count_tokens

MOST_VALUES = 12
"""Maximum number of values of a column that are listed."""
FEW_VALUES = 4
"""The same if all values would not fit."""
_LONGEST_VALUE = 60
_NAMED = 40


def schema_of(dataset: Dataset, most_values: int = MOST_VALUES) -> str:
    """Returns a dataset for a model: its description, and each column with type, unit and up to ``most_values``
    values."""
    lines = [f"## {dataset.name} (id {dataset.id}): {dataset.rows} rows", dataset.description]
    return "\n".join([*filter(None, lines), *(_column(column, most_values) for column in dataset.columns)])


def schemas_within(datasets: Sequence[Dataset], question: str, most_tokens: int) -> list[str]:
    """Returns the schemas of the datasets that share most words with a question, within ``most_tokens``; the datasets
    that do not fit are only named. A wide table comes after its long form. Counting tokens takes milliseconds, so call
    it off the event loop."""
    words = content_terms(question)
    have_long_form = {each.long_of for each in datasets}
    ranked = sorted(datasets, key=lambda each: (each.id in have_long_form, -_shared(words, each)))
    chosen: list[str] = []
    left: list[str] = []
    room = most_tokens
    for dataset in ranked:
        sizes = (MOST_VALUES, FEW_VALUES) if not chosen else (FEW_VALUES,)
        text = next((text for text in (schema_of(dataset, size) for size in sizes) if count_tokens(text) <= room), None)
        if text is None and not chosen:
            text = schema_of(dataset, 0)  # The columns of the likeliest dataset are always shown.
        if text is None:
            left.append(dataset.name)
        else:
            chosen.append(text)
            room -= count_tokens(text)
    if left:
        chosen.append(f"Further datasets, without their columns: {', '.join(left[:_NAMED])}")
    return chosen


def _shared(words: Sequence[str], dataset: Dataset) -> int:
    text = fold(schema_of(dataset))
    return sum(word in text for word in words)


def _column(column: Column, most_values: int) -> str:
    values = column.values or column.samples
    shown = ", ".join(value[:_LONGEST_VALUE] for value in values[:most_values])
    more = ", …" if shown and column.distinct > min(len(values), most_values) else ""
    extent = f"{column.least} to {column.most}" if column.least else f"{shown}{more}"
    unit = f" in {column.unit}" if column.unit else ", unit per row" if column.unit_key else ""
    blank = f", {column.nulls} empty" if column.nulls else ""
    return f"- {column.name}: {column.type}{unit}{blank}{'; ' if extent else ''}{extent}"
