"""Joins large numbers with their small captions on designed pages (such as infographics).

Adjacent numbers look like table rows, but the text that belongs to a number is in the same column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extracted import Block

_FIGURE = re.compile(r"[^\w\s•(]{0,3}\s?\d[\d.,:/ ]{0,12}(?:[a-z]{1,8}|[A-Za-z]{1,3})?[^\w\s.):]{0,3}")
_LARGER = 1.5
"""Smallest ratio of a number's type size to its caption's."""
_LONGEST = 16
_NEAR = 1.6
_LINE = 1.7
_ALIGNED = 4.0
_MOST_LINES = 6
_FEWEST = 2
_MOST_PIECES = 1_500


def with_captions(pieces: Sequence[Piece], page: int) -> list[Piece]:
    """The pieces of a page, with each large number and its caption joined."""
    free = [piece for piece in pieces if piece.block is None and not piece.is_entry]
    if not 2 * _FEWEST <= len(free) <= _MOST_PIECES:
        return list(pieces)
    smallest = min(piece.size for piece in free)
    large = [piece for piece in free if piece.size >= _LARGER * smallest and _is_figure(piece.text)]
    if len(large) < _FEWEST:
        return list(pieces)
    taken = {id(piece) for piece in large}
    below = [_captioned(figure, free, taken, below=True) for figure in large]
    above = [_captioned(figure, free, taken, below=False) for figure in large]
    figures = below if sum(bool(each.caption) for each in below) >= sum(bool(each.caption) for each in above) else above
    found = [each for each in figures if each.caption]
    used = [id(piece) for each in found for piece in (each.figure, *each.caption)]
    if len(found) < _FEWEST or len(set(used)) < len(used):
        return list(pieces)
    return [piece for piece in pieces if id(piece) not in set(used)] + [each.as_piece(page) for each in found]


@dataclass
class _Captioned:
    figure: Piece
    caption: list[Piece] = field(default_factory=list)

    def as_piece(self, page: int) -> Piece:
        """The number with the first lines of its caption, and a separate line for those in other type."""
        parts = [[self.figure, self.caption[0]]]
        for line in self.caption[1:]:
            last = parts[-1][-1]
            if abs(line.size - last.size) < 0.05 * last.size and line.bold == last.bold:
                parts[-1].append(line)
            else:
                parts.append([line])
        text = "\n".join(" ".join(piece.text for piece in part) for part in parts)
        all_of_it = [self.figure, *self.caption]
        return Piece(
            text,
            min(piece.x0 for piece in all_of_it),
            max(piece.x1 for piece in all_of_it),
            min(piece.bottom for piece in all_of_it),
            max(piece.top for piece in all_of_it),
            self.caption[0].size,
            False,
            Block(text=text, page=page),
            order=self.figure.order,
        )


def _captioned(figure: Piece, free: Sequence[Piece], taken: set[int], below: bool) -> _Captioned:
    """Find captions. ``below``: search under the number, otherwise above it."""
    found = _Captioned(figure)
    near = [piece for piece in free if id(piece) not in taken and _is_under(piece, figure)]
    near.sort(key=lambda piece: -piece.top if below else piece.bottom)
    last = figure
    for piece in near:
        gap = last.bottom - piece.top if below else piece.bottom - last.top
        reach = _NEAR * figure.size if last is figure else _LINE * max(piece.size, last.size)
        pitch = gap + piece.size
        if gap < -0.6 * figure.size:
            continue
        if pitch > reach or len(found.caption) == _MOST_LINES or figure.size < _LARGER * piece.size:
            break
        found.caption.append(piece)
        last = piece
    if not below:
        found.caption.reverse()
    if not any(any(map(str.isalpha, piece.text)) for piece in found.caption):
        found.caption = []
    return found


def _is_under(piece: Piece, figure: Piece) -> bool:
    """Whether number and caption have the same left edge, right edge, or centre."""
    middles = abs(piece.x0 + piece.x1 - figure.x0 - figure.x1) / 2
    return min(abs(piece.x0 - figure.x0), abs(piece.x1 - figure.x1), middles) <= _ALIGNED


def _is_figure(text: str) -> bool:
    """A number with its signs, and at most one word for its scale or unit."""
    return len(text) <= _LONGEST and bool(_FIGURE.fullmatch(text))
