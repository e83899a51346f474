"""Adds the values typed into a form to the page's text: each with the label printed for it.

The label is the text inside the field's box, before it on the line, or above it. If there is none, the field's name in
the file is used. Rows of fields without labels are table cells: their values are put at their positions, so that the
table is read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.library.extract.pdf_layout.annotations import Note, Typed
from core.library.extract.pdf_layout.bidi import reads_right_to_left
from core.library.extract.pdf_layout.glyphs import Box, Glyph, Piece
from core.library.tables.units import currency_in, scale_in
from core.messages import message

_CLOSE = 60.0
"""A label next to a field within this many points is preferred to one above it."""
_ABOVE = 14.0
_FARTHEST = 0.6
_TEXT_SIZE = 0.7
_LARGEST = 12.0
_OPTION_GAP = 14.0
_WIDEST_HEAD = 8.0
"""Largest distance of a heading over a column of boxes, in box widths."""
_BLANK = re.compile(r"\s?(?:[_.…]{3,}|(?:\. ){3,})\s?")
_UNITS = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]\s?:?$")
_BARE_FIGURE = re.compile(r"[-−(]?\d[\d,. ]{0,30}\)?")
_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}
_ENDS_LABEL = (":", "?", "-", "–", "—", "=")
_CHECKED, _UNCHECKED = "☒", "☐"


def in_grid(typed: Typed, order: int) -> Glyph:
    """The value at its position, as if it had been printed there."""
    left, right, bottom, top = typed.box
    size = min(_LARGEST, max(4.0, _TEXT_SIZE * (top - bottom)))
    middle = (bottom + top) / 2
    text = (_CHECKED if typed.is_checked else _UNCHECKED) if typed.is_box else typed.value
    return Glyph(text, left, right, middle - 0.5 * size, middle + 0.65 * size, size, False, order=order, parted=True)


def with_values(
    pieces: list[Piece], fields: Sequence[Typed], right_to_left: bool, page_width: float
) -> tuple[list[Piece], list[Note]]:
    """The pieces of a page with the values of its fields, each after its label; free text written elsewhere on the page
    becomes a note."""
    page = _Form(list(pieces), right_to_left, page_width)
    boxes = [typed for typed in fields if typed.is_box]
    if not any(typed.is_checked or (typed.value and not typed.is_free) for typed in fields):
        boxes = []
    page.check(boxes)
    rest = _without_blanks(page, [typed for typed in fields if not typed.is_box])
    labels = page.labels_of(rest)
    notes: list[Note] = []
    for typed in page.cells_among(rest, labels):
        page.pieces.append(_own_piece(typed, typed.value))
    for typed, label in labels:
        if label is None and typed.is_free and typed.author:
            notes.append(Note(typed.value, typed.author))
        elif label is None:
            text = typed.value if typed.is_free or not typed.name else f"{typed.name}: {typed.value}"
            page.pieces.append(_own_piece(typed, text))
        else:
            _put_behind(label, typed, page.goes_on(typed))
    return page.pieces, notes


def _without_blanks(page: _Form, fields: Sequence[Typed]) -> list[Typed]:
    """Insert values into the printed blanks under them; returns the fields that are not over a blank."""
    left: list[Typed] = []
    for typed in sorted(fields, key=lambda typed: typed.box[0]):
        piece = next((piece for piece in page.free if _is_over(typed.box, piece) and _BLANK.search(piece.text)), None)
        if piece is None:
            left.append(typed)
            continue
        before, behind = _BLANK.split(piece.text, maxsplit=1)
        piece.text = f"{before} {typed.value} {behind}".strip()
        piece.bold, piece.lead, piece.is_entry = False, 0, True
    return left


def _is_over(box: Box, piece: Piece) -> bool:
    return _on_line(box, piece) and min(box[1], piece.x1) - max(box[0], piece.x0) > 0.5 * (box[1] - box[0])


def _on_line(box: Box, piece: Piece) -> bool:
    shared = min(box[3], piece.top) - max(box[2], piece.bottom)
    return shared >= 0.5 * min(piece.height, box[3] - box[2])


def _own_piece(typed: Typed, text: str) -> Piece:
    glyph = in_grid(typed, 0)
    return Piece(text, glyph.x0, glyph.x1, glyph.bottom, glyph.top, glyph.size, False, is_entry=text != typed.value)


def _put_behind(label: Piece, typed: Typed, goes_on: bool) -> None:
    text = _BLANK.sub(" ", label.text).strip() or label.text
    sign = "" if goes_on or text.endswith(_ENDS_LABEL) else ":"
    label.text = f"{text}{sign} {_with_units(typed.value, text)}"
    label.x0, label.x1 = min(label.x0, typed.box[0]), max(label.x1, typed.box[1])
    label.bold, label.italic, label.lead = False, False, 0
    label.is_entry = not goes_on


def _with_units(value: str, label: str) -> str:
    """A plain number with the currency in its label's brackets, so that it is a complete amount."""
    units = _UNITS.search(label)
    currency = currency_in(units[1]) if units else None
    if not units or not currency or not _BARE_FIGURE.fullmatch(value):
        return value
    return f"{currency} {value} {_SCALES.get(scale_in(units[1]) or 0, '')}".strip()


