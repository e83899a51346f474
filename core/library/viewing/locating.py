"""Locates a quote: *its text, the letters of the pages* → spans of letters.

A document's stored text differs from its text layer in spacing, hyphens, ligatures and quotation marks; cells are
joined by bars, and right-to-left lines may have another order. So only letters and digits are compared: first as one
sequence, and if that fails, by the lines that contain the quote's words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from core.library.viewing.letters import Letter
from core.library.viewing.records import Rectangle

Span = tuple[int, int]
"""The begin and end index of a span of letters."""

_ENOUGH = 0.6
"""Smallest share of a quote that its found pieces must cover in total."""
_ENOUGH_BY_WORDS = 0.5
_SHORTEST_PIECE = 3
_PIECES = re.compile(r"\n+|(?<=[.!?…])\s+")
_OPENS = '(["“‘«„$€£₪-−–'
_CLOSES = '.,;:!?…)]"”’»״׳%'
_CELLS = re.compile(r"(?:(?<!\s)\s++)?+\|\s*")


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """Letters and digits without case, accents and ligatures; an empty string for all other characters."""
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(each for each in plain if each.isalnum())


def folded(text: str) -> str:
    """The part of ``text`` that is compared: its letters and digits."""
    return "".join(map(_folded, text))


@dataclass(frozen=True)
class Searchable:
    """A text prepared for searching. ``plain`` is the compared text; ``origin[i]`` is the index of the letter that
    character ``i`` comes from."""

    letters: Sequence[Letter]
    plain: str
    origin: list[int]

    @classmethod
    def of(cls, letters: Sequence[Letter]) -> Searchable:
        parts = [_folded(letter.text) for letter in letters]
        origin = [index for index, part in enumerate(parts) for _ in part]
        return cls(letters, "".join(parts), origin)

    def find(self, needle: str, begin: int = 0) -> Span | None:
        """The first position of ``needle`` in ``plain`` that does not split a number."""
        while needle and (place := self.plain.find(needle, begin)) >= 0:
            end = place + len(needle)
            if not (self._inside_number(place) or self._inside_number(end)):
                return place, end
            begin = place + 1
        return None

    def _inside_number(self, place: int) -> bool:
        if not 0 < place < len(self.plain) or not self.plain[place - 1 : place + 1].isdecimal():
            return False
        between = self.letters[self.origin[place - 1] + 1 : self.origin[place]]
        return all(letter.text in ".," for letter in between)


def locate(text: Searchable, quote: str, within: Span | None = None, lead: str = "") -> list[Span]:
    """Spans of letters in the quote's order; empty if too little of the quote is found.

    ``within``: the letters to search first. ``lead``: the text before the quote, to choose between several matches.
    """
    needle, before = folded(quote), folded(lead)
    led = _exact(text, before + needle, within, skip=len(before)) if before and needle else None
    if led:
        return [led]
    whole = _exact(text, needle, within)
    if whole:
        return [whole]
    found = _by_pieces(text, quote, _ENOUGH * len(needle))
    return found or _by_words(text, quote)


def _exact(text: Searchable, needle: str, within: Span | None, skip: int = 0) -> Span | None:
    """The letters of ``needle`` without its first ``skip`` characters."""
    found = None
    if within:
        begin = bisect_left(text.origin, within[0])
        found = text.find(needle, begin)
        found = found if found and text.origin[found[1] - 1] < within[1] else None
    found = found or text.find(needle)
    return _letters(text, (found[0] + skip, found[1])) if found else None


def _letters(text: Searchable, span: Span) -> Span:
    """Extends the span by the signs that belong to the first and last word: a bracket may be a minus sign."""
    begin, end = text.origin[span[0]], text.origin[span[1] - 1] + 1
    while begin and text.letters[begin - 1].text in _OPENS and text.letters[begin - 1].text:
        begin -= 1
    while end < len(text.letters) and text.letters[end].text in _CLOSES and text.letters[end].text:
        end += 1
    return begin, end


def _by_pieces(text: Searchable, quote: str, enough: float) -> list[Span]:
    """Search sentences and rows one by one: after the previous one if possible, otherwise anywhere."""
    spans: list[Span] = []
    covered, after = 0, 0
    for piece in _PIECES.split(quote):
        needle = folded(piece)
        if len(needle) < _SHORTEST_PIECE:
            continue
        found = text.find(needle, after) or text.find(needle)
        if found:
            after = found[1]
            covered += len(needle)
            spans.append(_letters(text, found))
    return spans if covered and covered >= enough else []


def _by_words(text: Searchable, quote: str) -> list[Span]:
    """The adjacent lines that contain most of the quote's words and the fewest others."""
    wanted = Counter(word for word in _folded_words(quote))
    size = sum(len(word) * count for word, count in wanted.items())
    lines = list(_line_spans(text.letters))
    gains: list[tuple[int, int]] = []
    for begin, end in lines:
        words = list(_folded_words("".join(letter.text or " " for letter in text.letters[begin:end])))
        held = sum(len(word) for word in words if word in wanted or word[::-1] in wanted)
        gains.append((held, sum(map(len, words)) - held))
    first, last = _best_run([held - other for held, other in gains])
    if sum(held for held, _ in gains[first:last]) < _ENOUGH_BY_WORDS * size or not size:
        return []
    return [span for span, (held, other) in zip(lines[first:last], gains[first:last], strict=True) if held > other]


