"""Exports a result as CSV."""

from __future__ import annotations

import csv
import io

from core.datasets.answers.headline import headings
from core.datasets.answers.values import cells
from core.datasets.query.result import QueryResult
from core.library.tables.inert_cells import inert
from core.words import Language

MIME = "text/csv"


def result_csv(result: QueryResult, language: Language) -> str:
    """Returns all rows of a result under the headings that a user sees. No text in it is run as a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([inert(name) for name in headings(result, language)])
    for row in cells(result.frame, len(result.frame)):
        writer.writerow([inert(value) if isinstance(value, str) else value for value in row])
    return buffer.getvalue()