@dataclass
class _Form:
    pieces: list[Piece]
    right_to_left: bool
    width: float
    options: set[int] = field(default_factory=set)
    """Identities of the pieces that label checkboxes."""

    @property
    def free(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.block is None]

    def labels_of(self, fields: Sequence[Typed]) -> list[tuple[Typed, Piece | None]]:
        """Each field with the text printed for it; a text labels only one field."""
        taken = set(self.options)
        found: list[tuple[Typed, Piece | None]] = []
        for typed in sorted(fields, key=lambda typed: (-typed.box[3], typed.box[0])):
            label = self._label(typed, [other for other in fields if other is not typed], taken)
            if label is not None:
                taken.add(id(label))
            found.append((typed, label))
        return found

    def _label(self, typed: Typed, others: Sequence[Typed], taken: set[int]) -> Piece | None:
        free = [piece for piece in self.free if id(piece) not in taken and _has_words(piece)]
        inside = [piece for piece in free if _is_inside(piece, typed.box)]
        if inside:
            return max(inside, key=lambda piece: piece.top)
        side = self._beside(typed, free, others)
        if typed.is_free:
            return side if side is not None and side.text.rstrip(" _.…").endswith(_ENDS_LABEL) else None
        if side is not None and (self._gap(typed, side) <= _CLOSE or side.text.endswith(_ENDS_LABEL)):
            return side
        above = [piece for piece in free if _is_above(piece, typed.box)]
        if above:
            return min(above, key=lambda piece: piece.bottom)
        return side

    def _beside(self, typed: Typed, free: Sequence[Piece], others: Sequence[Typed]) -> Piece | None:
        """The nearest text before the field on its line, unless another field is in between."""
        before = [
            piece
            for piece in free
            if _on_line(typed.box, piece) and -4.0 <= self._gap(typed, piece) <= _FARTHEST * self.width
        ]
        nearest = min(before, key=lambda piece: self._gap(typed, piece), default=None)
        if nearest is None:
            return None
        gap = self._gap(typed, nearest)
        between = (
            other for other in others
            if _share_line(other.box, typed.box) and -4.0 <= self._gap_of_boxes(typed.box, other.box) < gap
        )  # fmt: skip
        return None if any(between) else nearest

    def _gap(self, typed: Typed, piece: Piece) -> float:
        return piece.x0 - typed.box[1] if self.right_to_left else typed.box[0] - piece.x1

    def _gap_of_boxes(self, box: Box, other: Box) -> float:
        return other[0] - box[1] if self.right_to_left else box[0] - other[1]

    def goes_on(self, typed: Typed) -> bool:
        """Whether a printed sentence continues after the field, as in "this 5th day of"."""
        return any(
            piece.text[:1].islower() or piece.text[:1] in ",;.)"
            for piece in self.free
            if _on_line(typed.box, piece) and -4.0 <= piece.x0 - typed.box[1] <= _OPTION_GAP
        )

    def cells_among(self, fields: Sequence[Typed], labels: list[tuple[Typed, Piece | None]]) -> list[Typed]:
        """The fields of rows in which some have no label, removed from ``labels``."""
        without = [typed for typed, label in labels if label is None and not typed.is_free]
        rows = [other for other in fields if any(_share_line(other.box, typed.box) for typed in without)]
        columns = [
            other for other in fields
            if any(abs(other.box[0] - cell.box[0]) < 3 and abs(other.box[1] - cell.box[1]) < 3 for cell in rows)
        ]  # fmt: skip
        cells = {id(typed) for typed in columns} if len(rows) > 1 else set()
        labels[:] = [(typed, label) for typed, label in labels if id(typed) not in cells]
        return [typed for typed in fields if id(typed) in cells]

    def check(self, boxes: Sequence[Typed]) -> None:
        """Mark the boxes, and add the checked answers to their question."""
        options: list[tuple[Typed, Piece]] = []
        lonely: list[Typed] = []
        for typed in sorted(boxes, key=lambda typed: (-typed.box[3], typed.box[0])):
            option = self._option(typed)
            if option is not None:
                options.append((typed, option))
                self.options.add(id(option))
            else:
                lonely.append(typed)
        option_of = {id(typed): option for typed, option in options}
        for group in _lines_of([typed for typed, _ in options]):
            self._answer([(typed, option_of[id(typed)]) for typed in group])
        for group in _lines_of(lonely):
            self._answer_apart(group)

    def _answer_apart(self, group: Sequence[Typed]) -> None:
        """Boxes far from their label: a single box means yes or no; several boxes are named by the headings above
        them."""
        first = group[-1] if self.right_to_left else group[0]
        label = self._beside(first, [piece for piece in self.free if id(piece) not in self.options], ())
        heads = [self._head(typed) for typed in group] if len(group) > 1 else []
        if label is None or not _has_words(label) or not all(heads):
            for typed in group:
                if typed.is_checked:
                    self.pieces.append(_own_piece(typed, f"{_CHECKED} {typed.name}".strip()))
            return
        self.options.add(id(label))
        if not heads:
            _say(label, _yes_or_no(first, label.text))
        elif any(typed.is_checked for typed in group):
            names = [(typed, head.text) for typed, head in zip(group, heads, strict=True) if head]
            if self.right_to_left:
                names.reverse()
            marked = " ".join(f"{_CHECKED if typed.is_checked else _UNCHECKED} {name}" for typed, name in names)
            _say(label, f"{', '.join(name for typed, name in names if typed.is_checked)} ({marked})")

    def _head(self, typed: Typed) -> Piece | None:
        """The lowest short text above a box, however many boxes are in between."""
        left, right = typed.box[:2]
        over = [
            piece for piece in self.free
            if piece.bottom >= typed.box[3] - 2 and min(piece.x1, right) - max(piece.x0, left) > 0
            and piece.x1 - piece.x0 <= _WIDEST_HEAD * (right - left) and id(piece) not in self.options
        ]  # fmt: skip
        found = min(over, key=lambda piece: piece.bottom, default=None)
        return found if found is not None and _has_letters(found) else None

    def _option(self, typed: Typed) -> Piece | None:
        """The option that a box stands for: the nearest text after or before it."""
        near = [
            (gap, order, piece)
            for piece in self.free
            if _on_line(typed.box, piece) and _has_letters(piece)
            for order, gap in enumerate((self._gap_behind(typed, piece), self._gap(typed, piece)))
            if -4.0 <= gap <= _OPTION_GAP
        ]
        return min(near, key=lambda found: found[:2], default=(0.0, 0, None))[2]

    def _gap_behind(self, typed: Typed, piece: Piece) -> float:
        return typed.box[0] - piece.x1 if self.right_to_left else piece.x0 - typed.box[1]

    def _answer(self, group: Sequence[tuple[Typed, Piece]]) -> None:
        checked = [option.text for typed, option in group if typed.is_checked]
        question = self._question(group)
        for typed, option in group:
            says = ""
            if len(group) == 1 and question is None and not option.text.endswith((".", *_ENDS_LABEL)):
                says = f": {_yes_or_no(typed, option.text)}"
            option.text = f"{_CHECKED if typed.is_checked else _UNCHECKED} {option.text}{says}"
            option.bold, option.lead = False, 0
            option.x0, option.x1 = min(option.x0, typed.box[0]), max(option.x1, typed.box[1])
        if question is None or len(group) < 2 or not checked:
            return
        as_printed = " ".join(option.text for _, option in group)
        _say(question, f"{', '.join(checked)} ({as_printed})")
        self.options.add(id(question))
        gone = {id(option) for _, option in group}
        self.pieces = [piece for piece in self.pieces if id(piece) not in gone]

    def _question(self, group: Sequence[tuple[Typed, Piece]]) -> Piece | None:
        options = {id(option) for _, option in group}
        first = group[0][0] if not self.right_to_left else group[-1][0]
        before = [
            piece for piece in self.free
            if id(piece) not in options and _on_line(first.box, piece) and _has_words(piece)
            and 0 <= self._gap(first, piece) <= _FARTHEST * self.width
        ]  # fmt: skip
        return min(before, key=lambda piece: self._gap(first, piece), default=None)


