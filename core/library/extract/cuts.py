"""Limits the length of cells and rows, and counts what was cut."""

from __future__ import annotations

from dataclasses import dataclass

from core.library.extract import problems

LONGEST_CELL = 32_767
"""Maximum length of a cell in characters; spreadsheets have the same limit."""
MOST_COLUMNS = 1_000


@dataclass
class Cuts:
    """Counts what was cut, so that it is reported once per file."""

    cells: int = 0
    rows: int = 0

    def cell(self, text: str) -> str:
        """``text``, cut if it is too long."""
        if len(text) <= LONGEST_CELL:
            return text
        self.cells += 1
        return text[:LONGEST_CELL]

    def row(self, cells: list[str]) -> list[str]:
        """The ``cells`` of a row, each cut to the limit, and without those beyond the last allowed column."""
        if len(cells) > MOST_COLUMNS:
            self.rows += 1
            cells = cells[:MOST_COLUMNS]
        return [self.cell(cell.strip()) for cell in cells]

    def clear(self) -> None:
        """Reset the counts, because the file is read again from its beginning."""
        self.cells = self.rows = 0

    def notes(self) -> list[problems.Note]:
        found = []
        if self.cells:
            found.append(problems.long_cells(self.cells, LONGEST_CELL))
        if self.rows:
            found.append(problems.wide_rows(self.rows, MOST_COLUMNS))
        return found
