"""Converts the result of a query to the record that an answer keeps."""

from __future__ import annotations

from collections.abc import Mapping

from core.datasets.answers.headline import headings, headline
from core.datasets.answers.how import described
from core.datasets.answers.values import cells
from core.datasets.fetched.origin import origins_of
from core.datasets.query.result import QueryResult
from core.records.data_answer import MOST_ROWS, ChartKind, DataAnswer, DataColumn, DatasetCited
from core.words import Language


def data_answer(
    result: QueryResult, language: Language, numbers: Mapping[str, int] | None = None, chart: ChartKind | None = None
) -> DataAnswer:
    """Returns the record of ``result``. ``numbers`` has the citation number of each document; ``chart`` is the kind of
    chart that the question asks for."""
    numbers = numbers or {}
    return DataAnswer(
        query=result.query.model_dump_json(exclude_defaults=True),
        datasets=[
            DatasetCited(
                id=each.id, document_id=each.document_id, name=each.name, sheet=each.sheet, rows=each.rows,
                number=numbers.get(each.document_id, 0),
            )
            for each in result.datasets
        ],
        columns=[
            DataColumn(
                name=each.name, type=each.type, role=each.role, unit=each.unit, bucket=each.bucket, label=label
            )
            for each, label in zip(result.columns, headings(result, language), strict=True)
        ],
        rows=cells(result.frame, MOST_ROWS),
        count=len(result.frame),
        how=described(result.query, result.datasets, language),
        used=result.rows_used,
        total=result.rows_total,
        places=list(result.places),
        blank=result.blank,
        repeated=result.repeated,
        is_cut=result.is_cut,
        title=headline(result.query, result.datasets, language),
        chart=chart,
        fetched=origins_of(result.datasets, language),
    )  # fmt: skip
