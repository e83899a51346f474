"""Writes a result as a passage that can be cited, so that statements with its values can be checked against it."""

from __future__ import annotations

import hashlib

from core.datasets.answers.first_line import IN_TABLE, remarks_of
from core.datasets.answers.headline import headings
from core.datasets.answers.how import described
from core.datasets.answers.values import rows_shown
from core.datasets.query.result import QueryResult
from core.events import Passage
from core.words import Language

_CELL = " | "
"""Separator between the cells of a row, as in the passages of documents."""


def passage_of(result: QueryResult, language: Language) -> Passage:
    """Returns the passage: how the result was computed, its rows, and what a reader must know about them. Rows begin
    with their group, a single value begins with how it was computed."""
    dataset = result.datasets[0]
    digest = hashlib.sha256(result.query.model_dump_json().encode()).hexdigest()[:16]
    return Passage(
        item_id=f"{dataset.id}:{digest}",
        text="\n".join([*_lines(result, language), *remarks_of(result, language)]),
        section=dataset.sheet or None,
        page=dataset.page,
        score=1.0,
    )


def _lines(result: QueryResult, language: Language) -> list[str]:
    subject = "".join(part.text for part in described(result.query, result.datasets, language))
    names = headings(result, language)
    columns = [number for number, column in enumerate(result.columns) if column.role != "unit"]
    has_labels = any(result.columns[number].role != "measure" for number in columns)
    table = [[names[number] for number in columns]]
    table += [[row[number] for number in columns] for row in rows_shown(result, language, IN_TABLE)]
    if not has_labels:
        table = [[subject if place else "", *row] for place, row in enumerate(table)]
    used = f"{result.rows_used:,} / {result.rows_total:,}"
    return [f"{subject} ({used}):", *(_CELL.join(map(_flat, row)) for row in table)]


def _flat(cell: str) -> str:
    return cell.replace("|", "/").replace("\n", " ")
