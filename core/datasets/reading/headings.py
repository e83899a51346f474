"""Determines the heading rows of a table, and the name of each column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.datasets.reading.cell_kinds import CellKind, kind_of, shown
from core.datasets.reading.staging import NATIVE
from core.library.tables.units import is_units

MOST_HEADINGS = 4
_LONGEST = 200
_LEAST_NAMED = 0.5
_UNIT = re.compile(r"[(\[][^()\[\]]{1,12}[)\]]|[a-zµ]{1,3}[²³23]?|°[CF]?|%")
Cells = Sequence[str]


@dataclass(frozen=True)
class Heading:
    """The heading of a column: its levels from top to bottom, and its name."""

    levels: tuple[str, ...]
    name: str


def count_headings(rows: Sequence[Cells]) -> int:
    """Returns how many first rows of a table are headings.

    A heading has texts, years or months where the rows below have numbers or dates. In a table of texts only, the first
    row is the heading if its cells are different and none of them occurs again in its column.
    """
    rows = _filled_columns(rows)
    width = len(rows[0]) if rows else 0
    body = _body_kinds(rows, width)
    typed = [place for place in range(width) if body[place] in ("number", "date", "period")]
    count = 0
    proven = False
    for row in rows[: min(MOST_HEADINGS, len(rows) - 1)]:
        kinds = [kind_of(text) for text in row]
        if not _may_be_heading(row, kinds, body):
            break
        differs = any(kinds[place] in ("text", "period") and kinds[place] != body[place] for place in typed)
        if not differs and (proven or count):
            break
        proven = proven or differs
        count += 1
    if proven:
        return count
    if not typed or not count:
        return _text_headings(rows, width)
    return 1 if _is_unlike(rows, width) else 0


def _filled_columns(rows: Sequence[Cells]) -> list[list[str]]:
    """The rows with those columns only that have some text."""
    width = max(map(len, rows), default=0)
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    places = [place for place in range(width) if any(row[place] for row in padded)]
    return [[row[place] for place in places] for row in padded]


def looks_like_headings(cells: Cells) -> bool:
    """Whether a single row may name columns: several different short texts and no number."""
    filled = [text for text in cells if text]
    return len(filled) > 1 and all(kind_of(text) in ("text", "period") and len(text) <= _LONGEST for text in filled)


def _body_kinds(rows: Sequence[Cells], width: int) -> list[CellKind]:
    """The most frequent kind in each column below the possible headings."""
    start = 1 if len(rows) <= 2 * MOST_HEADINGS else MOST_HEADINGS
    found: list[CellKind] = []
    for place in range(width):
        kinds = Counter(kind_of(row[place]) for row in rows[start:] if place < len(row))
        kinds.pop("empty", None)
        if kinds["number"] and kinds["number"] + kinds["period"] > kinds["text"] + kinds["date"]:
            found.append("number")
        else:
            found.append(kinds.most_common(1)[0][0] if kinds else "empty")
    return found


def _may_be_heading(row: Cells, kinds: Sequence[CellKind], body: Sequence[CellKind]) -> bool:
    if not any(row) or max(map(len, row)) > _LONGEST:
        return False
    return not any(
        (kind in ("number", "date") and kind == body[place]) or (kind == "number" and row[place].startswith(NATIVE))
        for place, kind in enumerate(kinds)
    )


def _text_headings(rows: Sequence[Cells], width: int) -> int:
    """The number of heading rows in a table of texts: two if the upper one has gaps or repeats."""
    if len(rows) < 2 or not _is_unlike(rows, width):
        return 0
    upper = [text for text in rows[0] if text]
    if len(rows) > 3 and (len(upper) < width * _LEAST_NAMED + 1 or len(set(upper)) < len(upper)) and width > 2:
        lower = [text for text in rows[1] if text]
        if len(lower) > len(set(upper)) and len(set(lower)) == len(lower) and looks_like_headings(rows[1]):
            return 2 if _is_unlike(rows[1:], width) and len(lower) >= width - 1 else 1
    return 1


def _is_unlike(rows: Sequence[Cells], width: int) -> bool:
    """Whether no cell of the first row occurs again in its column, except in a repeated row, and most columns are
    named."""
    first = [text for text in rows[0] if text]
    if len(first) < max(1, width * _LEAST_NAMED) or any(kind_of(text) in ("number", "date") for text in first):
        return False
    others = [row for row in rows[1:] if row != rows[0]]
    return not any(
        text and any(place < len(row) and row[place] == text for row in others) for place, text in enumerate(rows[0])
    )


def headings_of(heads: Sequence[Cells], columns: Sequence[int], spans: bool) -> list[Heading]:
    """Returns the headings of the given columns. ``spans``: merged headings are repeated in all their cells; otherwise
    a heading above others extends to the next one."""
    rows = [[cells[place] if place < len(cells) else "" for place in columns] for cells in heads]
    if not spans:
        rows = [_extended(row, rows[number + 1 :]) for number, row in enumerate(rows)]
    if len(rows) > 1 and _are_units([text for text in rows[-1] if text]):
        rows[-1] = [f"({text.strip('()[]')})" if text else "" for text in rows[-1]]
    found: list[Heading] = []
    names: Counter[str] = Counter()
    for at, place in enumerate(columns):
        levels = tuple(dict.fromkeys(shown(row[at]) for row in rows if row[at]))
        name = " ".join(" ".join(levels).split()) or _letters(place)
        names[name.casefold()] += 1
        count = names[name.casefold()]
        found.append(Heading(levels, f"{name} ({count})" if count > 1 else name))
    return found


def _are_units(texts: Sequence[str]) -> bool:
    """Whether a heading row names the units of the columns below the headings."""
    return bool(texts) and all(_UNIT.fullmatch(text) or is_units(text) for text in texts)


def _extended(row: list[str], lower: Sequence[list[str]]) -> list[str]:
    """A heading row whose texts reach over the empty cells to their right that have headings below."""
    if not lower or not any(row):
        return row
    extended, last = [], ""
    for place, text in enumerate(row):
        last = text or last
        extended.append(text or (last if any(below[place] for below in lower) else ""))
    return extended


def _letters(place: int) -> str:
    """The letters of a column in a spreadsheet: 0 is A, 26 is AA."""
    letters = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
