"""Finds the rows of one dataset that hold rare words of a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.datasets.query.run import QueryRunner
from core.datasets.records import ROW, Column, Dataset
from core.datasets.rows.words import Word

MOST_ROWS = 10
"""Maximum number of rows of a dataset that are found."""
RARE_SHARE = 0.005
"""A word that more than this share of the rows hold (and more than ``MOST_ROWS``) finds no row."""
SECONDS = 5.0
"""Maximum duration of the search in one dataset."""


@dataclass(frozen=True)
class FoundRow:
    """A row: its number in the sheet, and its cells as text. ``is_exact``: it holds a word that identifies few rows."""

    number: int
    cells: tuple[str, ...]
    is_exact: bool


def rows_with(words: Sequence[Word], dataset: Dataset, runner: QueryRunner) -> list[FoundRow]:
    """Returns the rows that hold the rarest of ``words``, best first. Blocks: call it in a thread.

    Raises:
        PalimpsestError: the search takes too long ("timeout").
    """
    values: dict[str, object] = {"path": runner.path(dataset)}
    conditions = [_condition(word, number, dataset.columns, values) for number, word in enumerate(words)]
    texts = ", ".join(column.key for column in dataset.columns if _may_hold(column, words))
    text = f"lower(concat_ws(' | ', {texts}))" if texts else "''"
    numbers = "".join(f", {column.key}" for column in dataset.columns if not _is_text(column))
    hits = ", ".join(f"coalesce({condition}, false) AS h{number}" for number, condition in enumerate(conditions))
    matched = (
        f"WITH texts AS (SELECT {ROW}, {text} AS t{numbers} FROM read_parquet($path)), "
        f"matched AS (SELECT {ROW}, {hits} FROM texts)"
    )
    places = range(len(words))
    (counts,) = runner.select(
        f"{matched} SELECT {', '.join(f'count_if(h{place})' for place in places)} FROM matched", values, SECONDS
    )
    most = max(MOST_ROWS, RARE_SHARE * dataset.rows)
    rare = {place: int(str(counts[place])) for place in places if 0 < int(str(counts[place])) <= most}
    if not rare:
        return []
    weights = " + ".join(f"h{place}::INT * {math.log((dataset.rows + 1) / count):.4f}" for place, count in rare.items())
    exact = [f"h{place}" for place, count in rare.items() if words[place].is_exact and count <= MOST_ROWS]
    found = runner.select(
        f"{matched} SELECT {ROW}, {' OR '.join(exact) or 'false'} AS exact, {weights} AS weight FROM matched "
        f"WHERE weight > 0 ORDER BY weight DESC, {ROW} LIMIT {MOST_ROWS}",
        values,
        SECONDS,
    )
    exactly = {int(str(row)): bool(is_exact) for row, is_exact, _ in found}
    return _read(exactly, dataset, runner)


def _read(exactly: dict[int, bool], dataset: Dataset, runner: QueryRunner) -> list[FoundRow]:
    """The cells of the rows with these numbers, in the same order."""
    keys = ", ".join(column.key for column in dataset.columns)
    numbers = ", ".join(map(str, exactly))
    read = runner.select(
        f"SELECT {ROW}, {keys} FROM read_parquet($path) WHERE {ROW} IN ({numbers})",
        {"path": runner.path(dataset)},
        SECONDS,
    )
    cells = {
        int(str(number)): tuple(_shown(value, column) for value, column in zip(row, dataset.columns, strict=True))
        for number, *row in read
    }
    return [FoundRow(number, cells[number], exact) for number, exact in exactly.items() if number in cells]


def _condition(word: Word, place: int, columns: Sequence[Column], values: dict[str, object]) -> str:
    values |= {f"w{place}": word.needle, f"p{place}": word.pattern}
    conditions = [f"(contains(t, $w{place}) AND regexp_matches(t, $p{place}))"]
    for column in columns:
        if word.number is not None and column.is_numeric:
            values[f"n{place}"] = word.number
            conditions.append(f"{column.key} = $n{place}")
        if word.date is not None and column.is_dated:
            values[f"d{place}"] = word.date
            conditions.append(f"{column.key}::DATE = $d{place}")
    return f"({' OR '.join(f'coalesce({condition}, false)' for condition in conditions)})"


def _is_text(column: Column) -> bool:
    return not (column.is_numeric or column.is_dated or column.type == "boolean")


def _may_hold(column: Column, words: Sequence[Word]) -> bool:
    """Whether a column of texts may hold one of the words; if all its values are known, they decide."""
    if not _is_text(column):
        return False
    is_complete = len(column.values) >= column.distinct > 0
    return not is_complete or any(word.needle in value.lower() for value in column.values for word in words)


def _shown(value: object, column: Column) -> str:
    """A cell as text, with a number as digits only, so that it is found as it was asked for."""
    if value is None:
        return ""
    if isinstance(value, float):
        shown = f"{100 * value if column.type == 'percent' else value:.12g}"
        return f"{shown}%" if column.type == "percent" else shown
    return str(value).replace("|", "¦").replace("\n", " ")
