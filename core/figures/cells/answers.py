"""Answers a question with one table cell: takes a question and tables; returns the cell that its words clearly name.

The question names a row by any of its cells and a column by its heading; all other words of the question must also
appear in the table. If a condition is not met, this module returns nothing; ``core.figures.tables`` then looks up
rows and figures by how well they match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.figures.cells.columns import NamedColumn, head_of, named_column, words_about
from core.figures.cells.intent import SHARES, asks_for_no_cell, is_asked_for
from core.figures.cells.rows import LABEL, MOST_ROWS, NamedRow, named_row
from core.figures.cells.words import AskedWords, asked_words, tokens_of
from core.figures.numbers import figure, plain
from core.figures.records import Candidate, TextEvidence
from core.figures.tables.cell_values import Reading, read, reference
from core.figures.tables.first_line import clean_head, clean_label, entity_phrase, period_phrase
from core.figures.tables.grid import TableGrid, untimed
from core.figures.tables.lookup import period_fit
from core.language.entities.calendar_words import MONTHS
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.entities.periods import years_ended
from core.language.note_marks import without_note_marks
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.operation import QuestionOperation
from core.question.rules import Operation
from core.records.answer import Answer
from core.words import Language

NAMED = "named cell"
"""Name of the feature (in ``reasons``) that marks a candidate from this module."""
SURENESS, ABSENT_SURENESS = 0.93, 0.7
_QUALIFIED_BEFORE = frozenset(("en", "de", "nl"))
_WHOLE = 100.0
_MOST_HEAD = 4
"""Maximum number of words in a question from the first to the last word of a column heading."""
_SURE_PERIOD, _DAY = 0.9, 10
_ENDS = DateReading(DAYS)
_PLAIN: frozenset[Operation] = frozenset(("value", "who", "count parts", "count periods", "periods", "share", "ratio"))
"""Operations (kinds of question) that one cell can answer: "how many plots", "what share of seats"."""
_OF_SHARES: frozenset[Operation] = frozenset(("share", "ratio"))
_HAS_UNIT = re.compile(r"%|[$€£₪¥₹]|[^\W\d_]{2}|\dx$")
"""Matches a cell that states its unit itself."""
_SMALL = re.compile(r"[1-9]\d{0,3}(?:\.\d{1,6})?|0(?:\.\d{1,6})?")
"""Matches a number that is too short to need digit grouping."""


@dataclass(frozen=True)
class NamedCell:
    """A cell with the question words that name it: ``weight`` is the number of letters in these words; ``is_headed``:
    some of them are in the column heading; ``absent``: the measure as the question calls it, if this contains a word
    that the heading lacks ("floor price")."""

    sheet: TableGrid
    row: NamedRow
    column: int
    weight: int
    is_headed: bool
    absent: str = ""


def answer_from_named_cells(
    question: AnalysedQuestion,
    asked: QuestionOperation,
    sheets: Sequence[TableGrid],
    texts: Sequence[TextEvidence] = (),
) -> list[Candidate]:
    """Returns at most one candidate; none if the question names cells in two tables and these differ.

    Args:
        texts: other evidence. If the measure is in no text and no table, the answer says that it does not exist.
    """
    if asked.operation not in _PLAIN or asked.bound or asked.extreme or asked.each or not sheets:
        return []
    words = asked_words(question.focus or question.text)
    if not words.tokens or asks_for_no_cell(words):
        return []
    found = [cell for sheet in sheets if (cell := _named_cell(sheet, words, question, asked))]
    found = [cell for cell in found if not cell.absent] or _surely_absent(found, words, sheets, texts)
    best = max((cell.weight for cell in found), default=0)
    found = [cell for cell in found if cell.weight == best]
    shown = {_shown(cell, question.language) for cell in found}
    return [_candidate(found[0], question)] if len(shown) == 1 else []


def _named_cell(
    sheet: TableGrid, words: AskedWords, question: AnalysedQuestion, asked: QuestionOperation
) -> NamedCell | None:
    row = named_row(sheet, words)
    if row is None:
        return None
    about = words_about(sheet, words)
    about += [token for name in question.entities for token in tokens_of(name, words.language)]
    column = named_column(sheet, words, row, about)
    if column is None or not _is_of_period(sheet, row, column, asked):
        return None
    reading = _reading(sheet, row.row, column.column)
    left = _left(column, words, sheet, row)
    absent = _qualified(left, column, words) if left else ""
    if left and not absent:
        return None
    said = row.places | column.places | column.about
    if not is_asked_for(words, said, column.places, _cell_text(sheet, row.row, column.column), reading):
        return None
    if asked.operation in _OF_SHARES and not (reading and reading.unit == "%" and abs(reading.value) <= _WHOLE):
        return None
    letters = sum(len(words.tokens[place].text) for place in column.places)
    return NamedCell(sheet, row, column.column, row.weight + letters, bool(column.places), absent)


def _is_of_period(sheet: TableGrid, row: NamedRow, column: NamedColumn, asked: QuestionOperation) -> bool:
    """Returns whether the cell is certainly of the question's period: a fiscal year that ends in early January can be
    named after either calendar year."""
    place = (row.row, max(0, column.column))
    key, named = sheet.period(*place), asked.periods.named
    days = [span.day for span in dates_in(head_of(sheet, place[1], place[0]), _ENDS)]
    ends = [date(day.year or 1, day.month, 1) for day in days if day.month]
    ends += [date.fromisoformat(key)] if key and len(key) == _DAY else []
    years_alone = all(each.key == each.key[:4] for each in named)
    if named and years_alone and any(len(years_ended(end)) > 1 for end in ends):
        return False
    names = sheet.evidence.origin.periods
    return not named or key is None or any(period_fit(each, key, names) >= _SURE_PERIOD for each in named)


def _left(column: NamedColumn, asked: AskedWords, sheet: TableGrid, row: NamedRow) -> list[int]:
    """Returns the positions of question words that nothing in the table accounts for; a word such as "share" needs only
    a cell with a percentage."""
    left = sorted(column.left)
    if _is_share(sheet, row, column):
        left = [place for place in left if not asked.tokens[place].forms & SHARES]
    return left


def _qualified(left: Sequence[int], column: NamedColumn, asked: AskedWords) -> str:
    """Returns the measure including the words that the table lacks, if they are directly before a heading word: "floor
    price". Empty if they are not, and in languages in which modifiers follow the noun."""
    first = min(column.places, default=-1)
    if asked.language not in _QUALIFIED_BEFORE or list(left) != list(range(first - len(left), first)):
        return ""
    if not all(token.says_nothing for token in asked.tokens[: left[0]]) or not asked.tokens[left[0] - 1].is_glue:
        return ""
    behind = asked.tokens[max(column.places) + 1 :][:1]
    if behind and not behind[0].is_glue:
        return ""
    told = [asked.tokens[place].text for place in (*left, *column.places)]
    if not all(each.isalpha() and each not in MONTHS for each in told):
        return ""
    last = max(column.places)
    return asked.text[asked.tokens[left[0]].start : asked.tokens[last].end] if last - first < _MOST_HEAD else ""


