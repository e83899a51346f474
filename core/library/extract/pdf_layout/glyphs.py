"""Joins the glyphs of a PDF page into pieces of lines in reading order.

A PDF stores letters in any order. Left-to-right lines keep PDFium's order and word boundaries, stretch by stretch. For
lines with right-to-left letters only the positions are reliable, so their order comes from the positions only,
independent of the program that wrote the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.library.extract.pdf_layout.bidi import direction_of, reads_right_to_left
from core.library.extract.pdf_layout.visual_order import text_as_seen
from core.library.extracted import Block

HYPHEN = "\u00ad"
_GAP_OF_PIECES = 1.0
_GAP_OF_PIECES_SPACED = 1.6
_GAP_ACROSS = 0.6
_GAP_OF_STRETCHES = 0.1
_BACKWARDS = 0.35
_INTERLEAVED = 0.5
_LETTERS_DRAWN_SINGLY = 2
_MOST_RUNS = 3_000


@dataclass(slots=True)
class Glyph:
    """Something drawn at one position: a letter, a ligature, or a whole word. Positions are in points, with the origin
    at the page's bottom left."""

    text: str
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    bold: bool
    mirrored: bool = False
    """Whether it is written right to left, including its numbers, as OCR layers do for right-to-left words."""
    order: int = 0
    """Position in the file of the glyph's first character."""
    parted: bool = False
    """Whether PDFium has a word boundary before it."""
    trailed: bool = False
    """Whether a space is drawn after it."""
    italic: bool = False

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(slots=True)
class Piece:
    """Text on one baseline without a wide gap: a line, or one column's part of it."""

    text: str
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    bold: bool
    block: Block | None = None
    """The ruled table that this piece represents in the reading order, if it does."""
    lead: int = 0
    """Number of bold characters at the beginning of ``text``, if the rest is not bold."""
    order: int = 0
    """Position in the file of the part that was written first."""
    italic: bool = False
    is_entry: bool = False
    """Whether it is a label with its value, which is a separate paragraph."""

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass
class PageText:
    """The glyphs of one page by writing direction, the most frequent direction first."""

    upright: list[Glyph]
    turned: list[list[Glyph]] = field(default_factory=list)
    quarter_turns: int = 0
    lost: int = 0
    """Number of letters inside words whose meaning the file does not give."""


Box = tuple[float, float, float, float]
"""A box: left, right, bottom, top in points."""


def upright(box: Box, quarter: int) -> Box:
    """The box after turning the page back by ``quarter`` right angles."""
    left, right, bottom, top = box
    if quarter == 1:
        return -top, -bottom, left, right
    if quarter == 2:
        return -right, -left, -top, -bottom
    if quarter == 3:
        return bottom, top, -right, -left
    return left, right, bottom, top


def pieces_of(glyphs: Sequence[Glyph], right_to_left: bool) -> list[Piece]:
    """Join glyphs into pieces of lines, each in reading order."""
    return [
        piece for line in _merged(_contiguous_runs(glyphs), right_to_left) if (piece := _piece(line, right_to_left))
    ]


def writes_right_to_left(glyphs: Iterable[Glyph]) -> bool:
    return reads_right_to_left(glyph.text for glyph in glyphs)


@dataclass(slots=True)
class _Run:
    """Adjacent glyphs, with the extent of the visible ones."""

    glyphs: list[Glyph]
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    spaced: bool = False

    def touches(self, other: _Run | Glyph, most: float = 0.0) -> bool:
        """Whether ``other`` is on the same line at less than ``most`` ems; the default is a wide space."""
        top, bottom = other.top, other.bottom
        overlap = (self.top if self.top < top else top) - (self.bottom if self.bottom > bottom else bottom)
        if overlap < 0.5 * min(self.top - self.bottom, top - bottom):
            return False
        gap = max(other.x0 - self.x1, self.x0 - other.x1)
        most = most or (_GAP_OF_PIECES_SPACED if self.spaced else _GAP_OF_PIECES)
        return gap < most * max(min(self.size, other.size), 0.6 * max(self.size, other.size))

    def take(self, other: _Run | Glyph) -> None:
        if isinstance(other, _Run):
            self.glyphs.extend(other.glyphs)
        else:
            self.glyphs.append(other)
        self.x0 = min(self.x0, other.x0)
        self.x1 = max(self.x1, other.x1)
        self.size = max(self.size, other.size)
        self.bottom = min(self.bottom, other.bottom)
        self.top = max(self.top, other.top)


def _contiguous_runs(glyphs: Sequence[Glyph]) -> list[_Run]:
    """Glyphs in file order, split where the next one is somewhere else."""
    runs: list[_Run] = []
    for glyph in glyphs:
        if glyph.text == " ":
            if runs:
                runs[-1].glyphs.append(glyph)
                runs[-1].spaced = True
        elif runs and runs[-1].touches(glyph):
            runs[-1].take(glyph)
            runs[-1].spaced = glyph.trailed
        else:
            runs.append(_Run([glyph], glyph.x0, glyph.x1, glyph.bottom, glyph.top, glyph.size, glyph.trailed))
    return runs


