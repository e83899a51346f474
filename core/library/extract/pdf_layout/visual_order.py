"""Converts a line of which only the letter positions are known to text in reading order.

The order of right-to-left lines in PDFium depends on the program that wrote the file, so the positions of the letters
decide.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from core.library.extract.pdf_layout.bidi import direction_of, logical, reads_right_to_left

if TYPE_CHECKING:
    from core.library.extract.pdf_layout.glyphs import Glyph

_HYPHEN = "\u00ad"
_GAP_OF_WORDS = 0.15
# Word sets no space after a Latin name in Arabic text, but Arabic attaches nothing to the end of such a name.
_LATIN_THEN_ARABIC = re.compile("([A-Za-z])(?=[\u0620-\u064a]{2})")


def text_as_seen(glyphs: Sequence[Glyph], right_to_left: bool) -> str:
    """The text of a line, with spaces where they are drawn or gaps are wide; ``right_to_left``: the page's
    direction."""
    marks: list[Glyph] = []
    letters: list[Glyph] = []
    for glyph in glyphs:
        (marks if unicodedata.category(glyph.text[0]) == "Mn" else letters).append(glyph)
    letters.sort(key=lambda glyph: glyph.x0)
    letters = _unmirrored(_without_doubles(letters))
    visible = [glyph for glyph in letters if glyph.text != " "]
    if not visible:
        return ""
    clusters = _with_spaces(letters, _letters_with_marks(visible, marks))
    text = logical(clusters, right_to_left or reads_right_to_left(glyph.text for glyph in visible)).strip()
    text = text[:-1].replace(_HYPHEN, "-") + text[-1:]
    return " ".join(_LATIN_THEN_ARABIC.sub(r"\1 ", text).split())


def _without_doubles(letters: list[Glyph]) -> list[Glyph]:
    """Leaves out letters that repeat the previous one with a small shift, as programs draw bold text."""
    kept: list[Glyph] = []
    for glyph in letters:
        last = kept[-1] if kept else None
        if not last or last.text != glyph.text or glyph.x0 - last.x0 >= 0.08 * glyph.size or glyph.text == " ":
            kept.append(glyph)
    return kept


def _unmirrored(letters: list[Glyph]) -> list[Glyph]:
    """Numbers and Latin words of a mirrored layer, reversed: they are read left to right there too."""
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
    """Reverse only up to the last letter or digit; signs after it stay where they are."""
    end = len(run)
    while end and direction_of(run[end - 1].text[0]) not in "LN":
        end -= 1
    places = [(glyph.x0, glyph.x1) for glyph in run[:end]]
    turned = [replace(glyph, x0=x0, x1=x1) for glyph, (x0, x1) in zip(reversed(run[:end]), places, strict=True)]
    return turned + run[end:]


def _letters_with_marks(letters: list[Glyph], marks: list[Glyph]) -> dict[int, str]:
    """Text of each letter by identity, with the marks drawn above or below it appended."""
    texts = {id(letter): letter.text for letter in letters}
    for mark in marks:
        nearest = min(letters, key=lambda letter: abs(letter.middle - mark.middle))
        texts[id(nearest)] += mark.text
    return texts


def _with_spaces(letters: list[Glyph], texts: dict[int, str]) -> list[str]:
    """Clusters in display order, left to right, with a space wherever one is drawn or a gap is wide enough."""
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
