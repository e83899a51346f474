"""Extracts a document's figures for its summary: value, unit, period and change from the year before.

Figures are read from table rows of financial statements, never from running text. Doubtful figures are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.events import Quote, Source
from core.figures.measures.amounts import Amount, ratio
from core.figures.measures.columns import newest_year, year_before
from core.figures.measures.readings import Reading, readings
from core.figures.measures.results import Result, amount, results
from core.figures.measures.statements import DocumentStatements, statements_by_document
from core.figures.measures.wording import name_of, references, when
from core.language.fields import figures as vocabulary
from core.language.vocabulary import pattern_of
from core.question.measures.formulas import Term
from core.question.measures.question import Measure, MeasureQuestion
from core.records.answer import CellReference
from core.review.actions.pages import page_mark, page_of
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.shapes import line
from core.words import Language

LEAST_SURE = 0.66
_MOST_PER_SHARE = 1_000.0
_DILUTED = pattern_of("graph/actions.figures.diluted")
_COUNTS_SHARES = pattern_of("graph/actions.figures.counts_shares")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR, _SPARE = 365, 20
_FARTHEST = 20.0
"""A change of more than twenty times is a misread scale, not a change."""


@dataclass(frozen=True)
class FigureLine:
    """A line with a figure; ``text`` has no citation; the cells are its sources."""

    text: str
    cells: tuple[CellReference, ...]


def figure_lines(matter: SummaryDocument, keys: Sequence[str], most: int, language: Language) -> list[FigureLine]:
    """Returns the first ``most`` of ``keys`` that the document's statements report for its own period."""
    if matter.about is None or not matter.about.tables:
        return []
    (book,) = statements_by_document(matter.about.tables)
    asked = {period: matter.column_name(period) for period in matter.periods or _newest(book)}
    found = _at_best_period(book, asked, keys)
    return [_figure_line(book, key, result, language) for key, result in list(found.items())[:most]]


def rows_quoted(line: FigureLine, source: Source) -> list[Quote]:
    """Returns the rows that hold a line's figures, as quoted in the passages that show their tables."""
    found: dict[tuple[str, str], Quote] = {}
    for cell in line.cells:
        for passage in source.passages if cell.label else ():
            rows = passage.text.split("\n") if passage.table == cell.table else ()
            row = next((each for each in rows if each.startswith(cell.label) and cell.text in each), None)
            if row is not None:
                quote = Quote(number=source.number, item_id=passage.item_id, text=row)
                found.setdefault((quote.item_id, quote.text), quote)
                break
    return list(found.values())


def cited_line(line: FigureLine, source: Source, language: Language) -> str:
    """Returns the line with the page of its row and its citation marker."""
    row = next(iter(rows_quoted(line, source)), None)
    page = page_of([source], row.item_id) if row else None
    return f"{line.text} {page_mark(page, language)}[{source.number}]"


def _at_best_period(book: DocumentStatements, asked: Mapping[str, str], keys: Sequence[str]) -> dict[str, Result]:
    """Picks the document's own period with the most figures; figures missing there are taken from the document's other
    periods."""
    stated = {
        period: {key: replace(result, period=period) for key, result in _stated(book, keys, column)}
        for period, column in asked.items()
    }
    order = sorted(asked, key=lambda period: -len(stated[period]))
    merged: dict[str, Result] = {}
    for key in keys:
        for period in order:
            if key in stated[period]:
                merged.setdefault(key, stated[period][key])
    return merged


def _newest(book: DocumentStatements) -> list[str]:
    newest = newest_year((each.table for each in book.statements if each.likeness), book.origin)
    return [newest] if newest else []


def _stated(book: DocumentStatements, keys: Sequence[str], period: str) -> Iterator[tuple[str, Result]]:
    for key in keys:
        found = next(iter(results([book], _measure(key), period)), None)
        if (
            found is not None
            and vocabulary()[key].unit == "per share"
            and not (_is_so(found) and _row_matches(found, _DILUTED))
        ):
            found = _diluted(found, key)
        if found is not None and found.worked.sure >= LEAST_SURE and _has_unit(found, key):
            yield key, found


def _diluted(found: Result, key: str) -> Result | None:
    """Returns the first diluted value, otherwise the first possible one: "Basic" and "Diluted" are also headings for
    share counts."""
    others = [_of_reading(found, each) for each in readings(found.book, key, vocabulary()[key], found.period)]
    can_be = [each for each in (found, *others) if _is_so(each)]
    return next((each for each in can_be if _row_matches(each, _DILUTED)), can_be[0] if can_be else None)


def _of_reading(found: Result, reading: Reading) -> Result:
    """Returns a copy of the result with the value and certainty of another cell."""
    worked = replace(found.worked, value=reading.value, sure=reading.score, inputs=(reading,), rivals=())
    return replace(found, worked=worked)


def _measure(key: str) -> Measure:
    figure = vocabulary()[key]
    return Measure(Term(key, figure), key, key, figure.unit)


def _has_unit(result: Result, key: str) -> bool:
    """Returns whether the figure's unit is known; an amount without a currency is ambiguous."""
    return vocabulary()[key].unit == "%" or all(reading.currency for reading in result.worked.inputs)


