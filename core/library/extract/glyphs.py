"""The letters of a PDF page with their places, and how they gather into pieces of a line.

A PDF stores letters in any order; only where they stand on the page is certain. So the order of letters is
taken from their places alone, for every script, and no producer's habits matter.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from core.library.extract.bidi import direction_of, logical, reads_right_to_left
from core.library.extracted import Block

MOST_GLYPHS = 60_000
HYPHEN = "\u00ad"
_GAP_OF_WORDS = 0.15
_GAP_OF_PIECES = 1.0
_GAP_OF_PIECES_SPACED = 1.6
_BOLD = 600
_MOST_RUNS = 3_000
_EM_OF_BOX = 0.85
_BOLD_FONT = re.compile(rb"Bold|Black|Heavy|Demi|Medi\b|-Bd|BX\d", re.IGNORECASE)
# Word sets no space after a Latin name in Arabic; nothing in that script is attached behind one.
_LATIN_THEN_ARABIC = re.compile("([A-Za-z])(?=[\u0620-\u064a]{2})")
_SYMBOL_FONT = re.compile(rb"Wingdings|Dingbats|Webdings")
# Codes of Wingdings, in which forms draw their boxes and lists their bullets.
_SYMBOLS = {
    0x6E: "■", 0x6F: "☐", 0x71: "☐", 0x72: "☐", 0x76: "❖", 0x78: "☒", 0xA7: "▪", 0xA8: "☐",
    0xD8: "➢", 0xE0: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_DOUBLED_IN_LIGATURES = "flt"


@dataclass(slots=True)
class Glyph:
    """One drawn shape; ``text`` may be several characters (a ligature). Points, origin at the page's bottom left."""

    text: str
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    bold: bool
    mirrored: bool = False
    """Written leftwards, numbers too, as OCR layers do for right-to-left words."""

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(slots=True)
class Piece:
    """Text on one baseline without a wide gap: a line, or what one column has of it."""

    text: str
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    bold: bool
    block: Block | None = None
    """A ruled table that takes this place in the reading order."""

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass
class PageText:
    """Glyphs of one page by the direction in which they are written, the most frequent direction first."""

    upright: list[Glyph]
    turned: list[list[Glyph]] = field(default_factory=list)
    quarter_turns: int = 0


def read_glyphs(textpage: Any) -> PageText | None:
    """The glyphs of a pypdfium2 text page; ``None`` when there are more than can be laid out in bounded time."""
    count = textpage.count_chars()
    if count > MOST_GLYPHS:
        return None
    groups: dict[int, list[Glyph]] = defaultdict(list)
    read = _Reader(textpage.raw)
    place: tuple[float, ...] = ()
    for index in range(count):
        text = read.character(index)
        if not text or (text != HYPHEN and pdfium.FPDFText_IsGenerated(textpage.raw, index) == 1):
            continue
        quarter, box, glyph = read.glyph(index, text)
        if text == " " and glyph.x1 - glyph.x0 < 0.01:
            continue  # PDFium's own guess at a space, which its flag for such does not always admit
        group = groups[quarter]
        if group and box == place and text != " " and group[-1].text != " ":
            _join_ligature(group[-1], text)
        else:
            group.append(glyph)
        place = box
    if not groups:
        return PageText([])
    order = sorted(groups, key=lambda quarter: len(groups[quarter]), reverse=True)
    return PageText(groups[order[0]], [groups[quarter] for quarter in order[1:]], order[0])


def _join_ligature(glyph: Glyph, text: str) -> None:
    """PDFium turns the letters of a right-to-left ligature round with the rest of the line."""
    if text == glyph.text and text not in _DOUBLED_IN_LIGATURES:
        return
    glyph.text = text + glyph.text if direction_of(text[0]) == "R" else glyph.text + text


