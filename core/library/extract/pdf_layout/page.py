"""Holds a PDF page's data between the two passes; the second pass needs type sizes and margins of all pages."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.library.extract.pdf_layout.annotations import Note, Typed
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extracted import Block

_MARGIN = 0.1


@dataclass
class Page:
    """A page. ``number`` counts from 1; ``bottom`` and ``top`` are the edges of the paper, in points."""

    number: int
    right_to_left: bool = False
    pieces: list[Piece] = field(default_factory=list)
    aside: list[list[Piece]] = field(default_factory=list)
    """Text whose direction differs from the direction of most of the page."""
    blocks: list[Block] = field(default_factory=list)
    """Finished blocks, if the page is too dense to lay out."""
    bottom: float = 0.0
    top: float = 0.0
    is_scan: bool = False
    is_broken: bool = False
    """Whether the letters of its text layer are not readable as any language."""
    has_lost_letters: bool = False
    typed: list[Typed] = field(default_factory=list)
    """Values of fields that are not part of a table."""
    remarks: list[Note] = field(default_factory=list)
    is_unread: bool = False
    """Whether it is a scan without any recognised text."""
    width: float = 0.0

    @property
    def characters(self) -> int:
        return sum(len(piece.text) for piece in self.pieces) + sum(len(block.text) for block in self.blocks)

    def has_in_margin(self, piece: Piece) -> bool:
        """Whether ``piece`` is in the top or bottom tenth of the page."""
        margin = _MARGIN * (self.top - self.bottom)
        return piece.block is None and (piece.bottom > self.top - margin or piece.top < self.bottom + margin)

    def from_edge(self, piece: Piece) -> float:
        """Distance in points from ``piece`` to the nearer of the upper and the lower edge."""
        return min(self.top - piece.top, piece.bottom - self.bottom)
