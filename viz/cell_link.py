"""Renders a figure as a link to its place in the document."""

from __future__ import annotations

from markupsafe import Markup

from core.records.answer import CellReference
from core.words import Language
from viz.labels import label
from viz.templating import render


def cell_link(cell: CellReference, text: str, language: Language) -> Markup:
    """A figure that links to its place in the document."""
    description = " · ".join(filter(None, [text, cell.label, cell.header, page_of(cell, language)]))
    return render("cell_link", cell=cell, text=text, description=description, language=language)


def page_of(cell: CellReference, language: Language) -> str:
    return f"{label('page', language)} {cell.page}" if cell.page else ""
