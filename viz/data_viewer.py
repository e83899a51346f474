"""Renders the data viewer: a page of a dataset's rows, the summary of a column, and a document's list of datasets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

from markupsafe import Markup

from core.datasets.answers.phrases import OPERATION_NAMES
from core.datasets.answers.values import cells, shown, table_shown
from core.datasets.query.model import Comparison, Condition
from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.records import Column, ColumnType, Dataset
from core.records.data_answer import DataCell
from core.words import Language
from viz.labels import label
from viz.templating import render

TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
_EMPTY: tuple[Comparison, ...] = ("is empty", "is not empty")
_WORDS: tuple[Comparison, ...] = ("contains", "=", "!=", "starts with", "ends with", *_EMPTY)
_RANGES: tuple[Comparison, ...] = ("=", "!=", ">=", "<=", ">", "<", *_EMPTY)
_TRUTH: tuple[Comparison, ...] = ("=", *_EMPTY)
MOST_OFFERED = 200
"""Maximum number of values that the input of a filter offers."""


@dataclass(frozen=True)
class Shown:
    """A page of rows. ``result`` has the row's number in the sheet first, then all columns; ``size`` is the number of
    rows of a page."""

    dataset: Dataset
    result: QueryResult
    size: int
    offset: int
    sort: str | None
    descending: bool
    filters: tuple[Condition, ...]


class Frequent(NamedTuple):
    """A value of a column and its number of rows."""

    value: DataCell
    rows: int


class Cell(NamedTuple):
    """A cell as displayed; ``is_blank``: the sheet's cell is empty or cannot be read as the column's type."""

    text: str
    is_blank: bool


def data_viewer(dataset: Dataset, title: str, others: Sequence[Dataset], page: Shown, language: Language) -> Markup:
    """Returns the viewer of a dataset. ``title`` is that of its document, ``others`` are all datasets of it."""
    return render(
        "data_viewer", dataset=dataset, title=title, others=others, language=language, page=data_page(page, language)
    )


def data_page(page: Shown, language: Language) -> Markup:
    """Returns a page of rows, with the filters that apply and the buttons for other pages."""
    total, count = page.result.rows_used, len(page.result.frame)
    return render(
        "data_page",
        page=page,
        columns=page.dataset.columns,
        rows=_rows(page, language),
        filters=[_described(page.dataset, each, language) for each in page.filters],
        first=page.offset + 1 if count else 0,
        last=page.offset + count,
        total=total,
        pages=max(1, -(-total // page.size)),
        number=page.offset // page.size + 1,
        language=language,
    )


def data_column(
    dataset: Dataset, column: Column, frequent: Sequence[Frequent], language: Language, *, is_own: bool
) -> Markup:
    """Returns the summary of a column with forms to filter by it and, for the owner, to correct it."""
    as_result = ResultColumn(column.name, column.type, "column", column.unit)
    operations = _TRUTH if column.type == "boolean" else _RANGES if column.is_numeric or column.is_dated else _WORDS
    return render(
        "data_column",
        dataset=dataset,
        column=column,
        frequent=[(shown(each.value, as_result, language), _written(each.value), each.rows) for each in frequent],
        least=_end(column.least, as_result, language),
        most=_end(column.most, as_result, language),
        operations=operations,
        names=OPERATION_NAMES,
        offered=column.values[:MOST_OFFERED],
        types=TYPES,
        is_own=is_own,
        language=language,
    )


def _rows(page: Shown, language: Language) -> list[tuple[str, list[Cell]]]:
    """The number of each row in the sheet, and its cells as displayed."""
    columns, values = page.result.columns, cells(page.result.frame, page.size)
    kept = [number for number, column in enumerate(columns) if number and column.role != "unit"]
    texts = table_shown(values, columns, language)
    return [
        (str(row[0]), [Cell(text[number], row[number] is None) for number in kept])
        for row, text in zip(values, texts, strict=True)
    ]


def _described(dataset: Dataset, condition: Condition, language: Language) -> str:
    """A filter in words: *Region is North*."""
    column = dataset.column(condition.column)
    name = column.name if column else condition.column
    value = "" if condition.value is None else str(condition.value)
    return f"{name} {label(f'data_op_{OPERATION_NAMES[condition.op]}', language)} {value}".strip()


def _written(value: DataCell) -> str:
    """A value as a filter has it."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _end(text: str, column: ResultColumn, language: Language) -> str:
    if not text or column.type not in ("number", "money", "percent"):
        return text
    value = float(text)
    return shown(int(value) if value.is_integer() else value, column, language)
