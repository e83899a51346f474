"""Compares figures across documents: takes tables and a question; returns rows with citations.

Rows are read only from the tables, never from the text around figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.events import Quote, Source
from core.figures.measures.figures_by_document import FigureByDocument, StatedFigure, are_by_one, figures_by_document
from core.figures.measures.statements import statements_by_document
from core.figures.records import TableEvidence
from core.figures.tables.contradictions import RowBeside, rows_beside
from core.language.fields import named_figures
from core.library.tables.records import Cell as TableCell
from core.review.actions.comparison import Cell, Row
from core.review.actions.pages import page_of
from core.review.actions.records import cell_quotes, row_quotes
from core.words import Language

MOST_UNASKED = 8
"""Maximum number of figure rows if the question names no figure."""


@dataclass(frozen=True)
class StatementLines:
    """Comparison rows; ``quotes`` are the table rows that their cells come from; ``by_one`` is true if all documents
    may be of the same organisation."""

    rows: list[Row] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    by_one: bool = True


def statement_lines(
    sources: Sequence[Source], tables: Sequence[TableEvidence], focus: str, language: Language, only_asked: bool = False
) -> StatementLines:
    """Returns rows for the figures that ``focus`` names, or for the usual ones, from documents with financial
    statements. If ``only_asked``, there are no others than those that it names."""
    books = statements_by_document(tables)
    if len(books) < 2:
        return StatementLines()
    asked = [each.name for each in named_figures(focus)]
    if only_asked:
        found = figures_by_document(books, asked, language) if asked else []
        return _statement_rows(found, sources, are_by_one(books))
    found = figures_by_document(books, asked, language) or (figures_by_document(books, (), language) if asked else [])
    if not found:
        return _other_tables(sources, tables)
    return _statement_rows(found if asked else found[:MOST_UNASKED], sources, are_by_one(books))


def _statement_rows(found: Sequence[FigureByDocument], sources: Sequence[Source], by_one: bool) -> StatementLines:
    quotes = [
        quote for each in found for figure in each.figures for quote in row_quotes(sources, figure.reading.reference())
    ]
    return StatementLines([_comparison_row(each, sources) for each in found], quotes, by_one)


def _other_tables(sources: Sequence[Source], tables: Sequence[TableEvidence]) -> StatementLines:
    """Returns the differing cells of other tables (rates, limits) for two documents without financial statements."""
    if len(sources) != 2:
        return StatementLines()
    parted = [[each for each in tables if each.origin.number == source.number] for source in sources]
    found = rows_beside(*parted)[:MOST_UNASKED]
    rows = [
        Row(each.name, [Cell(s.number, c.text, e.table.page) for s, c, e in _by_source(sources, each)], _by(each))
        for each in found
    ]
    quotes = [
        quote
        for each in found
        for source, table, cell, label in zip(sources, each.evidence, each.cells, each.labels, strict=True)
        for quote in cell_quotes(source, table.index, label, cell.text)
    ]
    return StatementLines(rows, quotes)


def _by_source(sources: Sequence[Source], row: RowBeside) -> Iterator[tuple[Source, TableCell, TableEvidence]]:
    return zip(sources, row.cells, row.evidence, strict=True)


def _by(found: RowBeside) -> str:
    """Returns by how many per cent a figure changed; not for figures that are percentages themselves."""
    one, other = (each.value or 0.0 for each in found.cells)
    if "share" in {each.kind for each in found.cells} or one <= 0 or other <= 0:
        return ""
    return f"{(other - one) / one * 100:+.1f} %".replace("-", "−")


def _comparison_row(found: FigureByDocument, sources: Sequence[Source]) -> Row:
    texts = {each.number: each.text for each in found.figures}
    pages = {each.number: _page(sources, each) for each in found.figures}
    cells = [Cell(each.number, texts.get(each.number, ""), pages.get(each.number)) for each in sources]
    return Row(found.name, cells, found.change)


def _page(sources: Sequence[Source], figure: StatedFigure) -> int | None:
    quote = next(row_quotes(sources, figure.reading.reference()), None)
    return page_of(sources, quote.item_id) if quote else None
