"""Recognises headings and their levels from typography: sizes, weights, italics and capitals of a document.

Levels count from the largest type (1) down. Below all sizes rank capitals, bold and italics at body size, each only if
it is rare enough in the document to distinguish a line from the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from core.language.vocabulary import pattern_of
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import Row

_HEADING_SIZE = 1.15
_SAME_SIZE = 0.92
_SMALLEST = 0.85
_MOST_SIZES = 8
_LONGEST = 160
_MOST_LINES = 3
_MOST_WORDS = 14
_MOST_WORDS_OF_LINES = 24
_MOST_WORDS_RUN_IN = 12
_MOST_WORDS_SLANTED = 10
_LARGER = 1.06
_SHORT = 0.8
_RARE = 0.35
_CAPITALS, _BOLD, _SLANTED_BOLD, _SLANTED = 1, 2, 3, 4
"""Ranks of headings in body size, which are below all headings in larger type."""
_ENDS_SENTENCE = (".", ",", ";", "?", "!")
_CAPTION = pattern_of("library/extract.typography.caption")
_RUN_IN = re.compile(r"(?=[^\n]*?\w)(?P<title>[^\n]+?)(?:(?<!\s)\s++)?+(?P<mark>[.:]|\s?[\u2013\u2014-])$")
_MARK_BEHIND = re.compile(r"\s?[.:\u2013\u2014](?=\s|$)|\s-(?=\s)")


@dataclass
class Style:
    """A document's type sizes: the body text's, and the larger ones that are headings.

    ``extent`` and ``pitch`` belong to the current column: its left and right edge, and its line spacing.
    """

    body: float = 0.0
    headings: list[float] = field(default_factory=list)
    bold_tells: bool = True
    slant_tells: bool = True
    extent: tuple[float, float] | None = None
    pitch: float = 0.0

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Style:
        """The style; sizes are rounded to quarters of a point."""
        sizes: Counter[float] = Counter()
        bold = slanted = 0
        for piece in pieces:
            length = len(piece.text)
            sizes[round(piece.size * 4) / 4] += length
            bold += length * piece.bold
            slanted += length * piece.italic
        if not sizes:
            return cls()
        body = sizes.most_common(1)[0][0]
        levels: list[float] = []
        for size in sorted((size for size in sizes if size >= _HEADING_SIZE * body), reverse=True):
            if not levels or size < _SAME_SIZE * levels[-1]:
                levels.append(size)
        most = _RARE * sizes.total()
        return cls(body, levels[:_MOST_SIZES], bold < most, slanted < most)

    def set_as(self, rows: Sequence[Row]) -> Style:
        """The same style for the column that ``rows`` fill."""
        if not rows:
            return self
        extent = min(row.x0 for row in rows), max(row.x1 for row in rows)
        return replace(self, extent=extent, pitch=usual_pitch(rows))

    def level_of_size(self, row: Row) -> int:
        """1 is the largest heading; 0 means no heading by size."""
        if not self.body or row.size < _HEADING_SIZE * self.body * 0.99:
            return 0
        return next((i + 1 for i, size in enumerate(self.headings) if row.size >= 0.95 * size), len(self.headings))

    @property
    def large(self) -> float:
        """The smallest size of a heading; 0 if the document has no type sizes."""
        return _HEADING_SIZE * self.body

    def level(self, lines: Sequence[Row], text: str, below: Row | None = None) -> int:
        """The level of a paragraph on ``lines``; 0 if its type does not make it a heading.

        ``below`` is the line that follows, ``None`` at the end of a column and before a table.
        """
        if len(lines) > _MOST_LINES or len(text) > _LONGEST or sum(map(str.isalpha, text)) < 2:
            return 0
        by_size = max(self.level_of_size(row) for row in lines)
        if by_size:
            return by_size if not text.endswith((".", ",", ";")) or is_titled(text) else 0
        rank = self._heading_rank(lines, text, below)
        return len(self.headings) + rank if rank else 0

    def _heading_rank(self, lines: Sequence[Row], text: str, below: Row | None) -> int:
        """The rank among headings at body size; 0 for none."""
        if not self.body or lines[0].size < _SMALLEST * self.body or not _may_be_title(text, len(lines)):
            return 0
        if is_capitals(text) and len(text.split()) > 1:
            return _CAPITALS
        if self.bold_tells and all(row.bold for row in lines):
            return _SLANTED_BOLD if all(row.italic for row in lines) else _BOLD
        if len(lines) > 1 or text.endswith(_ENDS_SENTENCE) or not self._is_short(lines[0]):
            return 0
        if lines[0].size >= _LARGER * max(self.body, below.size if below else 0.0):
            return _CAPITALS if is_titled(text) else 0
        if not self.slant_tells or not lines[0].italic or (below is not None and below.italic):
            return 0
        return _SLANTED if text[0].isupper() and len(text.split()) <= _MOST_WORDS_SLANTED else 0

    def _is_short(self, row: Row) -> bool:
        """Whether the line leaves much of its column empty."""
        return self.extent is None or row.filled < _SHORT * (self.extent[1] - self.extent[0])

    @property
    def level_of_run_in(self) -> int:
        return len(self.headings) + _SLANTED + 1


def usual_pitch(rows: Sequence[Row]) -> float:
    """The usual distance between lines in points."""
    return median(above.bottom - below.bottom for above, below in pairwise(rows)) if len(rows) > 1 else 0.0


def _may_be_title(text: str, lines: int) -> bool:
    words = len(text.split())
    if _CAPTION.match(text):
        return False
    if words > (_MOST_WORDS if lines == 1 else _MOST_WORDS_OF_LINES) or (
        not text[0].isalnum() and text[0] not in "([\"“״'"
    ):
        return False
    if text.endswith(_ENDS_SENTENCE) or (text.endswith(":") and words > 5):
        return is_titled(text.rstrip(".:")) and not text.endswith((",", ";"))
    return True


def is_capitals(text: str) -> bool:
    """Whether ``text`` is in capitals; false for scripts without them."""
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) > 3 and sum(letter.isupper() for letter in letters) >= 0.9 * len(letters)


def is_titled(text: str) -> bool:
    """Whether the text begins with a capital and most of its longer words do."""
    words = [word.strip("\"'“”‘’()[].,:;") for word in text.split()]
    long = [word for word in words if len(word) > 3 and word[0].isalpha()]
    starts = next((word for word in words if word), "")
    if not starts or not (starts[0].isupper() or starts[0].isdigit()):
        return False
    return bool(long) and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


def run_in_length(lines: Sequence[Row], text: str) -> int:
    """Length of the bold run-in heading at the beginning of ``text``'s first line; 0 if there is none."""
    lead = lines[0].pieces[0].lead
    if not 1 < lead < len(text) - 1 or not text.startswith(lines[0].pieces[0].text[:lead]):
        return 0
    head = text[:lead].rstrip()
    behind = _MARK_BEHIND.match(text, len(head))
    if not _RUN_IN.fullmatch(head) and not behind:
        return 0
    end = behind.end() if behind and not _RUN_IN.fullmatch(head) else len(head)
    words = head.split()
    if (
        _CAPTION.match(head)
        or len(words) > _MOST_WORDS_RUN_IN
        or not head[0].isalnum()
        or sum(map(str.isalpha, head)) < 3
    ):
        return 0
    return end if text[end:].strip() else 0