def _surely_absent(
    found: Sequence[NamedCell], asked: AskedWords, sheets: Sequence[TableGrid], texts: Sequence[TextEvidence]
) -> list[NamedCell]:
    """Returns the cells of ``found`` whose missing words are in no text and no table."""
    if not found:
        return []
    tables = (
        text
        for sheet in sheets
        for text in (
            *(column.label for column in sheet.columns),
            *filter(None, (sheet.evidence.table.stub, sheet.evidence.table.caption)),
            *(part for row in sheet.rows[:MOST_ROWS] for part in (row.label, *row.parents)),
            *(cell.text for row in sheet.evidence.table.rows[:MOST_ROWS] for cell in row.cells if cell.kind == "text"),
        )
    )
    said = frozenset(
        form
        for text in (*tables, *(each.text for each in texts))
        for token in tokens_of(text, asked.language)
        for form in token.forms
    )
    return [
        cell for cell in found if not any(token.forms & said for token in tokens_of(cell.absent, asked.language)[:1])
    ]


def _is_share(sheet: TableGrid, row: NamedRow, column: NamedColumn) -> bool:
    reading = _reading(sheet, row.row, column.column)
    return reading is not None and reading.unit == "%"


def _reading(sheet: TableGrid, row: int, column: int) -> Reading | None:
    return read(sheet, (row, column)) if column != LABEL else None


