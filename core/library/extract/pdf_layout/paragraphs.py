"""Splits the lines of one column into paragraphs, lists, headings and unruled tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from core.language.hebrew import LETTERS
from core.language.vocabulary import phrase_of
from core.library.extract.pdf_layout.bidi import reads_right_to_left
from core.library.extract.pdf_layout.glyphs import HYPHEN, Piece
from core.library.extract.pdf_layout.layout import Row
from core.library.extract.pdf_layout.typography import Style, is_capitals, run_in_length, usual_pitch
from core.library.extract.pdf_layout.unruled_tables import tables_in
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block

_BULLET = "•●○◦▪■□☐☑☒✓❖►▶‣⁃∙·➢➤"
_MARKER = re.compile(rf"[{_BULLET}–—*-]|\(?(\d{{1,3}}|[a-zA-Z{LETTERS}]{{1,2}})[.)]|[①-⑳]")
_BULLETED = re.compile(rf"[{_BULLET}]\s*\S|[–—*-]\s+\S")
_NUMBERED = re.compile(phrase_of("library/extract.paragraphs.numbered"))
_END_OF_SENTENCE = re.compile(r"[.!?:;。؟׃][\"”'»)\]]*$")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
_KEEPS_HYPHEN = re.compile(r"\b(self|well|cross|half|non|long|short|high|low|ex|to|of|in|by|state)$", re.IGNORECASE)
_ENOUGH_ROWS = 8
"""Number of lines that is enough to measure a column's line spacing."""
_ATTACHED_DASH = re.compile(f"[^\\W_][-־—{HYPHEN}]$")


def blocks_of(rows: Sequence[Row], style: Style, page: int, right_to_left: bool) -> list[Block]:
    """Blocks of one column, in order."""
    blocks: list[Block] = []
    flow: list[Row] = []
    style = style.set_as(rows)
    rows = [part for row in rows for part in _tables_apart(_with_marker(row))]
    tables = {table.first: table for table in tables_in(rows, page, right_to_left)}
    position = 0
    while position < len(rows):
        ready, table = rows[position].pieces[0].block, tables.get(position)
        if block := ready or (table.block if table else None):
            blocks += _flow_blocks(flow, style, page, right_to_left)
            blocks += _lines_of(block) if rows[position].is_entry else [block]
            flow = []
        else:
            flow.append(rows[position])
        position = table.end if table and not ready else position + 1
    return blocks + _flow_blocks(flow, style, page, right_to_left)


def _lines_of(form: Block) -> list[Block]:
    """Lines, with each label and its value as a separate paragraph."""
    return [Block(text=line, page=form.page) for line in form.text.split("\n")]


def _tables_apart(row: Row) -> list[Row]:
    """Put ruled tables, and labels with their values, on separate rows."""
    if len(row.pieces) > 1 and row.is_entry:
        return [Row([piece]) for piece in row.pieces]
    if not any(piece.block for piece in row.pieces):
        return [row]
    rest = [piece for piece in row.pieces if not piece.block]
    return [Row([piece]) for piece in row.pieces if piece.block] + ([Row(rest)] if rest else [])


def _with_marker(row: Row) -> Row:
    """Join a bullet or number printed with a gap before its item."""
    if len(row.pieces) < 2 or not _MARKER.fullmatch(row.pieces[0].text):
        return row
    marker, item, *rest = row.pieces
    joined = Piece(
        f"{marker.text} {item.text}",
        min(marker.x0, item.x0),
        max(marker.x1, item.x1),
        min(marker.bottom, item.bottom),
        max(marker.top, item.top),
        item.size,
        item.bold,
    )
    return Row([joined, *rest])


def _flow_blocks(rows: Sequence[Row], style: Style, page: int, right_to_left: bool) -> list[Block]:
    blocks: list[Block] = []
    items: list[str] = []
    paragraphs = _paragraphs(rows, style, right_to_left)
    for lines, below in zip_longest(paragraphs, [lines[0] for lines in paragraphs[1:]]):
        text = _paragraph_text(lines)
        if not text:
            continue
        if _BULLETED.match(text):
            items.append(text)
            continue
        if items:
            blocks.append(Block(text="\n".join(items), kind="list", page=page))
            items = []
        blocks += _of_paragraph(lines, below, text, style, page)
    if items:
        blocks.append(Block(text="\n".join(items), kind="list", page=page))
    return blocks


def _of_paragraph(lines: Sequence[Row], below: Row | None, text: str, style: Style, page: int) -> list[Block]:
    """A heading, a paragraph, or a run-in heading and the rest of its paragraph; ``below``: the next line."""
    level = style.level(lines, text, below)
    if level:
        return [Block(text=text, kind="heading", level=level, page=page)]
    end = run_in_length(lines, text) if style.bold_tells else 0
    if not end:
        return [Block(text=text, page=page)]
    head = Block(text=text[:end].strip(), kind="heading", level=style.level_of_run_in, page=page)
    return [head, Block(text=text[end:].strip(), page=page)]


