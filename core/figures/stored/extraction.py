"""Extracts the figures of a document from its tables: *document, tables and passages* → packed figures.

A table with very many rows lists things (orders, meters, people) and is queried as a dataset; its numbers are not
stored as figures.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.figures.measures.statements import DocumentStatements, Statement, statements_by_document
from core.figures.records import Origin, TableEvidence, TextEvidence
from core.figures.stored.block import named_measures
from core.figures.stored.packed import PackedFigures
from core.figures.tables.cell_values import Reading, name_of, read
from core.figures.tables.grid import Line, TableGrid, table_grid, untimed
from core.figures.tables.missing_headers import with_guessed_headers
from core.figures.tables.scale_from_text import scaled, with_usual_scale
from core.language.fields import figures
from core.library.identity.names import period_keys
from core.library.records import Document
from core.library.tables.packing import unpack
from core.library.tables.records import Table
from core.library.tables.units import scale_in
from core.question.stems import stems
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

MOST_ROWS = 1_000
"""Maximum number of rows of a table whose numbers are stored as figures; a longer table is a dataset."""
MOST_FIGURES = 200_000
"""Maximum number of figures of one document, so that its block fits into one record."""
_PER_SHARE = "per share"
NEAR_PAGES = 1
"""The scale of a table may be stated in the text this many pages before or after it."""


def extract(document: Document, tables: Sequence[Table], passages: Sequence[MemoryItem]) -> PackedFigures:
    """Returns the figures of a document. A pure function; takes about a second for 200 pages, so call it in a thread.

    Args:
        tables: all tables of the document in reading order, packed or not.
        passages: passages of the document, which give the headings above its tables and scales that tables lack.
    """
    evidence = _evidence(document, tables, passages)
    columns = _Columns()
    for statements in statements_by_document(evidence):
        for statement in statements.statements:
            if columns.figures.count >= MOST_FIGURES:
                log.warning("%s has more figures than are stored", document.id)
                break
            columns.add(statement, _measures_of(statement, statements))
    return columns.figures


def origin_of(document: Document) -> Origin:
    """Returns the document as the origin of evidence, with the names of its organisations and periods."""
    names = [name for each in document.metadata.organisations for name in (each.name, *each.aliases)]
    return Origin(
        0, document.id, document.metadata.title, document.filename, document.metadata.kind,
        tuple(dict.fromkeys(names)), tuple(sorted(period_keys(document))),
    )  # fmt: skip


def _evidence(document: Document, tables: Sequence[Table], passages: Sequence[MemoryItem]) -> Sequence[TableEvidence]:
    origin, covered = origin_of(document), period_keys(document)
    books = [item.source.book for item in passages if item.source.book]
    paths = {book.table: tuple(book.path) for book in reversed(books) if book.table is not None}
    whole = [
        TableEvidence(origin, number, with_guessed_headers(unpack(table), covered), path=paths.get(number, ()))
        for number, table in enumerate(tables)
        if table.row_count <= MOST_ROWS
    ]
    texts = [
        TextEvidence(origin, item.id, item.text, page=item.source.book.page)
        for item in passages
        if item.source.book and item.source.book.table is None
    ]
    return [_with_scale_of_text(each, texts) for each in with_usual_scale(whole, whole)]


def _with_scale_of_text(evidence: TableEvidence, texts: Sequence[TextEvidence]) -> TableEvidence:
    """Returns the table with the scale that the text near it supports, if it prints none."""
    table = evidence.table
    if table.units or table.scale != 1.0 or table.page is None:
        return evidence
    first, last = table.page - NEAR_PAGES, (table.page_end or table.page) + NEAR_PAGES
    near = [text for text in texts if text.page is not None and first <= text.page <= last]
    return scaled([evidence], near)[0]


@dataclass(frozen=True)
class _Measures:
    """The measures that a row names, best first, each with its exactness; ``principal`` as in ``RowColumns``."""

    keys: tuple[tuple[str, float], ...] = ()
    principal: bool = False

    def without_scale(self, reading: Reading) -> Reading:
        """Returns the figure without the table's scale if it is an amount per share."""
        is_per_share = bool(self.keys) and figures()[self.keys[0][0]].unit == _PER_SHARE
        return replace(reading, scale=1.0) if is_per_share and reading.scale != 1.0 else reading


_NO_MEASURES = _Measures()


