"""Describes datasets for a model: name, document, and columns with types, units and sample values."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

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


def schema_of(dataset: Dataset, titles: Mapping[str, str], most_values: int = MOST_VALUES) -> str:
    """Returns a dataset for a model: its name, its document, and each column with type, unit and up to ``most_values``
    values. ``titles`` are those of the documents, by id."""
    title = titles.get(dataset.document_id, "")
    document = f" in “{title}”" if title and title != dataset.name else ""
    lines = [f"## {dataset.name}{document} (id {dataset.id}): {dataset.rows} rows"]
    return "\n".join([*lines, *(_column(column, most_values) for column in dataset.columns)])


def schemas_within(
    datasets: Sequence[Dataset], titles: Mapping[str, str], question: str, most_tokens: int
) -> list[str]:
    """Returns the schemas of the datasets that share most with a question, within ``most_tokens``; the datasets that
    share nothing with it, if others do, and those that do not fit are only named. A wide table comes after its long
    form. ``titles`` are those of the documents, by id. Counting tokens takes milliseconds, so call it off the event
    loop."""
    shared = shared_with(question, datasets, titles)
    have_long_form = {each.long_of for each in datasets}
    fit = {dataset.id: share for dataset, share in zip(datasets, shared, strict=True)}
    ranked = sorted(datasets, key=lambda each: (each.id in have_long_form, -fit[each.id]))
    chosen: list[str] = []
    left: list[str] = []
    room = most_tokens
    bears = max(shared, default=0.0) > 0
    for dataset in ranked:
        if bears and not fit[dataset.id]:
            left.append(dataset.name)
            continue
        sizes = (MOST_VALUES, FEW_VALUES) if not chosen else (FEW_VALUES,)
        made = (schema_of(dataset, titles, size) for size in sizes)
        text = next((text for text in made if count_tokens(text) <= room), None)
        if text is None and not chosen:
            text = schema_of(dataset, titles, 0)  # The columns of the likeliest dataset are always shown.
        if text is None:
            left.append(dataset.name)
        else:
            chosen.append(text)
            room -= count_tokens(text)
    if left:
        chosen.append(f"Further datasets, without their columns: {names_of(left)}")
    return chosen


def names_of(names: Sequence[str]) -> str:
    """Returns the names of datasets, each once, on one line."""
    return ", ".join(list(dict.fromkeys(names))[:_NAMED])


def shared_with(question: str, datasets: Sequence[Dataset], titles: Mapping[str, str]) -> list[float]:
    """Returns how much each dataset's schema shares with a question's words; numbers, such as years, do not count."""
    words = [word for word in content_terms(question) if not word.isdigit()]
    return _shared(words, [schema_of(each, titles) for each in datasets])


def _shared(words: Sequence[str], schemas: Sequence[str]) -> list[float]:
    """How much each schema shares with the words of a question. A word that few schemas hold counts more, and twice in
    the first line, which names the dataset and its document."""
    texts = [_plain(schema) for schema in schemas]
    weights = {word: 1 / max(1, sum(word in text for text in texts)) for word in map(_plain, words)}
    lines = [_plain(schema.partition("\n")[0]) for schema in schemas]
    return [
        sum(weight * ((word in text) + (word in line)) for word, weight in weights.items())
        for text, line in zip(texts, lines, strict=True)
    ]


def _plain(text: str) -> str:
    """``text`` for comparison, also without accents, because names of files seldom have them."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", fold(text)) if not unicodedata.combining(letter))


def _column(column: Column, most_values: int) -> str:
    values = column.values or column.samples
    shown = ", ".join(value[:_LONGEST_VALUE] for value in values[:most_values])
    more = ", …" if shown and column.distinct > min(len(values), most_values) else ""
    extent = f"{column.least} to {column.most}" if column.least else f"{shown}{more}"
    unit = f" in {column.unit}" if column.unit else ", unit per row" if column.unit_key else ""
    blank = f", {column.nulls} empty" if column.nulls else ""
    return f"- {column.name}: {column.type}{unit}{blank}{'; ' if extent else ''}{extent}"
