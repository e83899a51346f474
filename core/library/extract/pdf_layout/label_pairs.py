"""Reads forms: labels and the values printed next to them → pieces of the form "label: value", in reading order.

Labels are one below the other, each with at most one value after it, in one or several columns. A label is marked by a
colon, or by bold type next to non-bold values, unless the numbers show that it is a table.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import Row, rows_of
from core.library.extracted import Block
from core.library.tables.cells import is_figure

_LONGEST = 70
_ALIGNED = 2.5
_FEWEST = 2
_FEWEST_BOLD = 3
_LINE = 1.4
"""Largest line distance inside one value or label, in type sizes."""
_APART = 7.0
"""If the gap between two labels of one column is larger than this, in type sizes, they belong to two forms."""
_INDENT = 20.0
_SMALLEST = 0.6
_MARKER_GAP = 40.0
_MARKER = re.compile(r"\(?[0-9a-zA-Z]{1,3}[.)]")
_MOST_TORN = 0.25
_WORDS_OF_LINE = 4
_MOST_PIECES = 2_000


def with_pairs(pieces: Sequence[Piece], page: int, right_to_left: bool) -> list[Piece]:
    """The pieces of a page, with labels and values joined: those of one form as one piece with a line for each, read
    row by row."""
    free = [piece for piece in pieces if piece.block is None and not piece.is_entry]
    if not 2 * _FEWEST <= len(free) <= _MOST_PIECES:
        return list(pieces)
    placed = [_Placed.of(piece, right_to_left) for piece in free]
    if not any(each.has_colon or each.piece.bold for each in placed):
        return list(pieces)
    entries, gone = _Page(placed).entries()
    rest = [piece for piece in pieces if id(piece) not in gone]
    return rest + [_as_one(form, page) for form in _forms(rows_of(entries, right_to_left), rest)]


def _forms(rows: Sequence[Row], rest: Sequence[Piece]) -> list[list[Row]]:
    """Rows of entries with nothing else on the page between them."""
    forms: list[list[Row]] = []
    for row in rows:
        if forms and not _is_parted(forms[-1], row, rest):
            forms[-1].append(row)
        else:
            forms.append([row])
    return forms


def _is_parted(form: Sequence[Row], row: Row, rest: Sequence[Piece]) -> bool:
    left, right = min(row.x0, *(each.x0 for each in form)), max(row.x1, *(each.x1 for each in form))
    above = form[-1]
    return any(
        above.bottom > (piece.bottom + piece.top) / 2 > row.top and piece.x0 < right and piece.x1 > left
        for piece in rest
    )


def _as_one(form: Sequence[Row], page: int) -> Piece:
    pieces = [piece for row in form for piece in row.pieces]
    text = "\n".join(piece.text for piece in pieces)
    return replace(
        pieces[0],
        text=text,
        x0=min(piece.x0 for piece in pieces),
        x1=max(piece.x1 for piece in pieces),
        bottom=min(piece.bottom for piece in pieces),
        block=Block(text=text, page=page),
    )


@dataclass
class _Placed:
    """A piece with its horizontal extent in reading direction."""

    piece: Piece
    x0: float
    x1: float

    @classmethod
    def of(cls, piece: Piece, right_to_left: bool) -> _Placed:
        return cls(piece, -piece.x1, -piece.x0) if right_to_left else cls(piece, piece.x0, piece.x1)

    @property
    def has_colon(self) -> bool:
        text = self.piece.text
        return text.endswith(":") and len(text) <= _LONGEST and sum(map(str.isalpha, text)) > 1

    def shares_line(self, other: _Placed) -> bool:
        one, two = self.piece, other.piece
        return min(one.top, two.top) - max(one.bottom, two.bottom) > 0.5 * min(one.height, two.height)

    def is_next_line_of(self, above: _Placed) -> bool:
        drop = above.piece.bottom - self.piece.bottom
        size = above.piece.size
        return abs(size - self.piece.size) < 0.06 * size and 0.5 * size < drop <= _LINE * size


@dataclass
class _Label:
    """The lines of a label, and those of its value."""

    lines: list[_Placed]
    value: list[_Placed] = field(default_factory=list)
    values_on_line: int = 0

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)

    @property
    def first(self) -> _Placed:
        return self.lines[0]


class _Page:
    def __init__(self, placed: list[_Placed]) -> None:
        self.placed = sorted(placed, key=lambda each: (-each.piece.top, each.x0))

    def entries(self) -> tuple[list[Piece], set[int]]:
        """Returns (labels with their values, identities of the pieces that they consist of)."""
        columns = [run for column in self._columns() for run in self._runs(column)]
        labels = [label for run in columns for label in run]
        starts = {id(line.piece) for label in labels for line in label.lines}
        for run in columns:
            for label, below in zip(run, [*run[1:], None], strict=True):
                self._find_value(label, below, starts)
        kept = [run for run in columns if _is_form(run) and not self._is_beside_text(run)]
        entries: list[Piece] = []
        gone: set[int] = set()
        for label in (label for run in kept for label in run):
            label.lines[:0] = self._marker(label.first)
            used = [*label.lines, *label.value]
            gone.update(id(each.piece) for each in used)
            entries.append(_entry(label, used))
        return entries, gone

    def _marker(self, label: _Placed) -> list[_Placed]:
        """The list number or letter of an item, printed with a gap before its label."""
        before = (
            each
            for each in self.placed
            if label.x0 - _MARKER_GAP < each.x1 <= label.x0
            and each.shares_line(label)
            and _MARKER.fullmatch(each.piece.text)
        )
        return list(before)[:1]

    def _is_beside_text(self, run: Sequence[_Label]) -> bool:
        """Whether the values are lines of running text, which continues from line to line regardless of the labels."""
        labelled = {id(each.piece) for label in run for each in label.value[: label.values_on_line]}
        with_value = [label for label in run if label.value]
        torn = 0
        for value in (label.value[0] for label in with_value):
            above = [
                each for each in self.placed if abs(each.x0 - value.x0) <= _ALIGNED and value.is_next_line_of(each)
            ]
            is_small = value.piece.text[:1].islower()
            torn += any(
                is_small and _goes_on(each.piece.text)
                if id(each.piece) in labelled
                else is_small or _goes_on(each.piece.text)
                for each in above
            )
        return torn > _MOST_TORN * len(with_value)

    def _columns(self) -> list[list[_Placed]]:
        """Aligned pieces, from the top."""
        found: list[list[_Placed]] = []
        for each in sorted(self.placed, key=lambda each: each.x0):
            if found and each.x0 - found[-1][0].x0 <= _ALIGNED:
                found[-1].append(each)
            else:
                found.append([each])
        return [sorted(column, key=lambda each: -each.piece.top) for column in found if len(column) >= _FEWEST]

    def _runs(self, column: Sequence[_Placed]) -> list[list[_Label]]:
        """Labels that follow one another in a column, with nothing in between."""
        runs: list[list[_Label]] = []
        run: list[_Label] = []
        waiting: list[_Placed] = []
        for each in column:
            last = run[-1].lines[-1] if run else None
            if last is not None and (
                last.piece.bottom - each.piece.top > _APART * each.piece.size or self._is_cut(last, each)
            ):
                runs.append(run)
                run, waiting = [], []
            if each.has_colon:
                is_rest = bool(waiting) and each.is_next_line_of(waiting[-1])
                run.append(_Label([*waiting, each] if is_rest else [each]))
                waiting = []
            elif not waiting and self._may_be_label(each, run):
                waiting = [each]
                if self._has_value(each):
                    run.append(_Label([each]))
            else:
                runs.append(run)
                run, waiting = [], []
        runs.append(run)
        return [_without_first_lines(run) for run in runs if len(run) >= _FEWEST]

    def _is_cut(self, above: _Placed, below: _Placed) -> bool:
        """Whether other text begins below a label, before the next one of its column."""
        return any(
            above.x0 - _INDENT <= each.x0 < above.x1 and above.piece.bottom >= each.piece.top - 1 > below.piece.top
            for each in self.placed
            if each is not above and each is not below and abs(each.x0 - above.x0) > _ALIGNED
        )

    def _may_be_label(self, each: _Placed, run: Sequence[_Label]) -> bool:
        """For text without a colon: the upper line of a label, or a bold label among others."""
        if len(each.piece.text) > _LONGEST or is_figure(each.piece.text):
            return False
        alike = run[-1].first.piece.bold == each.piece.bold if run else True
        return alike and (each.piece.bold or bool(run))

    def _has_value(self, each: _Placed) -> bool:
        """Whether the next text on the line is less bold."""
        following = self._on_line(each)
        return bool(following) and each.piece.bold and not following[0].piece.bold

    def _on_line(self, each: _Placed) -> list[_Placed]:
        found = [
            other
            for other in self.placed
            if other.x0 >= each.x1 and each.shares_line(other) and other.piece.size >= _SMALLEST * each.piece.size
        ]
        return sorted(found, key=lambda other: other.x0)

    def _find_value(self, label: _Label, below: _Label | None, starts: set[int]) -> None:
        """The pieces between a label and the next label on its line, and the lines below them."""
        edge = float("inf")
        for line in label.lines:
            for other in self._on_line(line):
                if id(other.piece) in starts or other.has_colon:
                    edge = min(edge, other.x0)
                    break
                if other.x0 < edge:
                    label.value.append(other)
                    label.values_on_line += 1
        if not label.value:
            return
        left = min(each.x0 for each in label.value)
        lowest = below.first.piece.top if below else float("-inf")
        last = min(label.value, key=lambda each: each.piece.bottom)
        taken = {id(each.piece) for each in label.value} | starts
        for other in self.placed:
            if id(other.piece) in taken or abs(other.x0 - left) > _ALIGNED or other.x1 > edge:
                continue
            middle = (other.piece.top + other.piece.bottom) / 2
            if middle > lowest and other.is_next_line_of(last) and other.piece.bold == last.piece.bold:
                label.value.append(other)
                last = other


def _goes_on(text: str) -> bool:
    """Whether a line belongs to an unfinished sentence."""
    return len(text.split()) >= _WORDS_OF_LINE and not text.endswith((".", ";", ":"))


def _without_first_lines(run: Sequence[_Label]) -> list[_Label]:
    """Remove a label that is only the upper line of the next label."""
    seen: dict[int, int] = defaultdict(int)
    for label in run:
        for line in label.lines:
            seen[id(line)] += 1
    return [label for label in run if len(label.lines) > 1 or seen[id(label.first)] == 1]


def _is_form(run: Sequence[_Label]) -> bool:
    """Whether each label has at most one value, and not all values are numbers, as in a table."""
    with_value = [label for label in run if label.value]
    if len(with_value) < _FEWEST or sum(label.values_on_line > 1 for label in with_value) > 0.34 * len(with_value):
        return False
    colons = sum(label.lines[-1].has_colon for label in run)
    figures = sum(is_figure(label.value[0].piece.text) for label in with_value)
    if 2 * colons < len(run):
        return len(with_value) >= _FEWEST_BOLD and len(with_value) == len(run) and figures == 0
    return figures < len(with_value)


def _entry(label: _Label, used: Sequence[_Placed]) -> Piece:
    name = " ".join(line.piece.text for line in label.lines)
    value = " ".join(each.piece.text for each in label.value)
    sign = "" if name.endswith(":") else ":"
    first = label.first.piece
    return replace(
        first,
        text=f"{name}{sign} {value}".strip() if value else name,
        x0=min(each.piece.x0 for each in used),
        x1=max(each.piece.x1 for each in used),
        bold=False,
        italic=False,
        lead=0,
        is_entry=True,
    )
