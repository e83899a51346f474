"""Reads CSV files of any dialect."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from core.library.extract import problems
from core.library.extract.cuts import Cuts
from core.library.extract.sheet_blocks import sheet_blocks
from core.library.extract.table import table_block
from core.library.extract.text import read_text
from core.library.extracted import Block, Extracted
from core.library.tables.decimal_marks import with_decimal_marks
from core.library.tables.sheet_parts import SheetTable, sheet_parts
from core.settings import Settings

MIME = "text/csv"
_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 1_000_000
LONGEST_CELL_LINES = 60
_MOST_ROWS = 500_000
_LEAST_ROWS = 3

csv.field_size_limit(64 * 1024 * 1024)


def extract_csv(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract one table; lines before it without cells become paragraphs."""
    text, notes = read_text(path.read_bytes(), settings)
    text = text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
    limit = settings.limits.extracted_characters
    notes += [problems.only_characters(limit)] if len(text) > limit else []
    text = text[:limit]
    declared, text = declared_delimiter(text)
    cuts = Cuts()
    delimiter = declared or sniff_delimiter(text)
    rows = [cuts.row(row) for row in read_rows(text, delimiter)]
    notes += cuts.notes()
    read = with_decimal_marks(_blocks(rows), semicolons=delimiter == ";")
    return Extracted(blocks=read, mime=MIME, notes=notes)


def _blocks(rows: list[list[str]]) -> list[Block]:
    """Titles and one table, or several tables if empty rows separate tables with their own headings."""
    titles = title_line_count(rows)
    body = with_full_head(rows[titles:])
    if not all(map(any, body)):
        tables = [part for part in sheet_parts(list(map(_trimmed, body))) if isinstance(part, SheetTable)]
        if len(tables) > 1 and all(table.is_headed for table in tables):
            return sheet_blocks(list(map(_trimmed, [*rows[:titles], *body])), None)
    blocks = [Block(text=" ".join(filter(None, row))) for row in rows[:titles] if any(row)]
    table = table_block(body, above=[block.text for block in blocks])
    return [*blocks, table] if table else blocks


def _trimmed(row: list[str]) -> list[str]:
    """The row without empty cells at its end."""
    return row[: max((place + 1 for place, cell in enumerate(row) if cell), default=0)]


def with_full_head(rows: list[list[str]]) -> list[list[str]]:
    """``rows`` with a heading row as wide as the others. Programs omit the labels' heading, or write one although no
    row has a label."""
    filled = [row for row in rows if any(row)]
    if len(filled) < _LEAST_ROWS:
        return rows
    head, widths = filled[0], {len(row) for row in filled[1:]}
    place = rows.index(head)
    if widths == {len(head) + 1} and all(head) and all(row[-1] for row in filled[1:]):
        return [*rows[:place], ["", *head], *rows[place + 1 :]]
    if widths == {len(head) - 1} and not head[0] and all(head[1:]):
        return [*rows[:place], head[1:], *rows[place + 1 :]]
    return rows


def declared_delimiter(text: str) -> tuple[str | None, str]:
    """The delimiter declared in the first line (Excel writes ``sep=;``), and the text after that line."""
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[4], rest
    return None, text


def sniff_delimiter(text: str) -> str:
    """The delimiter that splits most lines into the same number of cells, at least two."""
    sample = "\n".join(text[:_SAMPLE_CHARACTERS].split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES])
    return max(_DELIMITERS, key=lambda delimiter: _regularity(sample, delimiter))


def _regularity(sample: str, delimiter: str) -> tuple[float, int]:
    widths = Counter(len(row) for row in read_rows(sample, delimiter) if row)
    widths.pop(1, None)
    if not widths:
        return 0.0, 0
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    lines = sum(1 for line in sample.split("\n") if line.strip())
    return count / max(lines, 1), width


def read_rows(text: str, delimiter: str) -> list[list[str]]:
    """Rows of cells; a quote that is never closed is treated as a character."""
    try:
        rows = _parsed(text, delimiter, csv.QUOTE_MINIMAL)
        if all(cell.count("\n") <= LONGEST_CELL_LINES for row in rows for cell in row):
            return rows
    except csv.Error:
        pass
    return _parsed(text, delimiter, csv.QUOTE_NONE)


def _parsed(text: str, delimiter: str, quoting: int) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, skipinitialspace=True)  # type: ignore[arg-type]
    return [[cell.strip() for cell in row] for row in islice(reader, _MOST_ROWS)]


def title_line_count(rows: Sequence[Sequence[str]]) -> int:
    """The number of first lines that are a title and not part of the table."""
    filled = [sum(map(bool, row)) for row in rows[:12]]
    if not filled or max(filled) < 2:
        return 0
    return next(index for index, count in enumerate(filled) if count > 1)
