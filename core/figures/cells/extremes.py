"""Finds the row with a column's largest or smallest figure: "Which firm gives the longest warranty?"

A total row is never the answer. If several rows are about the same thing (such as one firm), there is no answer, since
their figures would have to be added up first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.figures.cells.answers import NAMED
from core.figures.cells.columns import head_of, shared_words, words_about
from core.figures.cells.intent import asks_for_another, vocabulary
from core.figures.cells.rows import LABEL, MOST_ROWS
from core.figures.cells.words import AskedWords, Token, asked_words, days_of, head_tokens, tokens_of
from core.figures.numbers import figure
from core.figures.records import Candidate
from core.figures.tables.cell_values import Reading, read, reference
from core.figures.tables.first_line import clean_head, clean_label
from core.figures.tables.grid import TableGrid
from core.language.foreign_terms import is_unspaced
from core.language.note_marks import without_note_marks
from core.language.total_labels import is_called_total
from core.language.vocabulary import pattern_of, words_of
from core.library.tables.records import Cell
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.operation import LONGEST, QuestionOperation
from core.question.rules import Operation
from core.records.answer import Answer

SURENESS = 0.9
_ALLOWED: frozenset[Operation] = frozenset(("value", "which part", "who", "parts", "count parts"))
_PATTERNS: dict[Literal["largest", "smallest"], re.Pattern[str]] = {
    "smallest": pattern_of("answering/cells.extremes.smallest"),
    "largest": pattern_of("answering/cells.extremes.largest"),
}
_ORDERS = frozenset(words_of("answering/cells.orders"))
_NUMBER = r"(\d{1,6}(?:[.,]\d{1,3})?)\s?"
_LEAST_ROWS = 2
_LETTER = re.compile(r"[^\W\d_]")
_MOST_NAMES = 3


@dataclass(frozen=True)
class _Sought:
    """What a question with a superlative looks for; ``words`` are its words without the superlative, ``meant`` are
    nouns that the superlative implies ("longest": length)."""

    words: AskedWords
    side: Literal["largest", "smallest"]
    meant: tuple[Token, ...]


@dataclass(frozen=True)
class _Extreme:
    """The largest or smallest cell: its position, the number of rows compared, and the column whose cell names the
    row."""

    sheet: TableGrid
    row: int
    column: int
    naming: int
    count: int
    weight: int


def answer_from_extremes(
    question: AnalysedQuestion, asked: QuestionOperation, sheets: Sequence[TableGrid]
) -> list[Candidate]:
    """Returns at most one candidate; none if two tables give different answers or the table does not account for a
    question word."""
    sought = _sought(question.focus or question.text) if asked.operation in _ALLOWED and not asked.bound else None
    if sought is None:
        return []
    found = [each for sheet in sheets if (each := _extreme_of(sheet, sought))]
    best = max((each.weight for each in found), default=0)
    found = [each for each in found if each.weight == best]
    lines = {_text(each.sheet, each.row, each.column): each for each in found}
    return [_candidate(found[0], sought, question)] if len(lines) == 1 else []


def _sought(text: str) -> _Sought | None:
    text = text[:LONGEST]
    for side, pattern in _PATTERNS.items():
        found = pattern.search(text)
        if found:
            rest = asked_words(f"{text[: found.start()]} {text[found.end() :]}")
            nouns = vocabulary().extremes.measures.get(found.group().lower().removeprefix("the "), "")
            return _Sought(rest, side, tokens_of(nouns, rest.language))
    return None


def _extreme_of(sheet: TableGrid, sought: _Sought) -> _Extreme | None:
    if asks_for_another(sought.words, ()) or any(token.text in _ORDERS for token in sought.words.tokens):
        return None
    rows = [row.index for row in sheet.rows[:MOST_ROWS] if not row.is_total and not is_called_total(row.label)]
    if len(rows) < _LEAST_ROWS:
        return None
    ranked = []
    for column in range(len(sheet.columns)):
        sizes = _sizes(sheet, rows, column)
        if len(sizes) < _LEAST_ROWS:
            continue
        places, share = _named_share(sheet, column, rows[0], sought)
        if share:
            ranked.append((float(len(places)), share, column, places, sizes))
    ranked.sort(key=lambda each: each[:2], reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    _, _, column, places, sizes = ranked[0]
    naming = _naming_column(sheet, rows, column, places, sought)
    if naming is None:
        return None
    ordered = sorted(sizes, key=lambda each: each[0], reverse=sought.side == "largest")
    if ordered[0][0] == ordered[1][0]:
        return None
    weight = sum(len(sought.words.tokens[place].text) for place in places)
    return _Extreme(sheet, ordered[0][1], column, naming, len(sizes), weight)


def _named_share(sheet: TableGrid, column: int, row: int, sought: _Sought) -> tuple[frozenset[int], float]:
    """Returns how well the question names a column: by words of its heading, or by an adjective for its noun."""
    head = head_of(sheet, column, row)
    places, share = shared_words(head, sought.words, range(len(sought.words.tokens)))
    if share or not sought.meant:
        return places, share
    nouns = [token for token in head_tokens(head, sought.words.language) if any(token.same(m) for m in sought.meant)]
    return frozenset(), 1.0 if nouns else 0.0


def _naming_column(
    sheet: TableGrid, rows: Sequence[int], column: int, places: frozenset[int], sought: _Sought
) -> int | None:
    """Returns the column whose cells can answer *which*; ``None`` if the table does not account for all question words,
    or if several rows are about the same thing."""
    words = sought.words
    rest = [place for place in range(len(words.tokens)) if place not in places]
    naming = LABEL
    for each in range(LABEL, len(sheet.columns)):
        if each == column or not (found := shared_words(head_of(sheet, each, rows[0]), words, rest)[0]):
            continue
        if all(_cell(sheet, row, each).kind in ("text", "date", "empty") for row in rows):
            naming, rest = each, [place for place in rest if place not in found]
            break
    about = words_about(sheet, words)
    left = [
        place for place in rest
        if not words.tokens[place].says_nothing and not is_unspaced(words.tokens[place].text)
        and not any(words.tokens[place].same(token, words.loose) for token in about)
    ]  # fmt: skip
    nameless = naming == LABEL and not sheet.evidence.table.stub
    if left and not (nameless and len(left) == 1 and left[0] <= 1):
        return None
    named = _by_words(sheet, rows, naming, column)
    if named is None:
        return None
    names = [_text(sheet, row, named) for row in rows]
    asks_which = naming != LABEL or len(rest) < len(words.tokens) - len(places)
    return None if asks_which and len(set(names)) < len(names) else named


def _by_words(sheet: TableGrid, rows: Sequence[int], naming: int, column: int) -> int | None:
    """Returns ``naming``, the column that names the rows. If it contains only row numbers, returns the first column
    with distinct texts instead; ``None`` if there is none."""
    if naming != LABEL or any(
        _LETTER.search(_text(sheet, row, LABEL)) or days_of(_text(sheet, row, LABEL)) for row in rows
    ):
        return naming
    for each in range(len(sheet.columns)):
        names = [_text(sheet, row, each) for row in rows]
        if each != column and all(map(_LETTER.search, names)) and len(set(names)) == len(names):
            return each
    return None


def _sizes(sheet: TableGrid, rows: Sequence[int], column: int) -> list[tuple[float, int]]:
    """Returns (size, row) for each cell of a column of figures, or of durations if all cells are durations; empty for
    other columns."""
    cells = [(sheet.cell(row, column), row) for row in rows]
    filled = [(cell, row) for cell, row in cells if cell.text and cell.kind != "empty"]
    readings = [(reading, row) for cell, row in filled if (reading := read(sheet, (row, column)))]
    if 2 * len(readings) >= len(filled) and readings:
        alike = {(reading.unit, reading.currency) for reading, _ in readings}
        return [(reading.value * reading.scale, row) for reading, row in readings] if len(alike) == 1 else []
    spans = [(size, row) for cell, row in filled if (size := _span(cell)) is not None]
    return spans if len(spans) == len(filled) else []


def _span(cell: Cell) -> float | None:
    """Converts "5 years" or "18 months" to days."""
    for days, pattern in _span_patterns():
        if found := pattern.fullmatch(without_note_marks(cell.text).strip()):
            return float(found[1].replace(",", ".")) * days
    return None


@cache
def _span_patterns() -> list[tuple[float, re.Pattern[str]]]:
    return [
        (days, re.compile(rf"{_NUMBER}(?:{words})\.?", re.IGNORECASE)) for days, words in vocabulary().extremes.spans
    ]


def _candidate(found: _Extreme, sought: _Sought, question: AnalysedQuestion) -> Candidate:
    sheet, place = found.sheet, (found.row, found.column)
    reading = read(sheet, place)
    shown = _shown(reading, question) if reading else _text(sheet, *place)
    row = _row_name(found)
    head = clean_head(head_of(sheet, found.column, found.row))
    words = {"row": row, "figure": shown, "head": head[:1].upper() + head[1:], "count": f"{found.count:,}"}
    cite = f"[{sheet.evidence.origin.number}]"
    answer = Answer(
        kind="span",
        line=message(f"answering.cells.{sought.side}", **words, cite=cite).to(question.language),
        value=row,
        metric=head,
        cells=[reference(sheet, place)],
    )
    return Candidate(answer, SURENESS, {NAMED: 1.0, "covered": 1.0, "match": 1.0, "timed": 1.0})


def _row_name(found: _Extreme) -> str:
    """Returns the cell that answers *which*; adds the next texts of its row if the cell alone is not unique."""
    sheet = found.sheet
    labels = [row.label for row in sheet.rows]
    own = _text(sheet, found.row, found.naming)
    names = [own]
    if found.naming == LABEL and labels.count(own) != 1:
        columns = (each for each in range(len(sheet.columns)) if sheet.cell(found.row, each).kind == "text")
        names += [_text(sheet, found.row, each) for each in columns]
    return clean_label(", ".join(list(filter(None, names))[:_MOST_NAMES]))


def _shown(reading: Reading, question: AnalysedQuestion) -> str:
    return figure(reading.value, reading.unit, reading.scale, reading.currency, reading.decimals, question.language)


def _cell(sheet: TableGrid, row: int, column: int) -> Cell:
    if column == LABEL:
        label = sheet.evidence.table.rows[row].label
        return Cell(text=label, kind="text" if label else "empty")
    return sheet.cell(row, column)


def _text(sheet: TableGrid, row: int, column: int) -> str:
    return without_note_marks(_cell(sheet, row, column).text).strip()
