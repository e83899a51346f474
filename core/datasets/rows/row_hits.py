"""Finds all rows of a long spreadsheet that hold given words, as a reader searches within a document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from pydantic import BaseModel

from core.datasets.answers.values import cells
from core.datasets.query.model import AnyOf, Condition, DataQuery, Filter, Order
from core.datasets.query.result import QueryResult
from core.datasets.records import ROW, Column, Dataset
from core.library.viewing.renditions.grid import MOST_ROWS
from core.records.data_answer import DataCell

Run = Callable[[DataQuery], Awaitable[QueryResult]]

MOST_HITS = 200
MOST_WORDS = 8
_AROUND = 60
_SEARCHED = frozenset(("text", "category", "code"))


class RowHit(BaseModel, frozen=True):
    """A row with the words: the dataset, the number of the row in its sheet, and the text around the first word."""

    dataset: str
    row: int
    before: str = ""
    match: str = ""
    after: str = ""


class RowHits(BaseModel, frozen=True):
    """The first rows with the words, of ``total``."""

    total: int = 0
    rows: list[RowHit] = []


def holding(dataset: Dataset, words: str) -> list[Filter]:
    """Returns the conditions under which a row of ``dataset`` holds all ``words``, each in any of its columns. A word
    with digits may also be a number or a date."""
    return [AnyOf(any_of=_conditions(dataset.columns, word)) for word in words.split()[:MOST_WORDS]]


def _conditions(columns: Sequence[Column], word: str) -> list[Condition]:
    has_digit = any(map(str.isdigit, word))
    texts = [column for column in columns if column.type in _SEARCHED]
    conditions = [Condition(column=column.key, op="contains", value=word) for column in texts]
    if has_digit or not texts:
        plain = word.replace(",", "")  # 1,250 is stored as 1250
        others = [column for column in columns if column not in texts]
        conditions += [Condition(column=column.key, op="contains", value=plain) for column in others]
    return conditions


async def row_hits(run: Run, datasets: Sequence[Dataset], words: str) -> RowHits:
    """Returns the rows of the ``datasets`` of a document that hold ``words``, in the order of the sheets; none if no
    sheet is longer than what the document viewer shows.

    Raises:
        PalimpsestError: the search takes too long ("timeout").
    """
    known = [each for each in datasets if not each.long_of]
    if not words.split() or not any(each.rows >= MOST_ROWS for each in known):
        return RowHits()
    total, rows = 0, list[RowHit]()
    for dataset in known:
        query = DataQuery(
            dataset=dataset.id,
            columns=[ROW, *(column.key for column in dataset.columns)],
            where=holding(dataset, words),
            order=[Order(by=ROW)],
            limit=MOST_HITS,
        )
        result = await run(query)
        total += result.rows_used
        found = cells(result.frame, MOST_HITS - len(rows))
        rows += [_hit(dataset, row, words.split()[0].casefold()) for row in found]
    return RowHits(total=total, rows=rows)


def _hit(dataset: Dataset, row: Sequence[DataCell], word: str) -> RowHit:
    text = " | ".join("" if cell is None else str(cell) for cell in row[1 : len(dataset.columns) + 1])
    begin = max(0, text.casefold().find(word))
    end = begin + len(word)
    return RowHit(
        dataset=dataset.id,
        row=int(str(row[0])),
        before=text[max(0, begin - _AROUND) : begin],
        match=text[begin:end],
        after=text[end : end + _AROUND],
    )
