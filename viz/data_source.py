"""Renders the result of a query, or the rows of a dataset that an answer was computed from, as evidence."""

from __future__ import annotations

from markupsafe import Markup

from core.events import Passage, Source
from core.library.records import RemovedDocument
from core.records.source_table import SourceTable
from core.words import Language
from viz.data_result import data_result
from viz.passage import removal_sentence
from viz.templating import render


def data_source(source: Source, chosen: Passage, departure: RemovedDocument | None, language: Language) -> Markup:
    """Returns the card of a source that is a dataset: its name and sheet, and the result of a query as an answer shows
    it, or rows with their numbers in the sheet."""
    table = source.table or SourceTable(columns=[], rows=[])
    dataset = source.data.datasets[0] if source.data else None
    roles = table.roles + [""] * len(table.columns)
    return render(
        "data_source",
        source=source,
        table=table,
        rows_of=dataset.id if dataset else table.dataset_id,
        is_fetched=bool(source.data.fetched) if source.data else table.is_fetched,
        sheet=dataset.sheet if dataset else table.sheet,
        name=dataset.name if dataset else table.dataset,
        result=data_result(source.data, language) if source.data else None,
        kinds=["figure" if role == "number" else "" if role == "text" else "short" for role in roles],
        page=chosen.page,
        departure=removal_sentence(departure, language) if departure else "",
        language=language,
    )
