"""Reads forms drawn with rules: every second column has labels, the others their values → one line per label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.library.extract.pdf_layout.form_blocks import stacked
from core.library.extract.pdf_layout.form_evidence import Entry, is_form
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.ruled_tables import Grid
from core.library.tables.cells import is_figure

_FEWEST = 3
_MOST_LABELS = 0.7
"""Smallest share of a form's labels that end in a colon."""


@dataclass
class _Cell:
    text: str
    bold: bool


@dataclass
class _Section:
    """Rows under one heading: ``rows[i][j]`` is the entry of block ``j``; ``heads``: one for each block, or one for
    all."""

    heads: list[str] = field(default_factory=list)
    rows: list[list[Entry]] = field(default_factory=list)


def form_in_grid(grid: Grid, page: int, right_to_left: bool) -> list[Piece]:
    """The pieces of a form, at the position of its grid; empty if it is a table."""
    order = list(range(len(grid.xs) - 1))
    order = [column for column in (order[::-1] if right_to_left else order) if grid.is_used(column)]
    if len(order) % 2 or not order:
        return []
    rows = [
        [_Cell(grid.cell_text(row, column, right_to_left), grid.is_bold(row, column)) for column in order]
        for row in range(len(grid.ys) - 1)
    ]
    sections = _sections([row for row in rows if any(cell.text for cell in row)])
    body = [row for section in sections for row in section.rows]
    is_marked = _is_marked([entry for row in body for entry in row])
    if not is_marked and (_names_columns(rows) or not is_form([block for block in _blocks(body) if block])):
        return []
    groups: list[list[Entry]] = []
    headings: list[Piece | None] = []
    for section in sections:
        if len(section.heads) > 1:
            read = _blocks(section.rows) or [[] for _ in section.heads]
        else:
            read = [[entry for row in section.rows for entry in row if entry.label or entry.value]]
        groups += read
        headings += [Piece(head, *grid.box, grid.size, True) if head else None for head in section.heads or [""]]
    return stacked(groups, headings, grid.box, grid.size, page)


def _sections(rows: Sequence[Sequence[_Cell]]) -> list[_Section]:
    """The sections, separated by rows of headings."""
    labels_are_bold = 2 * sum(row[0].bold for row in rows) > len(rows)
    sections: list[_Section] = []
    for row in rows:
        heads = _heads(row, is_first=not sections, may_be_bold=not labels_are_bold)
        if heads or not sections:
            sections.append(_Section(heads))
        if not heads:
            sections[-1].rows.append([_entry(*row[at : at + 2]) for at in range(0, len(row), 2)])
    return sections


def _heads(row: Sequence[_Cell], is_first: bool, may_be_bold: bool) -> list[str]:
    """The headings: one text in each of several blocks in the first row, or one bold text in a row if labels are not
    bold."""
    texts = [cell for cell in row if cell.text]
    by_block = [[cell.text for cell in row[at : at + 2] if cell.text] for at in range(0, len(row), 2)]
    if is_first and len(by_block) > 1 and all(len(found) == 1 and not found[0].endswith(":") for found in by_block):
        return [found[0] for found in by_block]
    is_alone = len(texts) == 1 and (len(by_block) > 1 or row[0] is texts[0])
    return [texts[0].text] if is_alone and texts[0].bold and may_be_bold else []


def _entry(label: _Cell, value: _Cell) -> Entry:
    return Entry(label.text, value.text, bool(label.text) and label.bold and not value.bold)


def _blocks(rows: Sequence[Sequence[Entry]]) -> list[list[Entry]]:
    """The non-empty entries of each block."""
    if not rows:
        return []
    return [[row[at] for row in rows if row[at].label or row[at].value] for at in range(len(rows[0]))]


def _names_columns(rows: Sequence[Sequence[_Cell]]) -> bool:
    """Whether only the first row is completely bold, as a table's headings are."""
    return all(cell.bold for cell in rows[0]) and not any(all(cell.bold for cell in row) for row in rows[1:])


def _is_marked(entries: Sequence[Entry]) -> bool:
    """Whether colons or bold type mark the labels."""
    pairs = [entry for entry in entries if entry.label or entry.value]
    named = sum(bool(entry.label) for entry in pairs)
    figures = sum(is_figure(entry.value) for entry in pairs)
    if len(pairs) < _FEWEST or named < len(pairs) - 1 or figures == len(pairs):
        return False
    colons = sum(entry.label.endswith(":") for entry in pairs)
    bold = sum(entry.bold and not is_figure(entry.value) for entry in pairs)
    return colons >= _MOST_LABELS * len(pairs) or bold == len(pairs)