class _Reader:
    """PDFium's per-character calls with their out-parameters allocated once."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._rect = pdfium.FS_RECTF()
        self._box = [ctypes.c_double() for _ in range(4)]
        self._name = ctypes.create_string_buffer(96)
        self._flags = ctypes.c_int()
        self._matrix = pdfium.FS_MATRIX()

    def character(self, index: int) -> str:
        code = pdfium.FPDFText_GetUnicode(self._raw, index)
        if code in (0x02, 0xFFFE) or (code == 0x2D and pdfium.FPDFText_IsHyphen(self._raw, index) == 1):
            return HYPHEN
        if code in (0x09, 0xA0, 0x3000) or 0x2000 <= code <= 0x200A:
            return " "
        if code < 0x20 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            return ""
        return chr(code)

    def glyph(self, index: int, text: str) -> tuple[int, tuple[float, ...], Glyph]:
        """(quarter turns, place as drawn, the glyph as it would stand upright)."""
        raw, rect = self._raw, self._rect
        pdfium.FPDFText_GetLooseCharBox(raw, index, rect)
        box = (rect.left, rect.right, rect.bottom, rect.top)
        size, quarter, mirrored = self._size_and_turn(index)
        if unicodedata.category(text[0]) == "Mn":
            left, right, bottom, top = self._box
            pdfium.FPDFText_GetCharBox(raw, index, left, right, bottom, top)
            box = (left.value, right.value, box[2], box[3])
        x0, x1, bottom_, top_ = upright(box, quarter)
        name = self._font(index)
        if _SYMBOL_FONT.search(name):
            text = _SYMBOLS.get(ord(text[0]) & 0xFF, "•") if text != " " else text
        bold = bool(_BOLD_FONT.search(name)) or pdfium.FPDFText_GetFontWeight(raw, index) >= _BOLD
        size = size or max(_EM_OF_BOX * (top_ - bottom_), 0.1)
        return quarter, box, Glyph(text, x0, x1, bottom_, top_, size, bold, mirrored)

    def _size_and_turn(self, index: int) -> tuple[float, int, bool]:
        """(size in points, quarter turns that set the letter upright, whether it is mirrored), by the text's matrix.

        The turn is that of the letter's upward axis: OCR layers mirror the other one for right-to-left words.
        """
        if not pdfium.FPDFText_GetMatrix(self._raw, index, self._matrix):
            return 0.0, 0, False
        matrix = self._matrix
        scale = math.hypot(matrix.c, matrix.d)
        turn = round(math.atan2(matrix.c, matrix.d) / (math.pi / 2)) % 4
        mirrored = matrix.a * matrix.d - matrix.b * matrix.c < 0
        return scale * float(pdfium.FPDFText_GetFontSize(self._raw, index)), turn, mirrored

    def _font(self, index: int) -> bytes:
        pdfium.FPDFText_GetFontInfo(self._raw, index, self._name, len(self._name), self._flags)
        return self._name.value


def upright(box: tuple[float, float, float, float], quarter: int) -> tuple[float, float, float, float]:
    """(left, right, bottom, top) of a box after turning the page back by ``quarter`` right angles."""
    left, right, bottom, top = box
    if quarter == 1:
        return -top, -bottom, left, right
    if quarter == 2:
        return -right, -left, -top, -bottom
    if quarter == 3:
        return bottom, top, -right, -left
    return left, right, bottom, top


def pieces_of(glyphs: Sequence[Glyph], right_to_left: bool) -> list[Piece]:
    """Gather glyphs into pieces of lines, each in reading order."""
    return [piece for line in _merged(_runs(glyphs)) if (piece := _piece(line, right_to_left))]


def writes_right_to_left(glyphs: Iterable[Glyph]) -> bool:
    return reads_right_to_left(glyph.text for glyph in glyphs)


@dataclass(slots=True)
class _Run:
    """Glyphs that stand beside each other, with the extent of what is visible of them."""

    glyphs: list[Glyph]
    x0: float
    x1: float
    bottom: float
    top: float
    size: float
    spaced: bool = False

    def touches(self, other: _Run | Glyph) -> bool:
        overlap = min(self.top, other.top) - max(self.bottom, other.bottom)
        if overlap < 0.5 * min(self.top - self.bottom, other.top - other.bottom):
            return False
        gap = max(other.x0 - self.x1, self.x0 - other.x1)
        most = _GAP_OF_PIECES_SPACED if self.spaced else _GAP_OF_PIECES
        return gap < most * max(min(self.size, other.size), 0.6 * max(self.size, other.size))

    def take(self, other: _Run | Glyph) -> None:
        self.glyphs.extend(other.glyphs if isinstance(other, _Run) else [other])
        self.x0 = min(self.x0, other.x0)
        self.x1 = max(self.x1, other.x1)
        self.size = max(self.size, other.size)
        self.bottom = min(self.bottom, other.bottom)
        self.top = max(self.top, other.top)


def _runs(glyphs: Sequence[Glyph]) -> list[_Run]:
    """Glyphs in the order of the file, cut where the next one stands elsewhere."""
    runs: list[_Run] = []
    for glyph in glyphs:
        if glyph.text == " ":
            if runs:
                runs[-1].glyphs.append(glyph)
                runs[-1].spaced = True
        elif runs and runs[-1].touches(glyph):
            runs[-1].take(glyph)
            runs[-1].spaced = False
        else:
            runs.append(_Run([glyph], glyph.x0, glyph.x1, glyph.bottom, glyph.top, glyph.size))
    return runs


def _merged(runs: list[_Run]) -> list[_Run]:
    """Join runs of one line that the file keeps apart: words drawn one by one, changes of font."""
    if len(runs) > _MOST_RUNS:
        return runs
    done: list[_Run] = []
    near: list[_Run] = []
    for run in sorted(runs, key=lambda run: (-run.top, run.x0)):
        run.spaced = run.glyphs[-1].text == " "
        done += [other for other in near if other.bottom > run.top]
        near = [other for other in near if other.bottom <= run.top]
        while (index := _touching(near, run)) is not None:
            other = near.pop(index)
            other.take(run)
            run = other
        near.append(run)
    return done + near


def _touching(near: list[_Run], run: _Run) -> int | None:
    for index in range(len(near) - 1, -1, -1):
        if near[index].touches(run) or run.touches(near[index]):
            return index
    return None


def _piece(run: _Run, right_to_left: bool) -> Piece | None:
    marks: list[Glyph] = []
    letters: list[Glyph] = []
    for glyph in run.glyphs:
        (marks if unicodedata.category(glyph.text[0]) == "Mn" else letters).append(glyph)
    letters.sort(key=lambda glyph: glyph.x0)
    letters = _unmirrored(_without_doubles(letters))
    visible = [glyph for glyph in letters if glyph.text != " "]
    if not visible:
        return None
    clusters = _with_spaces(letters, _marked(visible, marks))
    text = logical(clusters, right_to_left or reads_right_to_left(glyph.text for glyph in visible)).strip()
    text = text[:-1].replace(HYPHEN, "-") + text[-1:]
    text = _LATIN_THEN_ARABIC.sub(r"\1 ", text)
    return Piece(
        " ".join(text.split()),
        run.x0,
        run.x1,
        run.bottom,
        run.top,
        median(glyph.size for glyph in visible),
        sum(glyph.bold for glyph in visible) > 0.6 * len(visible),
    )


def _without_doubles(letters: list[Glyph]) -> list[Glyph]:
    """Bold made by drawing twice with a small shift counts once."""
    kept: list[Glyph] = []
    for glyph in letters:
        last = kept[-1] if kept else None
        if not last or last.text != glyph.text or glyph.x0 - last.x0 >= 0.08 * glyph.size or glyph.text == " ":
            kept.append(glyph)
    return kept


def _unmirrored(letters: list[Glyph]) -> list[Glyph]:
    """Numbers and Latin words of a mirrored layer turned round: they are read rightwards also there."""
    if not any(glyph.mirrored for glyph in letters):
        return letters
    result: list[Glyph] = []
    run: list[Glyph] = []
    for glyph in letters:
        kind = direction_of(glyph.text[0])
        if glyph.mirrored and (kind in "LN" or (run and kind in "ST")):
            run.append(glyph)
            continue
        result += _turned_run(run)
        run = []
        result.append(glyph)
    return result + _turned_run(run)


def _turned_run(run: list[Glyph]) -> list[Glyph]:
    """Only as far as the last letter or digit; signs behind it stay where they are."""
    end = len(run)
    while end and direction_of(run[end - 1].text[0]) not in "LN":
        end -= 1
    places = [(glyph.x0, glyph.x1) for glyph in run[:end]]
    turned = [replace(glyph, x0=x0, x1=x1) for glyph, (x0, x1) in zip(reversed(run[:end]), places, strict=True)]
    return turned + run[end:]


def _marked(letters: list[Glyph], marks: list[Glyph]) -> dict[int, str]:
    """Text of each letter by identity, the marks drawn above or below it appended."""
    texts = {id(letter): letter.text for letter in letters}
    for mark in marks:
        nearest = min(letters, key=lambda letter: abs(letter.middle - mark.middle))
        texts[id(nearest)] += mark.text
    return texts


def _with_spaces(letters: list[Glyph], texts: dict[int, str]) -> list[str]:
    """Clusters as they look, left to right, with a space wherever one is drawn or a gap is wide enough."""
    visible = [glyph for glyph in letters if glyph.text != " "]
    gaps = [right.x0 - left.x1 for left, right in pairwise(visible)]
    usual = max(0.0, median(gaps)) if gaps else 0.0
    clusters: list[str] = []
    last: Glyph | None = None
    space_drawn = False
    for glyph in letters:
        if glyph.text == " ":
            space_drawn = True
            continue
        if last:
            gap = glyph.x0 - last.x1
            wide = gap > max(_GAP_OF_WORDS * glyph.size, 1.8 * usual)
            if wide or (space_drawn and gap > -0.1 * glyph.size):
                clusters.append(" ")
        clusters.append(texts[id(glyph)])
        last, space_drawn = glyph, False
    return clusters