def _folded_words(text: str) -> Iterator[str]:
    for word in _CELLS.sub(" ", text).split():
        if plain := folded(word):
            yield plain


def _line_spans(letters: Sequence[Letter]) -> Iterator[Span]:
    begin = 0
    for index in range(1, len(letters) + 1):
        here = letters[begin]
        if index == len(letters) or (letters[index].page, letters[index].line) != (here.page, here.line):
            yield begin, index
            begin = index


def _best_run(gains: Sequence[int]) -> Span:
    """Begin and end of the run with the largest sum."""
    best, best_span, total, begin = 0, (0, 0), 0, 0
    for index, gain in enumerate(gains):
        if total <= 0:
            total, begin = 0, index
        total += gain
        if total > best:
            best, best_span = total, (begin, index + 1)
    return best_span


def rectangles(letters: Sequence[Letter], spans: Sequence[Span]) -> dict[int, list[Rectangle]]:
    """One rectangle per line of each page."""
    found: dict[int, list[Rectangle]] = {}
    for begin, end in spans:
        run: list[Letter] = []
        for letter in letters[begin:end]:
            if letter.box is None:
                continue
            if run and _breaks(run[-1], letter):
                found.setdefault(run[0].page, []).append(_bounding_rectangle(run))
                run = []
            run.append(letter)
        if run:
            found.setdefault(run[0].page, []).append(_bounding_rectangle(run))
    return found


def _breaks(last: Letter, next_: Letter) -> bool:
    """Whether a new line starts: the text layer says so, or the letter overlaps the last one in neither direction."""
    if (last.page, last.line) != (next_.page, next_.line):
        return True
    assert last.box is not None
    assert next_.box is not None
    return not overlap(last.box, next_.box, 0) and not overlap(last.box, next_.box, 1)


def overlap(one: Rectangle, other: Rectangle, axis: int) -> bool:
    """Whether two boxes overlap by a third of the smaller extent, horizontally (axis 0) or vertically (1)."""
    low, high = max(one[axis], other[axis]), min(one[axis] + one[axis + 2], other[axis] + other[axis + 2])
    return high - low > 0.3 * min(one[axis + 2], other[axis + 2])


def _bounding_rectangle(run: Sequence[Letter]) -> Rectangle:
    """The rectangle around a line; a single letter drawn much taller than the others does not enlarge it."""
    boxes = [letter.box for letter in run if letter.box]
    usual = median(box[3] for box in boxes)
    fit = [box for box in boxes if box[3] <= 2 * usual] or boxes
    left, top = min(box[0] for box in boxes), min(box[1] for box in fit)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in fit)
    rounded = (round(edge, 5) for edge in (left, top, right - left, bottom - top))
    return (next(rounded), next(rounded), next(rounded), next(rounded))