def _measures_of(statement: Statement, document: DocumentStatements) -> dict[int, _Measures]:
    """Returns the measures of each row that names one."""
    of_row: dict[int, list[tuple[float, int, str]]] = {}
    for key, hits in statement.hits.items():
        for hit in hits:
            of_row.setdefault(hit.row, []).append((-hit.exactness, hit.order, key))
    number, found = statement.evidence.index, {}
    for row, named in of_row.items():
        keys = list(dict.fromkeys((key, -exact) for exact, _, key in sorted(named)))
        kind = figures()[keys[0][0]].statement
        found[row] = _Measures(tuple(keys), kind is not None and number in document.principal.get(kind, ()))
    return found


@dataclass
class _Columns:
    """Collects figures table by table."""

    figures: PackedFigures = field(default_factory=lambda: PackedFigures().model_copy(deep=True))
    _places: dict[str, int] = field(default_factory=lambda: {"": 0})

    def add(self, statement: Statement, measures: dict[int, _Measures]) -> None:
        """Adds all figures of a table."""
        sheet = table_grid(statement.evidence)
        table, context = statement.evidence.table, sheet.context
        rows: dict[int, int] = {}
        heads: dict[str, int] = {}
        place = len(self.figures.tables.number)
        for reading in _readings(sheet):
            row, column = reading.place
            head = sheet.column(row, column)
            named = measures.get(row, _NO_MEASURES)
            if row not in rows:
                rows[row] = self._row(place, sheet, row, named)
            if head.label not in heads:
                heads[head.label] = self._head(head)
            plain = named.without_scale(reading)
            self._cell(rows[row], heads[head.label], column, plain, _segment(sheet, reading, head))
        if rows:
            tables = self.figures.tables
            tables.number.append(statement.evidence.index)
            tables.caption.append(self._text(table.caption or ""))
            tables.context.append(self._texts(sorted(context)))

    def _row(self, table: int, sheet: TableGrid, number: int, measures: _Measures) -> int:
        rows, line, record = self.figures.rows, sheet.rows[number], sheet.evidence.table.rows[number]
        rows.table.append(table)
        rows.row.append(number)
        rows.page.append(record.page or sheet.evidence.table.page or 0)
        rows.label.append(self._text(name_of(sheet, number)))
        rows.parents.append(self._texts(line.parents))
        rows.own.append(self._texts(line.own))
        rows.above.append(self._texts(line.above))
        rows.section.append(self._texts(line.section))
        rows.keys.append([(self._text(key), round(100 * exact)) for key, exact in measures.keys])
        rows.above_keys.append(self._texts(named_measures(" · ".join(line.parents))))
        rows.total.append(line.is_total)
        rows.principal.append(measures.principal)
        return len(rows.row) - 1

    def _head(self, head: Line) -> int:
        heads = self.figures.heads
        heads.label.append(self._text(head.label))
        heads.own.append(self._texts(head.own))
        heads.keys.append(self._texts(named_measures(head.label)))
        return len(heads.label) - 1

    def _cell(self, row: int, head: int, column: int, reading: Reading, segment: str) -> None:
        cells = self.figures.cells
        cells.row.append(row)
        cells.head.append(head)
        cells.column.append(column)
        cells.value.append(reading.value)
        cells.text.append(self._text(reading.text))
        cells.period.append(self._text(reading.period or ""))
        cells.unit.append(self._text(reading.unit or ""))
        cells.scale.append(reading.scale)
        cells.currency.append(self._text(reading.currency or ""))
        cells.segment.append(self._text(segment))

    def _texts(self, texts: Sequence[str]) -> list[int]:
        return [self._text(text) for text in texts]

    def _text(self, text: str) -> int:
        if (place := self._places.get(text)) is None:
            place = self._places[text] = len(self.figures.texts)
            self.figures.texts.append(text)
        return place


def _readings(sheet: TableGrid) -> Iterator[Reading]:
    for row, record in enumerate(sheet.evidence.table.rows):
        for column in range(min(len(record.cells), len(sheet.columns))):
            if record.cells[column].value is not None and (reading := read(sheet, (row, column))):
                yield reading


_EDGES = re.compile(r"^[^\w(]+|[^\w)]+$")


def _segment(sheet: TableGrid, reading: Reading, head: Line) -> str:
    """Returns the part of the organisation that a figure is about: the column's heading without its period, or the
    row's label if the heading names a measure; without a heading, the closest parent that names no measure."""
    row, _ = reading.place
    line = sheet.rows[row]
    words = _EDGES.sub("", " ".join(untimed(head.label).split()) if head.period else head.label)
    if head.own and words and not scale_in(words) and "%" not in words:
        return line.label if named_measures(head.label) else words
    return next(
        (parent for parent in reversed(line.parents) if stems(untimed(parent)) and not named_measures(parent)), ""
    )