def _paragraphs(rows: Sequence[Row], style: Style, right_to_left: bool) -> list[list[Row]]:
    """Split a column by spacing, type, indentation, markers or short last lines."""
    if not rows:
        return []
    usual = usual_pitch(rows) if len(rows) >= _ENOUGH_ROWS else style.pitch or usual_pitch(rows)
    left, right = style.extent or (min(row.x0 for row in rows), max(row.x1 for row in rows))
    paragraphs = [[rows[0]]]
    for above, row in pairwise(rows):
        column = _Column(left, right, min(usual, 1.9 * row.size), right_to_left, style.large)
        if column.begins_paragraph(above, row, paragraphs[-1]):
            paragraphs.append([row])
        else:
            paragraphs[-1].append(row)
    return paragraphs


@dataclass
class _Column:
    left: float
    right: float
    pitch: float
    right_to_left: bool
    large: float
    """Type of at least this size is a heading's, whose second line may begin anywhere."""

    def begins_paragraph(self, above: Row, row: Row, paragraph: Sequence[Row]) -> bool:
        pitch = above.bottom - row.bottom
        if above.is_entry or row.is_entry:
            return True
        if pitch > 1.3 * max(self.pitch, 1.05 * row.size) or pitch < -row.size:
            return True
        if abs(row.size - above.size) > 0.12 * max(row.size, above.size) or row.bold != above.bold:
            return not self._is_inline_change(above, row)
        if self.large and min(row.size, above.size) >= self.large:
            return self._ends_early(above, row)
        if self._is_titled_otherwise(above, row):
            return True
        if _BULLETED.match(row.text) or _NUMBERED.match(row.text):
            return True
        return self._starts_indented(above, row, paragraph) or (
            self._ends_early(above, row) and not self._goes_on(above, row, paragraph)
        )

    def _goes_on(self, above: Row, row: Row, paragraph: Sequence[Row]) -> bool:
        """Whether a sentence continues after a manual line break in a line that ends early."""
        if _BULLETED.match(paragraph[0].text):
            return False
        begins_so = row.text[:1].islower() or (row.text[:1].isdigit() and " " in row.text)
        is_prose = len(paragraph) > 1 and self._room(paragraph[-2]) < 0.12 * (self.right - self.left)
        return begins_so and is_prose and not _END_OF_SENTENCE.search(above.text)

    def _is_inline_change(self, above: Row, row: Row) -> bool:
        """Whether a sentence continues although its type changes at the line end."""
        if abs(row.size - above.size) > 0.12 * max(row.size, above.size) or self._ends_early(above, row):
            return False
        is_full = self._room(above) < 2 * above.size
        return row.text[:1].islower() or (is_full and not _END_OF_SENTENCE.search(above.text))

    def _is_titled_otherwise(self, above: Row, row: Row) -> bool:
        """Whether the line is short, in capitals or italics, and between other lines."""
        if row.italic and not above.italic:
            return bool(_END_OF_SENTENCE.search(above.text)) and not row.text[:1].islower()
        changes = (above.italic and not row.italic) or (is_capitals(above.text) and not is_capitals(row.text))
        return changes and self._room(above) > 4 * above.size and not row.text[:1].islower()

    def _room(self, row: Row) -> float:
        """Free space at the end of the row."""
        return row.x0 - self.left if self.right_to_left else self.right - row.x1

    def _indent(self, row: Row) -> float:
        return self.right - row.x1 if self.right_to_left else row.x0 - self.left

    def _starts_indented(self, above: Row, row: Row, paragraph: Sequence[Row]) -> bool:
        more = self._indent(row) - self._indent(above)
        hangs = len(paragraph) == 1 and bool(_MARKER.match(above.text))
        return (
            0.8 * row.size < more < 5 * row.size and not hangs and self._room(above) < 0.35 * (self.right - self.left)
        )

    def _ends_early(self, above: Row, row: Row) -> bool:
        first_word = row.text.split(" ", 1)[0]
        needed = 0.6 * row.size * (len(first_word) + 1)
        if self._room(above) < max(needed, 0.12 * (self.right - self.left)):
            return False
        return bool(_END_OF_SENTENCE.search(above.text)) or self._room(above) > 0.4 * (self.right - self.left)


def _paragraph_text(lines: Sequence[Row]) -> str:
    text = ""
    for row in lines:
        text = join_lines(text, row.text)
    return normalise(text.replace(HYPHEN, "-"))


def join_lines(above: str, below: str) -> str:
    """Join two lines: a hyphenated word is made whole, CJK text needs no space."""
    if not above:
        return below
    parted = above.endswith((HYPHEN, "-")) and len(above) > 2 and above[-2].isalpha()
    if parted and below[:1].islower() and not reads_right_to_left([above[-2]]):
        return above[:-1] + ("-" if _KEEPS_HYPHEN.search(above[:-1]) else "") + below
    if _ATTACHED_DASH.search(above) and below[:1].isalnum():
        return above.replace(HYPHEN, "-") + below
    if _CJK.match(above[-1]) and _CJK.match(below[:1]):
        return above + below
    return f"{above} {below}"


def one_line(rows: Sequence[Row]) -> str:
    """The text of a table cell."""
    return normalise_line(_paragraph_text(rows))
