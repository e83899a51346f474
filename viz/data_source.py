"""Renders the rows of a dataset that an answer was computed from, as evidence."""

from __future__ import annotations

from markupsafe import Markup

from core.events import Passage, Source
from core.library.records import RemovedDocument
from core.words import Language
from viz.passage import removal_sentence
from viz.templating import render


def data_source(source: Source, chosen: Passage, departure: RemovedDocument | None, language: Language) -> Markup:
    """Returns the card of a source that is a dataset: its name, its sheet, and rows with their numbers in the sheet."""
    assert source.table is not None, "the source of a computed answer has its rows"
    roles = source.table.roles + [""] * len(source.table.columns)
    return render(
        "data_source",
        source=source,
        table=source.table,
        kinds=["figure" if role == "number" else "" if role == "text" else "short" for role in roles],
        page=chosen.page,
        departure=removal_sentence(departure, language) if departure else "",
        language=language,
    )
