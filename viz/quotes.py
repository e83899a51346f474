"""Prepares quotes for display: a table row is shown with the column headings from its passage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from core.events import Quote, Source
from core.language.normalisation import fold
from core.records.answer import CellReference
from viz.cells import CELL, cells_of, is_figure
from viz.passage_text import Row, pieces

NARROW, WIDE = 3, 4
"""Maximum number of columns, including the row labels, before less relevant ones are hidden: on a narrow screen, and on
a wide one."""
LEADING = 3
"""Number of closest matches that are shown before the others, which are folded."""
_MOST_ROWS = 12
"""Maximum number of table rows shown below a quote that introduces the table; the document page next to it shows the
rest."""
_EMPTY_CELL = CELL * 2


@dataclass(frozen=True)
class Shown:
    """A displayed quote: its text with the table that it introduces, or a table row's cells under their headings.

    ``label`` is the text of the quote's button; ``aside`` are columns that are hidden until the user opens them.
    """

    quote: Quote
    cells: list[str]
    headings: list[str]
    announced: tuple[Row, ...] = ()
    label: str = ""
    aside: frozenset[int] = frozenset()

    @property
    def is_wide(self) -> bool:
        """Whether its columns are hidden on a wide screen too."""
        return len(self.cells) > WIDE


def shown(quotes: Sequence[Quote], passages: dict[str, str] | None = None) -> list[Shown]:
    """The quotes in display form. Args: passages: text by item, to look up a row's headings if no quote before it has
    them."""
    drawn: list[Shown] = []
    for quote in quotes:
        cells = cells_of(quote.text)
        above = drawn[-1] if drawn else None
        passage = (passages or {}).get(quote.item_id, "")
        if cells and any(each.quote.item_id == quote.item_id and each.headings == cells for each in drawn):
            continue
        if above is not None and _is_header_of(above, cells, passage):
            headings = _padded_headings(above.cells, len(cells), passage)
            drawn[-1] = Shown(quote, _padded(cells, headings), headings)
        else:
            lines = passage.splitlines()
            headings = headings_above(quote.text, cells, lines) or _headings_of_table(drawn, quote, cells, lines)
            drawn.append(Shown(quote, _padded(cells, headings), headings, announced(quote.text, passage)))
    rows_of = {each.quote.item_id for each in drawn if each.cells}
    return [replace(each, announced=()) if each.quote.item_id in rows_of else each for each in drawn]


def announced(quote: str, passage: str) -> tuple[Row, ...]:
    """The table rows below ``quote``, if the quote ends in a colon and would otherwise introduce nothing."""
    _, found, below = passage.partition(quote)
    if not found or not quote.rstrip().endswith(":"):
        return ()
    # The table's caption may come first.
    return next((piece.rows[:_MOST_ROWS] for piece in pieces(below)[:2] if piece.rows), ())


def passage_labels(quotes: Sequence[Quote]) -> dict[str, str]:
    """Item id → its label: a source has one number, and its passages get letters in the order of quotation.

    A source with only one quoted passage has no letter.
    """
    quoted: dict[int, list[str]] = {}
    for quote in quotes:
        items = quoted.setdefault(quote.number, [])
        if quote.item_id not in items:
            items.append(quote.item_id)
    return {
        item: f"{number}{_letter(place)}" if len(items) > 1 else str(number)
        for number, items in quoted.items()
        for place, item in enumerate(items)
    }


def _letter(place: int) -> str:
    """a … z, then aa, ab, …"""
    more, last = divmod(place, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[last]


def quote_groups(
    quotes: Sequence[Quote], sources: Sequence[Source], cells: Sequence[CellReference] = ()
) -> list[tuple[Source, list[Shown]]]:
    """Quotes by source, in the order of each source's first quote; ``cells`` are the cells that the answer uses."""
    labels = passage_labels(quotes)
    by_number = {source.number: source for source in sources}
    passages = {each.item_id: each.text for source in sources for each in source.passages}
    groups: dict[int, list[Quote]] = {}
    for quote in quotes:
        if quote.number in by_number:
            groups.setdefault(quote.number, []).append(quote)
    return [
        (
            by_number[number],
            [
                replace(each, label=labels[each.quote.item_id], aside=aside(each, cells))
                for each in shown(group, passages)
            ],
        )
        for number, group in groups.items()
    ]