def _lines_of(boxes: Sequence[Typed]) -> list[list[Typed]]:
    """Boxes by line, ordered from top to bottom."""
    groups: list[list[Typed]] = []
    for typed in boxes:
        if groups and _share_line(groups[-1][-1].box, typed.box):
            groups[-1].append(typed)
        else:
            groups.append([typed])
    return groups


def _say(label: Piece, text: str) -> None:
    """Put an answer after its label."""
    sign = "" if label.text.endswith(_ENDS_LABEL) else ":"
    label.text = f"{label.text}{sign} {text}"
    label.bold, label.italic, label.lead, label.is_entry = False, False, 0, True


def _yes_or_no(typed: Typed, label: str) -> str:
    """Yes or no for a box, in the language of its label."""
    words = message(f"library.reading.{'checked' if typed.is_checked else 'unchecked'}")
    return words.to("he") if reads_right_to_left([label]) else words.en


def _share_line(one: Box, other: Box) -> bool:
    return min(one[3], other[3]) - max(one[2], other[2]) > 0.5 * min(one[3] - one[2], other[3] - other[2])


def _is_inside(piece: Piece, box: Box) -> bool:
    """Whether the text is printed small in the corner of the box."""
    middle = (piece.bottom + piece.top) / 2
    inside = box[0] - 2 <= piece.x0 and piece.x1 <= box[1] + 2 and box[2] <= middle <= box[3]
    return inside and box[3] - box[2] > 1.5 * piece.height


def _is_above(piece: Piece, box: Box) -> bool:
    begins = box[0] - 8 <= piece.x0 <= box[1] or (piece.x0 <= box[0] and piece.x1 >= box[0] + 8)
    return begins and -0.4 * piece.height <= piece.bottom - box[3] <= _ABOVE


def _has_letters(piece: Piece) -> bool:
    return any(map(str.isalnum, piece.text))


def _has_words(piece: Piece) -> bool:
    return sum(map(str.isalpha, piece.text)) > 1
