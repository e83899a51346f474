"""Defines the packed form of a document's figures: columns and one list of texts, compressed as one block."""

from __future__ import annotations

import base64
import zlib

from pydantic import BaseModel

FORMAT = 2
"""The number of this form; figures in another form are extracted again."""
_LEVEL = 6


class TableColumns(BaseModel):
    """The tables, one entry each. ``context`` are the stems of its caption and of the headings above it; all texts are
    given by their place in ``PackedFigures.texts``."""

    number: list[int] = []
    caption: list[int] = []
    context: list[list[int]] = []


class RowColumns(BaseModel):
    """The table rows that have figures. ``own``, ``above`` and ``section`` are the stems of its label, of its parents
    and of the last heading before it. ``keys`` are the measures that its label names, best first, each with how exactly
    it does, in percent; ``above_keys`` are those that its parents name. ``principal``: the row is in the financial
    statement that reports the measure."""

    table: list[int] = []
    row: list[int] = []
    page: list[int] = []
    label: list[int] = []
    parents: list[list[int]] = []
    own: list[list[int]] = []
    above: list[list[int]] = []
    section: list[list[int]] = []
    keys: list[list[tuple[int, int]]] = []
    above_keys: list[list[int]] = []
    total: list[bool] = []
    principal: list[bool] = []


class HeadColumns(BaseModel):
    """The column headings with their stems, without periods, and the keys of the measures that they name."""

    label: list[int] = []
    own: list[list[int]] = []
    keys: list[list[int]] = []


class CellColumns(BaseModel):
    """The figures, in reading order; ``row`` and ``head`` are places in ``RowColumns`` and ``HeadColumns``."""

    row: list[int] = []
    head: list[int] = []
    column: list[int] = []
    value: list[float] = []
    text: list[int] = []
    period: list[int] = []
    unit: list[int] = []
    scale: list[float] = []
    currency: list[int] = []
    segment: list[int] = []


class PackedFigures(BaseModel):
    """All figures of one document. The first text is empty."""

    texts: list[str] = [""]
    tables: TableColumns = TableColumns()
    rows: RowColumns = RowColumns()
    heads: HeadColumns = HeadColumns()
    cells: CellColumns = CellColumns()

    @property
    def count(self) -> int:
        """The number of figures."""
        return len(self.cells.row)

    def vocabulary(self) -> list[str]:
        """Returns every stem of labels, headings and captions, sorted."""
        columns = (self.rows.own, self.rows.above, self.rows.section, self.heads.own, self.tables.context)
        return sorted({self.texts[place] for column in columns for stems in column for place in stems})

    def measures(self) -> list[str]:
        """Returns the keys of all measures that labels and headings name, sorted."""
        named = {place for keys in self.rows.keys for place, _ in keys}
        named.update(place for column in (self.rows.above_keys, self.heads.keys) for keys in column for place in keys)
        return sorted(self.texts[place] for place in named)


def compress(text: str) -> str:
    """Returns compressed ``text`` in characters that every record store takes."""
    return base64.b64encode(zlib.compress(text.encode(), _LEVEL)).decode("ascii")


def decompress(text: str) -> bytes:
    """Undoes :func:`compress`."""
    return zlib.decompress(base64.b64decode(text))


def packed(figures: PackedFigures) -> str:
    """Returns the figures as a compressed block."""
    return compress(figures.model_dump_json())


def unpacked(block: str) -> PackedFigures:
    """Undoes :func:`packed`. Raises ``ValueError`` for a damaged block."""
    return PackedFigures.model_validate_json(decompress(block))