def _is_so(result: Result) -> bool:
    return abs(result.worked.value) < _MOST_PER_SHARE and not _row_matches(result, _COUNTS_SHARES)


def _row_matches(result: Result, pattern: re.Pattern[str]) -> bool:
    """Returns whether the row's label, or the heading above it, matches."""
    reading = result.worked.inputs[0]
    row = reading.statement.table.rows[reading.row]
    return pattern.search(" ".join((*row.parents, row.label))) is not None


def _figure_line(book: DocumentStatements, key: str, now: Result, language: Language) -> FigureLine:
    measure = _measure(key)
    before = _result_year_before(book, measure, now)
    name = _measure_name(measure, now, language)
    parts = {"name": name, "when": when(measure, now.period, language), "value": _amount_text(now, measure, language)}
    if before is None:
        return FigureLine(line("alone", language, **parts), tuple(references([now])))
    parts |= {"before": _amount_text(before, measure, language), "earlier": when(measure, before.period, language)}
    moved = _relative_change(now, before)
    shown = ratio(abs(moved), "%", None).text(language) if moved is not None else ""
    way = "after" if moved is None else "level" if abs(moved) < 0.0005 else "up" if moved > 0 else "down"
    return FigureLine(line(way, language, change=shown, **parts), tuple(references([now, before])))


def _measure_name(measure: Measure, result: Result, language: Language) -> str:
    if measure.unit == "per share" and _row_matches(result, _DILUTED):
        return line("diluted", language)
    name = name_of(measure, language)
    return name[:1].upper() + name[1:]


def _result_year_before(book: DocumentStatements, measure: Measure, now: Result) -> Result | None:
    """Returns the value from a year earlier, if the same row has it."""
    if len(now.worked.inputs) == 1:
        column = _repetition_period(now.worked.inputs[0])
        if column is None:
            column = _year_earlier(now.worked.inputs[0])
        found = _in_column(now, column) if column is not None else None
    else:
        found = next(iter(results([book], measure, year_before(now.period))), None)
    return found if found is not None and _compares(now, found) else None


def _repetition_period(reading: Reading) -> int | None:
    """Returns the next column in a table that repeats pairs of years (three months, twelve months): a heading over both
    columns is often parsed as belonging to only one."""
    table = reading.statement.table
    row = table.rows[reading.row]
    dated = [
        (number, int(column.period[:4]))
        for number, column in enumerate(table.columns)
        if column.period and row.cells[number].value is not None
    ]
    years = [year for _, year in dated]
    pairs = len(years) // 2
    if pairs < 2 or len(years) % 2 or years != years[:2] * pairs:
        return None
    at = next((place for place, (number, _) in enumerate(dated) if number == reading.place.column), None)
    return None if at is None or years[at ^ 1] != years[at] - 1 else dated[at ^ 1][0]


def _year_earlier(reading: Reading) -> int | None:
    """Returns the table column for the same period a year earlier, if there is exactly one."""
    columns = reading.statement.table.columns
    found = [number for number, column in enumerate(columns) if _is_year_before(column.period, reading.place.key)]
    return found[0] if len(found) == 1 else None


def _is_year_before(earlier: str | None, key: str) -> bool:
    """Matches "2021-Q4" for "2022-Q4", and days about a year apart, since a year may have 52 or 53 weeks."""
    if not earlier or not _DAY.fullmatch(key):
        return earlier == year_before(key)
    if not _DAY.fullmatch(earlier):
        return False
    return abs((date.fromisoformat(key) - date.fromisoformat(earlier)).days - _YEAR) <= _SPARE


def _in_column(now: Result, column: int) -> Result | None:
    """Returns the cell of the same row in another column, with the same sign."""
    reading = now.worked.inputs[0]
    cell = reading.statement.table.rows[reading.row].cells[column]
    if cell.value is None:
        return None
    sign = 1.0 if (reading.cell.value or 0.0) * reading.value >= 0 else -1.0
    place = replace(reading.place, column=column, key=reading.statement.table.columns[column].period or "")
    other = replace(reading, value=sign * cell.value * reading.scale, place=place)
    worked = replace(now.worked, value=other.value, inputs=(other,), rivals=())
    return Result(now.book, year_before(now.period), worked)


def _compares(now: Result, before: Result) -> bool:
    """Returns whether both cells are of the same row, and close enough that the change is not a misread scale."""
    ours, theirs = now.worked.inputs, before.worked.inputs
    same = [one.statement is other.statement and one.row == other.row for one, other in zip(ours, theirs, strict=False)]
    if len(ours) != len(theirs) or not all(same) or before.worked.sure < LEAST_SURE:
        return False
    big, small = sorted((abs(now.worked.value), abs(before.worked.value)), reverse=True)
    return small > 0 and big / small <= _FARTHEST


def _relative_change(now: Result, before: Result) -> float | None:
    """Returns the change as a share of the first value, or ``None`` if that was a loss."""
    if before.worked.value <= 0 or now.worked.value <= 0:
        return None
    return (now.worked.value - before.worked.value) / before.worked.value


def _amount_text(result: Result, measure: Measure, language: Language) -> str:
    made: Amount = amount(result, measure, MeasureQuestion((measure,), "value", (result.period,)))
    return made.text(language)
