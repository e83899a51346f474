"""Converts the result of a query to the record that an answer keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.datasets.answers.values import cells
from core.datasets.query.result import QueryResult
from core.records.data_answer import MOST_ROWS, DataAnswer, DataColumn, DatasetCited, HowPart


def data_answer(result: QueryResult, how: Sequence[HowPart], numbers: Mapping[str, int]) -> DataAnswer:
    """Returns the record of ``result``. ``how`` says how it was computed; ``numbers`` has the citation number of each
    document."""
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
            DataColumn(name=each.name, type=each.type, role=each.role, unit=each.unit, bucket=each.bucket)
            for each in result.columns
        ],
        rows=cells(result.frame, MOST_ROWS),
        count=len(result.frame),
        how=list(how),
        used=result.rows_used,
        total=result.rows_total,
        places=list(result.places),
        blank=result.blank,
        repeated=result.repeated,
        is_cut=result.is_cut,
    )  # fmt: skip
