"""Figures of a document for its summary: *its statements* → value, unit, period and change against the year before.

They are read from the rows of its statements, never from running text; one that is in doubt is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.answer import CellReference
from core.answering.measures.amounts import Amount, ratio
from core.answering.measures.asked import Asked, Measure
from core.answering.measures.columns import newest_year, year_before
from core.answering.measures.formulas import Term
from core.answering.measures.readings import Reading, readings
from core.answering.measures.results import Result, amount, results
from core.answering.measures.statements import Book, books_of
from core.answering.measures.telling import name_of, references, when
from core.graph.actions.summary.matter import Matter
from core.graph.actions.summary.shapes import line
from core.language.fields import figures as vocabulary
from core.words import Language

LEAST_SURE = 0.66
_MOST_PER_SHARE = 1_000.0
_COUNTS_SHARES = re.compile(r"weighted|shares? outstanding|number of|ממוצע משוקלל|מספר המניות", re.IGNORECASE)
_FARTHEST = 20.0
"""A change of more than twentyfold is a misread scale rather than a change."""


@dataclass(frozen=True)
class FigureLine:
    """``text`` without its citation; the cells are those that it stands on."""

    text: str
    cells: tuple[CellReference, ...]


def figure_lines(matter: Matter, keys: Sequence[str], most: int, language: Language) -> list[FigureLine]:
    """The first ``most`` of ``keys`` that the statements of the document state for its own period."""
    if matter.about is None or not matter.about.tables:
        return []
    (book,) = books_of(matter.about.tables)
    found = _at_best_period(book, matter.periods or _newest(book), keys)
    return [_told(book, key, result, language) for key, result in list(found.items())[:most]]


def _at_best_period(book: Book, periods: Sequence[str], keys: Sequence[str]) -> dict[str, Result]:
    """The period of its own for which most of them are stated; what is missing there is taken from the others."""
    stated = {period: dict(_stated(book, keys, period)) for period in periods}
    order = sorted(periods, key=lambda period: -len(stated[period]))
    merged: dict[str, Result] = {}
    for key in keys:
        for period in order:
            if key in stated[period]:
                merged.setdefault(key, stated[period][key])
    return merged


def _newest(book: Book) -> list[str]:
    newest = newest_year((each.table for each in book.statements if each.likeness), book.origin)
    return [newest] if newest else []


def _stated(book: Book, keys: Sequence[str], period: str) -> Iterator[tuple[str, Result]]:
    for key in keys:
        found = next(iter(results([book], _measure(key), period)), None)
        if found is not None and not _is_so(found, key):
            found = _next_row(found, key)
        if found is not None and found.worked.sure >= LEAST_SURE and _has_unit(found, key):
            yield key, found


def _next_row(found: Result, key: str) -> Result | None:
    """The best reading that can be the figure, where the first cannot."""
    for reading in readings(found.book, key, vocabulary()[key], found.period):
        other = _of_reading(found, reading)
        if _is_so(other, key):
            return other
    return None


def _of_reading(found: Result, reading: Reading) -> Result:
    """The same of another cell."""
    worked = replace(found.worked, value=reading.value, sure=reading.score, inputs=(reading,), rivals=())
    return replace(found, worked=worked)


def _measure(key: str) -> Measure:
    figure = vocabulary()[key]
    return Measure(Term(key, figure), key, key, figure.unit)


def _has_unit(result: Result, key: str) -> bool:
    """A sum without a currency could be of anything."""
    return vocabulary()[key].unit == "%" or all(reading.currency for reading in result.worked.inputs)


def _is_so(result: Result, key: str) -> bool:
    """Whether it can be the figure: "Diluted" also heads how many shares there are."""
    if vocabulary()[key].unit != "per share":
        return True
    reading = result.worked.inputs[0]
    row = reading.statement.table.rows[reading.row]
    said = " ".join((*row.parents, row.label))
    return abs(result.worked.value) < _MOST_PER_SHARE and not _COUNTS_SHARES.search(said)


def _told(book: Book, key: str, now: Result, language: Language) -> FigureLine:
    measure = _measure(key)
    before = _before(book, measure, now)
    name = _name(measure, now, language)
    parts = {"name": name, "when": when(measure, now.period, language), "value": _text(now, measure, language)}
    if before is None:
        return FigureLine(line("alone", language, **parts), tuple(references([now])))
    parts |= {"before": _text(before, measure, language), "earlier": when(measure, before.period, language)}
    moved = _moved(now, before)
    shown = ratio(abs(moved), "%", None).text(language) if moved is not None else ""
    way = "after" if moved is None else "level" if _is_level(moved) else "up" if moved > 0 else "down"
    return FigureLine(line(way, language, change=shown, **parts), tuple(references([now, before])))


def _name(measure: Measure, result: Result, language: Language) -> str:
    reading = result.worked.inputs[0]
    row = reading.statement.table.rows[reading.row]
    if measure.unit == "per share" and "dilut" in " ".join((*row.parents, row.label)).lower():
        return line("diluted", language)
    name = name_of(measure, language)
    return name[:1].upper() + name[1:]


def _before(book: Book, measure: Measure, now: Result) -> Result | None:
    """The same a year earlier, where the same row states it."""
    paired = _beside(now)
    if paired is not None:
        return paired if _compares(now, paired) else None
    earlier = year_before(now.period)
    found = next(iter(results([book], measure, earlier)), None)
    if found is not None and _compares(now, found):
        return found
    one = now.worked.inputs[0]
    for reading in readings(book, measure.key, vocabulary()[measure.key], earlier) if len(now.worked.inputs) == 1 else ():
        if reading.statement is one.statement and reading.row == one.row:
            other = replace(_of_reading(now, reading), period=earlier)
            return other if _compares(now, other) else None
    return None


def _beside(now: Result) -> Result | None:
    """Of a table that sets two years beside each other again and again (three months, twelve months), the cell beside
    it: headings over both are often read over one of them alone."""
    reading = now.worked.inputs[0]
    table = reading.statement.table
    row = table.rows[reading.row]
    dated = [
        (number, int(column.period[:4]))
        for number, column in enumerate(table.columns)
        if column.period and row.cells[number].value is not None
    ]
    years = [year for _, year in dated]
    pairs = len(years) // 2
    if len(now.worked.inputs) > 1 or pairs < 2 or len(years) % 2 or years != years[:2] * pairs:
        return None
    at = next((place for place, (number, _) in enumerate(dated) if number == reading.place.column), None)
    if at is None or years[at ^ 1] != years[at] - 1:
        return None
    column = dated[at ^ 1][0]
    sign = 1.0 if (reading.cell.value or 0.0) * reading.value >= 0 else -1.0
    value = sign * (row.cells[column].value or 0.0) * reading.scale
    other = replace(reading, value=value, place=replace(reading.place, column=column, key=str(years[at ^ 1])))
    return Result(now.book, year_before(now.period), replace(now.worked, value=value, inputs=(other,), rivals=()))


def _compares(now: Result, before: Result) -> bool:
    """Whether both are of one table and scale, so that the change is the document's own."""
    ours, theirs = now.worked.inputs, before.worked.inputs
    same = [one.statement is other.statement and one.row == other.row for one, other in zip(ours, theirs, strict=False)]
    spans = [_span(one.place.key) == _span(other.place.key) for one, other in zip(ours, theirs, strict=False)]
    if len(ours) != len(theirs) or not all(same) or not all(spans) or before.worked.sure < LEAST_SURE:
        return False
    big, small = sorted((abs(now.worked.value), abs(before.worked.value)), reverse=True)
    return small > 0 and big / small <= _FARTHEST


def _span(key: str) -> str:
    """ "2022-Q1" → "-Q", "2022" → "": of how long a time a column is."""
    return re.sub(r"\d", "", key)[:2]


def _moved(now: Result, before: Result) -> float | None:
    """As a share of the first; none where that was a loss, of which no share is taken."""
    if before.worked.value <= 0 or now.worked.value <= 0:
        return None
    return (now.worked.value - before.worked.value) / before.worked.value


def _is_level(moved: float) -> bool:
    return abs(moved) < 0.0005


def _text(result: Result, measure: Measure, language: Language) -> str:
    made: Amount = amount(result, measure, _asked(measure, result.period))
    return made.text(language)


def _asked(measure: Measure, period: str) -> Asked:
    return Asked((measure,), "value", (period,))