def _candidate(cell: NamedCell, question: AnalysedQuestion) -> Candidate:
    sheet, row, column = cell.sheet, cell.row.row, cell.column
    reading = _reading(sheet, row, column)
    shown = _shown(cell, question.language)
    answer = Answer(
        kind="figure" if reading else "span",
        line=_line(cell, shown, question),
        value=reading.value if reading else shown,
        unit=reading.unit if reading else None,
        scale=reading.scale if reading else 1.0,
        currency=reading.currency if reading else None,
        period=reading.period if reading else None,
        entity=question.entities[0] if question.entities else None,
        metric=head_of(sheet, column, row) or _named(cell),
        cells=[reference(sheet, (row, column if column != LABEL else max(0, cell.row.by[0])))],
    )
    sureness = SURENESS
    if cell.absent:
        answer, sureness = answer.model_copy(update={"decided": False}), ABSENT_SURENESS
    return Candidate(answer, sureness, {NAMED: 1.0, "covered": 1.0, "match": 1.0, "timed": 1.0})


def _line(cell: NamedCell, shown: str, question: AnalysedQuestion) -> str:
    """Returns ``Stock (Hex bolts): 41 [1]``; without the column name if there is only one column or it only states the
    time."""
    sheet, language = cell.sheet, question.language
    head = clean_head(head_of(sheet, cell.column, cell.row.row))
    key, period = "answering.cells.cell", ""
    if not head or (len(sheet.columns) == 1 and not cell.is_headed):
        key = "answering.cells.item"
    elif not untimed(head).strip(" ,/-"):
        key = "answering.cells.at"
        period = period_phrase(sheet.period(cell.row.row, max(0, cell.column)), language) or f", {head}"
    entity = entity_phrase(question.entities, language)
    words = {"head": head[:1].upper() + head[1:], "row": _named(cell), "period": period, "entity": entity}
    cite = f"[{sheet.evidence.origin.number}]"
    if cell.absent:
        key, words["phrase"] = "answering.cells.absent", cell.absent
    return " ".join(message(key, **words, figure=shown, cite=cite).to(language).split()).removeprefix(": ")


def _named(cell: NamedCell) -> str:
    return clean_label(", ".join(_cell_text(cell.sheet, cell.row.row, each) for each in cell.row.by))


def _cell_text(sheet: TableGrid, row: int, column: int) -> str:
    text = sheet.evidence.table.rows[row].label if column == LABEL else sheet.cell(row, column).text
    return without_note_marks(text).strip()


def _shown(cell: NamedCell, language: Language) -> str:
    """Returns the cell as printed. Adds its unit, scale and currency if these are printed elsewhere; groups the digits
    of large numbers."""
    text = _cell_text(cell.sheet, cell.row.row, cell.column)
    reading = _reading(cell.sheet, cell.row.row, cell.column)
    if reading is None or (reading.scale == 1.0 and _HAS_UNIT.search(text)):
        return text
    shown = figure(reading.value, reading.unit, reading.scale, reading.currency, reading.decimals, language)
    grouped = plain(abs(reading.value), reading.decimals)
    is_plain = _SMALL.fullmatch(text) is not None and float(text) == reading.value
    return shown.replace(grouped, text, 1) if is_plain and grouped in shown else shown
