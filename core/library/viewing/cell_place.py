"""Finds where a table cell is printed: *its box or its text, the letters of the pages → rectangles*.

The box comes from the reading of the table. It is used if the letters under it are the cell's own; on rotated or
recognised pages its coordinates may have another origin. Otherwise the row is searched for the cell's text.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.library.viewing.letters import Letter
from core.library.viewing.locating import Searchable, Span, folded, locate, overlap, rectangles
from core.library.viewing.orders import PrintedCell
from core.library.viewing.records import Rectangle

_ROOM = 0.0015
"""Width of the margin around a cell, as a share of the page."""


def place_of(
    cell: PrintedCell, boxed: Rectangle | None, text: Searchable, row: Sequence[Span]
) -> dict[int, list[Rectangle]]:
    """The cell's rectangles by page. Args: boxed: the cell's box as fractions of the page. row: where the cell's row
    was found."""
    if boxed and folded(cell.text) in _letters_in_box(boxed, text.letters, cell.page):
        return {cell.page: [_roomy(boxed)]}
    if not row or not folded(cell.text):
        return {}
    begin, end = min(span[0] for span in row), max(span[1] for span in row)
    found = [span for span in locate(text, cell.text, (begin, end), cell.lead)[:1] if begin <= span[0] < end]
    if not found or not (_is_alone(cell.text, text.letters[begin:end]) or _in_line(text.letters, begin, found[0])):
        return {}
    return {page: [_roomy(each) for each in boxes] for page, boxes in rectangles(text.letters, found).items()}


def _is_alone(wanted: str, letters: Sequence[Letter]) -> bool:
    """Whether the text is printed only once. If several places have the same text, the text layer may list them in
    another order."""
    inside = Searchable.of(letters)
    first = inside.find(folded(wanted))
    return first is not None and inside.find(folded(wanted), first[0] + 1) is None


def _in_line(letters: Sequence[Letter], begin: int, span: Span) -> bool:
    """Whether the text is next to the row's first words, or below them on a rotated page."""
    head = next((letter.box for letter in letters[begin : span[0]] if letter.box), None)
    own = next((letter.box for letter in letters[span[0] : span[1]] if letter.box), None)
    return bool(head and own and (overlap(head, own, 0) or overlap(head, own, 1)))


def _letters_in_box(box: Rectangle, letters: Sequence[Letter], page: int) -> str:
    """The letters whose centre is in the box."""
    left, top, across, down = box
    inside = (
        letter.text
        for letter in letters
        if letter.page == page
        and letter.box
        and left <= letter.box[0] + letter.box[2] / 2 <= left + across
        and top <= letter.box[1] + letter.box[3] / 2 <= top + down
    )
    return folded("".join(inside)) or "\0"


def _roomy(box: Rectangle) -> Rectangle:
    left, top = max(0.0, box[0] - 2 * _ROOM), max(0.0, box[1] - _ROOM)
    right, bottom = min(1.0, box[0] + box[2] + 2 * _ROOM), min(1.0, box[1] + box[3] + _ROOM)
    return (round(left, 5), round(top, 5), round(right - left, 5), round(bottom - top, 5))
