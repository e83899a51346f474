"""Finds the column that a question names by heading words, and the question words that remain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from core.figures.cells.rows import LABEL, NamedRow
from core.figures.cells.words import AskedWords, Token, head_tokens, tokens_of
from core.figures.tables.grid import TableGrid
from core.figures.tables.units_of_measure import measure_in, spoken, without_units
from core.language.foreign_terms import is_unspaced
from core.language.normalisation import fold
from core.language.vocabulary import words_of
from core.library.tables.records import Cell

Wanted = Literal["person", "time", "figure", "any"]
_LEADS: dict[Wanted, frozenset[str]] = {
    "person": frozenset(words_of("answering/cells.leads.person")),
    "time": frozenset(words_of("answering/cells.leads.time")),
    "figure": frozenset(words_of("answering/cells.leads.figure")),
}
_PRICED = frozenset(words_of("answering/cells.priced"))
_PRICES = frozenset(words_of("answering/cells.prices"))
_FIRST = 3
"""Number of words at the start of a question that show what kind of answer is wanted."""


@dataclass(frozen=True)
class NamedColumn:
    """A column that a question names; ``places`` are the positions of question words in its heading, ``about`` those of
    words in other names of the table; ``left`` are the positions of content words found in neither row, heading nor
    table."""

    column: int
    places: frozenset[int]
    left: frozenset[int]
    about: frozenset[int]


def head_of(sheet: TableGrid, column: int, row: int) -> str:
    """Returns a column's heading in natural wording, without its unit; if it has several lines, only those that name
    something."""
    if column == LABEL:
        return spoken(sheet.evidence.table.stub or "")
    parts = sheet.evidence.table.columns[column].header or [sheet.column(row, column).label]
    named = [without_units(part) for number, part in enumerate(parts) if not number or not measure_in(f"({part})")]
    return " ".join(part for number, part in enumerate(named) if not any(part in other for other in named[:number]))


def named_column(sheet: TableGrid, asked: AskedWords, named: NamedRow, about: Collection[Token]) -> NamedColumn | None:
    """Returns the one column whose heading best matches the question words that do not name the row; ``about`` are
    words of the table and its document. Returns none if several match equally."""
    rest = [place for place in range(len(asked.tokens)) if place not in named.places]
    wanted = _wanted(asked)
    ranked: list[tuple[tuple[float, ...], int, frozenset[int]]] = []
    for column in range(LABEL, len(sheet.columns)):
        if column in named.by or not _is_filled(sheet, named.row, column):
            continue
        head = head_of(sheet, column, named.row)
        places, share = shared_words(head, asked, rest)
        if share:
            fits = float(_is_of_kind(wanted, _cell(sheet, named.row, column)))
            ranked.append(((float(_said(places, asked)), fits, share), column, places))
    if not ranked and len(sheet.columns) == 1 and LABEL in named.by and _is_filled(sheet, named.row, 0):
        ranked = [((0.0, 1.0, 1.0), 0, frozenset())]
    if not ranked and (price := _price_column(sheet, asked, named)) is not None:
        ranked = [((0.0, 1.0, 1.0), price, frozenset())]
    ranked.sort(key=lambda each: each[0], reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    _, column, places = ranked[0]
    over = [
        *about,
        *(token for each in named.by for token in head_tokens(head_of(sheet, each, named.row), asked.language)),
    ]
    told = frozenset(p for p in rest if any(asked.tokens[p].same(token, asked.loose) for token in over))
    left = frozenset(
        place for place in rest
        if place not in places and not asked.tokens[place].says_nothing
        and not is_unspaced(asked.tokens[place].text)
        and place not in told
    )  # fmt: skip
    return NamedColumn(column, places, left, told)


def _price_column(sheet: TableGrid, asked: AskedWords, named: NamedRow) -> int | None:
    """If the question asks what something costs, returns the column that is called a price, if there is exactly one."""
    if not any(token.text in _PRICED for token in asked.tokens):
        return None
    found = [
        column for column in range(len(sheet.columns))
        if column not in named.by and _is_filled(sheet, named.row, column)
        and any(token.text in _PRICES for token in tokens_of(head_of(sheet, column, named.row), asked.language))
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def shared_words(head: str, asked: AskedWords, rest: Sequence[int]) -> tuple[frozenset[int], float]:
    """Returns (positions of the question's words that are in the heading, share of the heading's words found)."""
    if is_unspaced(head) and len(plain := fold(head)) > 1 and plain in asked.text:
        return frozenset(), 1.0
    words = head_tokens(head, asked.language)
    found: set[int] = set()
    had = 0
    for word in words:
        same = [place for place in rest if asked.tokens[place].same(word, asked.loose)]
        had += bool(same)
        found.update(same)
    return frozenset(found), had / len(words) if words else 0.0


def _said(places: frozenset[int], asked: AskedWords) -> int:
    return sum(not asked.tokens[place].says_nothing for place in places)


def _wanted(asked: AskedWords) -> Wanted:
    first = {token.text for token in asked.tokens[:_FIRST]}
    return next((kind for kind, words in _LEADS.items() if words & first), "any")


def _is_of_kind(wanted: Wanted, cell: Cell) -> bool:
    if wanted == "person":
        return cell.kind == "text" and not any(map(str.isdigit, cell.text))
    if wanted == "time":
        return cell.kind == "date" or any(map(str.isdigit, cell.text))
    if wanted == "figure":
        return cell.value is not None
    return True


def _is_filled(sheet: TableGrid, row: int, column: int) -> bool:
    return bool(_cell(sheet, row, column).text)


def _cell(sheet: TableGrid, row: int, column: int) -> Cell:
    if column == LABEL:
        label = sheet.evidence.table.rows[row].label
        return Cell(text=label, kind="text" if label else "empty")
    return sheet.cell(row, column)


def words_about(sheet: TableGrid, asked: AskedWords) -> list[Token]:
    """Returns the words that describe the whole table: title, file, headings, caption, sheet."""
    origin, table = sheet.evidence.origin, sheet.evidence.table
    texts = (origin.title, spoken(origin.filename.rpartition(".")[0]), *sheet.evidence.path, table.caption, table.sheet)
    names = " ".join(filter(None, texts)).replace("_", " ")
    return list(tokens_of(names, asked.language))
