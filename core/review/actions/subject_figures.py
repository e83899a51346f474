"""Compares the figures on one subject: takes each document's stored figures; returns rows with pages and changes."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from core.events import Quote, Source
from core.figures.measures.amounts import decimals_of, money, ratio
from core.figures.measures.wording import period_text
from core.figures.panel.spans import prints_day
from core.figures.stored.records import StoredFigure
from core.language.normalisation import fold
from core.language.note_marks import without_note_marks
from core.review.actions.comparison import Cell, Row
from core.review.actions.figure_comparison import StatementLines
from core.review.actions.records import cell_quotes
from core.review.actions.subject import Subject
from core.words import Language

FigureSearch = Callable[[str, str], Awaitable[Sequence[StoredFigure]]]
"""Takes a document's id and a measure in words; returns the document's figures for it, best first."""

MOST_ROWS = 10
MOST_OF_ONE = 2
"""Maximum number of rows that only one of the documents has."""
_QUARTER = re.compile(r"\d{4}-Q[1-4]")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"(?<=[QH])\d")
_MARKS = re.compile(r"(?:\s?(?:[®™*]|\(\d{1,2}\))){1,5}\s?:?$")
_RowName = tuple[str, str, str, str]


def subject_rows(
    sources: Sequence[Source],
    found: Mapping[int, Sequence[StoredFigure]],
    periods: Mapping[int, Sequence[str]],
    subject: Subject,
    language: Language,
) -> StatementLines:
    """Returns a row for each figure that several documents state, or one of them if no figure is in several.

    Args:
        found: the stored figures by source number, best first.
        periods: the periods that each document covers, by source number; its own period is preferred.
    """
    by_row: dict[_RowName, dict[int, StoredFigure]] = {}
    for source in sources:
        own = _own_periods(periods.get(source.number, ()))
        for figure in found.get(source.number, ()):
            if subject.is_in(" ".join((*figure.parents, figure.label, figure.segment))):
                row = by_row.setdefault(_row_name(figure), {})
                known = row.get(source.number)
                if known is None or _fit(figure, own) > _fit(known, own):
                    row[source.number] = figure
    shared = _distinct([row for row in by_row.values() if len(row) > 1])[:MOST_ROWS]
    kept = shared or _distinct(by_row.values())[:MOST_OF_ONE]
    numbered = {source.number: source for source in sources}
    quotes = [quote for row in kept for number, figure in row.items() for quote in _quotes(numbered[number], figure)]
    return StatementLines([_row(row, sources, language) for row in kept], quotes)


def _distinct(rows: Iterable[Mapping[int, StoredFigure]]) -> list[Mapping[int, StoredFigure]]:
    """Returns the rows with different figures; of two with the same ones, the row under a heading says more."""
    found: dict[tuple[tuple[int, float, str], ...], Mapping[int, StoredFigure]] = {}
    for row in rows:
        known = found.setdefault(_amounts(row), row)
        if _has_heading(row) and not _has_heading(known):
            found[_amounts(row)] = row
    return list(found.values())


def _own_periods(periods: Sequence[str]) -> tuple[str, ...]:
    """Returns the quarter of a quarterly report, which also names the months so far; otherwise all periods. The last
    one fits best: a fiscal quarter may have two names, and the tables of other reports use the earlier one."""
    quarters = sorted(period for period in periods if _QUARTER.fullmatch(period))
    return tuple(quarters) or tuple(periods)


def _fit(figure: StoredFigure, own: Sequence[str]) -> int:
    return 1 + own.index(figure.period) if figure.period in own else 0


def _row_name(figure: StoredFigure) -> _RowName:
    """Returns what must be the same in both documents: the labels, the part of the organisation, and the unit."""
    heading = fold(_plain(figure.parents[-1])) if figure.parents else ""
    return fold(_plain(figure.label)), heading, fold(figure.segment), figure.unit


def _plain(label: str) -> str:
    """Returns a label without its note marks and trade marks: "Mac® (1)" is the row "Mac"."""
    return _MARKS.sub("", without_note_marks(label)).strip(" :")


def _has_heading(row: Mapping[int, StoredFigure]) -> bool:
    return all(figure.parents for figure in row.values())


def _amounts(row: Mapping[int, StoredFigure]) -> tuple[tuple[int, float, str], ...]:
    """Returns the row's figures without their signs: other tables may show the same figures as deductions."""
    return tuple((number, abs(figure.value * figure.scale), figure.unit) for number, figure in sorted(row.items()))


def _row(row: Mapping[int, StoredFigure], sources: Sequence[Source], language: Language) -> Row:
    first = next(iter(row.values()))
    name = " · ".join(part for each in (*first.parents[-1:], first.label) if (part := _plain(each)))
    cells = [
        Cell(source.number, _text(row[source.number], language), row[source.number].page)
        if source.number in row
        else Cell(source.number)
        for source in sources
    ]
    return Row(name, cells, _change(row, language) if len(row) == len(sources) == 2 else "")


def _text(figure: StoredFigure, language: Language) -> str:
    if figure.unit or not figure.currency:
        amount = figure.text
    else:
        shown = decimals_of(figure.text)
        amount = money(figure.value * figure.scale, figure.scale, figure.currency, None, shown).text(language)
    by_key = figure.period and not prints_day(figure)
    period = period_text(figure.period, language) if by_key else figure.header
    return f"{amount} ({period})" if period else amount


def _change(row: Mapping[int, StoredFigure], language: Language) -> str:
    """Returns the change in per cent from the earlier period to the later one; empty if it has no meaning."""
    first, last = sorted(row.values(), key=lambda figure: figure.period)
    values = [figure.value * figure.scale for figure in (first, last)]
    alike = (first.unit, first.currency) == (last.unit, last.currency) and first.unit != "%"
    if not alike or min(values) <= 0 or first.period == last.period or _span(first.period) != _span(last.period):
        return ""
    by = values[1] / values[0] - 1
    return f"{'+' if by > 0 else ''}{ratio(by, '%', 1).text(language)}"


def _span(period: str) -> str:
    """Returns what a period's key says about its length: a year is not compared with a half of one."""
    return "day" if _DAY.fullmatch(period) else _NUMBER.sub("", period[4:])


def _quotes(source: Source, figure: StoredFigure) -> list[Quote]:
    if figure.table is None:
        return []
    return list(cell_quotes(source, figure.table, figure.label, figure.text))
