"""Finds the row that a question names by any cell that distinguishes it from other rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.figures.cells.words import AskedWords, Token, days_of, places_of, tokens_of
from core.figures.tables.grid import TableGrid
from core.language.normalisation import fold
from core.language.note_marks import without_note_marks

LABEL = -1
"""Index that means the label column, in the list of columns that name a row."""
MOST_ROWS = 5_000
_LONGEST = 80
_SHORT = re.compile(r"(?:[,;(\[（:]|(?<!\s)\s++[–—-]\s).*$")
_LEAST_UNSPACED = 2
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class NamedRow:
    """A row that a question names; ``by`` are the columns whose cells it names, ``places`` the positions of the words
    that do."""

    row: int
    by: tuple[int, ...]
    places: frozenset[int]
    weight: int


def named_row(sheet: TableGrid, asked: AskedWords) -> NamedRow | None:
    """Returns the row that contains most of the question's words; ``None`` if two rows contain equally many, or if no
    row contains any."""
    found = sorted(_named_rows(sheet, asked), key=lambda each: -each.weight)
    if not found or (len(found) > 1 and found[1].weight == found[0].weight):
        return None
    best = found[0]
    rivals = (each for each in found[1:] if not each.places <= best.places)
    return None if next(rivals, None) else best


def _named_rows(sheet: TableGrid, asked: AskedWords) -> Iterator[NamedRow]:
    heads = _head_words(sheet, asked)
    for row in sheet.rows[:MOST_ROWS]:
        if row.is_total and not row.label:
            continue
        places: set[int] = set()
        by: list[int] = []
        weight = 0
        for column, text in _texts(sheet, row.index):
            found, letters = _named_by(text, asked, heads, column)
            if (letters and not found <= places) or (letters and not found):
                by.append(column)
                weight += letters
                places |= found
        if by:
            yield NamedRow(row.index, tuple(by), frozenset(places), weight)


def _texts(sheet: TableGrid, row: int) -> Iterator[tuple[int, str]]:
    """Yields the label and the cells of a row that are words or dates, with their columns."""
    record = sheet.evidence.table.rows[row]
    if record.label:
        yield LABEL, record.label
    for column, cell in enumerate(record.cells):
        if cell.kind in ("text", "date") and cell.text and len(cell.text) <= _LONGEST:
            yield column, cell.text


def _named_by(text: str, asked: AskedWords, heads: list[Token], column: int) -> tuple[frozenset[int], int]:
    """Returns (positions of the question words that name the cell, their letter count, one less if only part of the
    cell is named), or ``(∅, 0)`` if none do."""
    plain = without_note_marks(text).strip()
    for day in days_of(plain):
        return (asked.days[day], len(plain)) if day in asked.days else (frozenset(), 0)
    if asked.unspaced:
        folded = fold(plain)
        if len(folded) >= _LEAST_UNSPACED and folded in asked.text:
            start = asked.text.index(folded)
            end = start + len(folded)
            return frozenset(p for p, t in enumerate(asked.tokens) if start <= t.start and t.end <= end), len(folded)
    for each in dict.fromkeys((plain, _SHORT.sub("", plain).strip())):
        sought = tokens_of(each, asked.language)
        telling = [token for token in sought if not token.says_nothing]
        if not telling or (column != LABEL and not _LETTER.search(each)):
            continue
        if column != LABEL and all(any(token.same(head) for head in heads) for token in telling):
            continue
        if places := places_of(sought, asked):
            letters = sum(len(asked.tokens[place].text) for place in places)
            return places, max(1, letters - (each != plain))
    return frozenset(), 0


def _head_words(sheet: TableGrid, asked: AskedWords) -> list[Token]:
    return [token for column in sheet.columns for token in tokens_of(column.label, asked.language)]
