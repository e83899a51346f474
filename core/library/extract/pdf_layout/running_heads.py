"""Finds a PDF's running headers, footers and page numbers: removes them from the pages and returns each printed number.

Only text that repeats on many pages is a running header; a line whose numbers change from page to page is content.
Numbers may differ if they count the pages, increasing by one per page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import rows_of
from core.library.extract.pdf_layout.page import Page
from core.library.extract.pdf_layout.page_numerals import Numeral, numerals

_FEWEST_PAGES = 3
_FEWEST_OF_MANY = 5
_MANY_PAGES = 16
_DENSE = 0.4
_YEARS = range(1900, 2101)
_RUN_OF_YEARS = 8
"""Consecutive pages needed to accept four digits as page numbers, because 2021, 2022 and 2023 may head three tables."""
_SAME_LINE = 2.0
_FEWEST_IN_PLACE = 6
_MOST_ON_LINE = 3
"""Maximum number of texts on the line of a running header; more are column headings."""
_APART = 0.8
"""Smallest gap between a running header and the text, in type sizes."""
_MOST_DROPPED = 0.028

Count = tuple[str, int]
"""A page numbering: the series, and the first page's number minus one."""


@dataclass
class Margins:
    """By page: the pieces that are content, and its printed number if it has one."""

    kept: list[list[Piece]]
    labels: list[str | None]


@dataclass
class _Edge:
    """The text in the margins of one page."""

    page: Page
    pieces: list[Piece]
    numerals: list[tuple[Piece, Numeral]] = field(default_factory=list)
    number: tuple[Piece, Numeral] | None = None


def without_margins(pages: Sequence[Page]) -> Margins:
    """Separate running headers and page numbers from the content; the first occurrence of each header stays.

    The whole text of a page is never removed, and at most about one in forty of the file's lines.
    """
    edges = [_edge(page) for page in pages]
    counts = _shared_numberings(edges)
    for edge in edges:
        edge.number = _page_number(edge, counts)
    heads = _running_heads(edges, sum(sum(" " in row.text for row in rows_of(page.pieces, False)) for page in pages))
    kept = [_pieces_kept(edge, heads) for edge in edges]
    labels = [edge.number[1].label if edge.number else None for edge in edges]
    return Margins(kept, labels if any(labels) else [])


def _edge(page: Page) -> _Edge:
    pieces = [piece for piece in page.pieces if page.has_in_margin(piece)]
    found = [(piece, numeral) for piece in pieces for numeral in numerals(piece.text)]
    return _Edge(page, pieces, found)


def _numbering(edge: _Edge, numeral: Numeral) -> Count:
    return numeral.series, numeral.value - edge.page.number


def _shared_numberings(edges: Sequence[_Edge]) -> set[Count]:
    """The numberings shared by consecutive pages, so that a number in a table does not count."""
    found: dict[Count, list[int]] = defaultdict(list)
    for edge in edges:
        for count in {_numbering(edge, numeral) for _, numeral in edge.numerals}:
            found[count].append(edge.page.number)
    least = min(_FEWEST_PAGES, max(2, len(edges)))
    return {count for count, numbers in found.items() if _longest_run(numbers) >= _least(count, numbers, least)}


def _least(count: Count, pages: Sequence[int], usual: int) -> int:
    return max(usual, _RUN_OF_YEARS) if count[1] + pages[0] in _YEARS else usual


def _longest_run(numbers: Sequence[int]) -> int:
    """The longest sequence in ascending pages with at most one page missing between neighbours."""
    longest = run = 1
    for before, number in pairwise(numbers):
        run = run + 1 if number - before <= 2 else 1
        longest = max(longest, run)
    return longest


def _page_number(edge: _Edge, counts: set[Count]) -> tuple[Piece, Numeral] | None:
    """The page's outermost number that fits a shared numbering or is labelled as a page number."""
    fitting = [
        (piece, numeral) for piece, numeral in edge.numerals if numeral.is_said or _numbering(edge, numeral) in counts
    ]
    return min(fitting, key=lambda found: (edge.page.from_edge(found[0]), bool(found[1].rest)), default=None)


def _head_pattern(edge: _Edge, piece: Piece) -> str:
    """The text of a header without the page number."""
    if edge.number and edge.number[0] is piece and edge.number[1].rest:
        return edge.number[1].rest.casefold()
    return piece.text.casefold()


def _running_heads(edges: Sequence[_Edge], lines: int) -> dict[str, int]:
    """Pattern of each running header → the number of the page on which it stays.

    If equally frequent ones exceed the limit, the first one on the page is removed, so that the result is always the
    same.
    """
    found: dict[str, list[int]] = defaultdict(list)
    places: dict[str, list[float | None]] = defaultdict(list)
    for edge in edges:
        for piece in edge.pieces:
            places[_head_pattern(edge, piece)].append(_place_apart(edge, piece))
        patterns = (_head_pattern(edge, piece) for piece in edge.pieces if not _is_lone_number(edge, piece))
        for pattern in dict.fromkeys(patterns):
            if any(map(str.isalpha, pattern)):
                found[pattern].append(edge.page.number)
    least = _FEWEST_PAGES if len(edges) < _MANY_PAGES else _FEWEST_OF_MANY
    heads: dict[str, int] = {}
    room = _MOST_DROPPED * lines
    for pattern, numbers in sorted(found.items(), key=lambda item: -len(item[1])):
        span = numbers[-1] - numbers[0] + 1
        cost = 0 if _is_one_place(places[pattern]) else len(numbers) - 1
        if len(numbers) >= least and len(numbers) >= _DENSE * span and cost <= room:
            heads[pattern] = numbers[0]
            room -= cost
    return heads


def _place_apart(edge: _Edge, piece: Piece) -> float | None:
    """The height of a line that is outermost on its page with a gap to the text; ``None`` for any other."""
    others = [other for other in edge.page.pieces if abs(other.bottom - piece.bottom) > _SAME_LINE]
    if len(edge.page.pieces) - len(others) > _MOST_ON_LINE:
        return None
    if piece.bottom > (edge.page.top + edge.page.bottom) / 2:
        is_outermost = all(other.bottom < piece.bottom for other in others)
        gap = piece.bottom - max((other.top for other in others), default=edge.page.bottom)
    else:
        is_outermost = all(other.bottom > piece.bottom for other in others)
        gap = min((other.bottom for other in others), default=edge.page.top) - piece.top
    return piece.bottom if is_outermost and gap > _APART * piece.size else None


def _is_one_place(places: Sequence[float | None]) -> bool:
    """Whether a line is at the same height on all pages, unlike content; then it is removed however often it occurs."""
    heights = [place for place in places if place is not None]
    all_there = len(heights) == len(places) >= _FEWEST_IN_PLACE
    return all_there and max(heights) - min(heights) <= _SAME_LINE


def _is_lone_number(edge: _Edge, piece: Piece) -> bool:
    return edge.number is not None and edge.number[0] is piece and not edge.number[1].rest


def _pieces_kept(edge: _Edge, heads: dict[str, int]) -> list[Piece]:
    margin = {id(piece) for piece in edge.pieces}
    kept = []
    for piece in edge.page.pieces:
        if id(piece) in margin:
            first = heads.get(_head_pattern(edge, piece))
            if _is_lone_number(edge, piece) or (first is not None and first != edge.page.number):
                continue
        kept.append(piece)
    return kept or list(edge.page.pieces)