def _merged(runs: list[_Run], right_to_left: bool) -> list[_Run]:
    """Join runs of one line that are separate in the file: words drawn one by one, font changes."""
    if len(runs) > _MOST_RUNS:
        return runs
    done: list[_Run] = []
    near: list[_Run] = []
    for run in sorted(runs, key=lambda run: (-run.top, run.x0)):
        run.spaced = run.glyphs[-1].text == " " or run.glyphs[-1].trailed
        done += [other for other in near if other.bottom > run.top]
        near = [other for other in near if other.bottom <= run.top]
        while (index := _touching(near, run, right_to_left)) is not None:
            other = near.pop(index)
            other.take(run)
            run = other
        near.append(run)
    return done + near


def _touching(near: list[_Run], run: _Run, right_to_left: bool) -> int | None:
    for index in range(len(near) - 1, -1, -1):
        other = near[index]
        most = 0.0 if right_to_left or _are_adjacent(run, other) else _GAP_ACROSS
        if other.touches(run, most) or run.touches(other, most):
            return index
    return None


def _are_adjacent(run: _Run, other: _Run) -> bool:
    """Whether the file writes one directly after the other, which it does not do across a narrow gap between
    columns."""
    behind, before = run.glyphs[0].order - other.glyphs[-1].order, other.glyphs[0].order - run.glyphs[-1].order
    return behind in (0, 1) or before in (0, 1)


def _piece(run: _Run, right_to_left: bool) -> Piece | None:
    visible = [glyph for glyph in run.glyphs if glyph.text != " "]
    if not visible:
        return None
    lead = 0
    if _is_visual(visible):
        text = text_as_seen(run.glyphs, right_to_left)
    else:
        text, lead = _line_text(visible)
    if not text:
        return None
    letters = sum(len(glyph.text) for glyph in visible)
    return Piece(
        text,
        run.x0,
        run.x1,
        run.bottom,
        run.top,
        _usual_size(visible, letters),
        sum(len(glyph.text) for glyph in visible if glyph.bold) > 0.6 * letters,
        lead=lead,
        order=min(glyph.order for glyph in visible),
        italic=all(glyph.italic for glyph in visible),
    )


def _is_visual(glyphs: Sequence[Glyph]) -> bool:
    """Whether the line must be ordered by position: it has right-to-left letters, or was mirrored."""
    return any(
        glyph.mirrored or (not glyph.text.isascii() and any(direction_of(letter) == "R" for letter in glyph.text))
        for glyph in glyphs
    )


def _usual_size(glyphs: Sequence[Glyph], letters: int) -> float:
    """The median size, weighted by the number of letters."""
    first = glyphs[0].size
    if all(glyph.size == first for glyph in glyphs):
        return first
    counted = 0
    for glyph in sorted(glyphs, key=lambda glyph: glyph.size):
        counted += len(glyph.text)
        if 2 * counted >= letters:
            return glyph.size
    return first


def _line_text(glyphs: Sequence[Glyph]) -> tuple[str, int]:
    """Returns (text, length of its bold beginning) of a left-to-right line, with PDFium's word boundaries."""
    text = ""
    lead, is_lead = 0, True
    last: Glyph | None = None
    for glyph in _glyphs_in_order(glyphs):
        if last is not None and glyph.text[0] != " " and _is_boundary(last, glyph):
            text += " "
        text += glyph.text
        is_lead = is_lead and (glyph.bold or not glyph.text[-1].isalnum())
        if is_lead and glyph.bold:
            lead = len(text)
        last = glyph
    return text[:-1].replace(HYPHEN, "-") + text[-1:], 0 if lead == len(text) else lead


def _is_boundary(last: Glyph, glyph: Glyph) -> bool:
    """PDFium's word boundary if both are neighbours in the file; otherwise the gap decides."""
    if glyph.order == last.order + 1:
        return glyph.parted
    gap = glyph.x0 - last.x1
    return gap > _GAP_OF_STRETCHES * min(last.size, glyph.size) or gap < -glyph.size


def _glyphs_in_order(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """File order within stretches that run left to right; the stretches, and letters drawn out of order, by position.

    Overlapping stretches (text drawn twice) follow one another.
    """
    ordered = sorted(glyphs, key=lambda glyph: glyph.order)
    stretches = [[ordered[0]]]
    for last, glyph in pairwise(ordered):
        if _is_double_strike(last, glyph):
            continue
        if glyph.order == last.order + 1 and glyph.x0 >= last.x0 - _BACKWARDS * glyph.size:
            stretches[-1].append(glyph)
        else:
            stretches.append([glyph])
    if len(stretches) == 1:
        return stretches[0]
    placed = sorted(stretches, key=lambda stretch: stretch[0].x0)
    if all(right[0].x0 >= left[-1].x1 - _INTERLEAVED * right[0].size for left, right in pairwise(placed)):
        return [glyph for stretch in placed for glyph in stretch]
    if len(ordered) <= _LETTERS_DRAWN_SINGLY * len(stretches) and all(len(glyph.text) < 3 for glyph in ordered):
        return _without_doubles(sorted(ordered, key=lambda glyph: glyph.x0))
    return [glyph for stretch in stretches for glyph in stretch]


def _is_double_strike(last: Glyph, glyph: Glyph) -> bool:
    """Whether it repeats the last glyph with a small shift, as programs draw bold text."""
    return (
        glyph.text == last.text and abs(glyph.x0 - last.x0) < 0.08 * glyph.size and abs(glyph.x1 - last.x1) < glyph.size
    )


def _without_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    kept: list[Glyph] = []
    for glyph in glyphs:
        if not kept or not _is_double_strike(kept[-1], glyph):
            kept.append(glyph)
    return kept