def leading_and_folded(
    groups: Sequence[tuple[Source, list[Shown]]], leading: int = LEADING
) -> tuple[list[tuple[Source, list[Shown]]], list[tuple[Source, list[Shown]]]]:
    """Splits quotes by source into the first ``leading`` ones and the others."""
    first: list[tuple[Source, list[Shown]]] = []
    folded: list[tuple[Source, list[Shown]]] = []
    for source, group in groups:
        room = max(0, leading - sum(len(each) for _, each in first)) if not folded else 0
        first += [(source, group[:room])] if room else []
        folded += [(source, group[room:])] if group[room:] else []
    return first, folded


def aside(row: Shown, cells: Sequence[CellReference]) -> frozenset[int]:
    """The row's columns that contain none of the answer's ``cells``; empty if the whole row has none of them."""
    if len(row.cells) <= NARROW:
        return frozenset()
    own = [cell for cell in cells if cell.item_id == row.quote.item_id or not cell.item_id]
    texts, headers = {fold(cell.text) for cell in own}, {fold(cell.header) for cell in own} - {""}
    asked = {
        place
        for place, text in enumerate(row.cells)
        if place and (fold(text) in texts or (row.headings and fold(row.headings[place]) in headers))
    }
    return frozenset(range(1, len(row.cells))) - asked if asked else frozenset()


def headings_above(row: str, cells: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The nearest row of ``lines`` above ``row`` without figures, if it has as many cells; else empty.

    Only a row with figures gets headings: among rows of words, headings cannot be distinguished from values.
    """
    texts = [line.strip() for line in lines]
    if not any(map(is_figure, cells)) or row.strip() not in texts:
        return []
    for line in reversed(texts[: texts.index(row.strip())]):
        heads = cells_of(line)
        if heads and not any(map(is_figure, heads)):
            return _padded_headings(heads, len(cells), "\n".join(lines))
    return []


def _headings_of_table(drawn: Sequence[Shown], quote: Quote, cells: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The headings of a quoted row above this one in the same table: only rows of as many cells are between them."""
    texts = [line.strip() for line in lines]
    if not cells or quote.text.strip() not in texts:
        return []
    for row in drawn:
        above = row.quote.text.strip()
        if row.quote.item_id == quote.item_id and len(row.headings) == len(cells) and above in texts:
            between = texts[texts.index(above) : texts.index(quote.text.strip()) + 1]
            if between and all(len(cells_of(line)) == len(cells) for line in between):
                return row.headings
    return []


def _is_header_of(above: Shown, cells: Sequence[str], passage: str) -> bool:
    """Whether the quote before a table row contains the row's column headings."""
    free_of_figures = bool(above.cells) and not above.headings and not any(map(is_figure, above.cells))
    return len(cells) > 1 and free_of_figures and bool(_padded_headings(above.cells, len(cells), passage))


def _padded_headings(heads: Iterable[str], width: int, passage: str) -> list[str]:
    """The headings, with an empty one added for the first column if missing; headings of another width belong to other
    rows. In a passage that keeps empty cells, a shorter row only lacks empty cells at its end."""
    found = list(heads)
    keeps_empty = _EMPTY_CELL in passage and CELL.join(found) in passage
    if len(found) == width or (1 < width < len(found) and keeps_empty):
        return found
    return ["", *found] if len(found) == width - 1 else []


def _padded(cells: list[str], headings: Sequence[str]) -> list[str]:
    return [*cells, *[""] * (len(headings) - len(cells))]
