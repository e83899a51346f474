"""Answers questions for a count (stores, people, aircraft) with the total of a table that counts these things.

Such tables print no unit; the caption or column headings say what they count. If the table lacks a requested year but
the question also names a quarter, that quarter of the year is used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.measures.columns import columns_for
from core.figures.measures.wording import period_text
from core.figures.numbers import natural
from core.figures.records import Candidate, TableEvidence
from core.figures.tables.cell_values import Reading, read, reference
from core.figures.tables.grid import TableGrid, table_grid
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.stems import stems
from core.records.answer import Answer

SURENESS = 0.62
_ASKS = re.compile(
    r"\b(?:number of|how many)\s+(?:[\w.&'’-]+\s+){0,4}?(?P<noun>stores|locations|restaurants|branches|employees|"
    r"aircraft|airplanes|warehouses|clubs|hotels|shops|centers|vehicles)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\bchang|\bincreas|\bdecreas|\bdeclin|\bdrop|\bgrow|\brise|\bfall|\bmore\b|\bfewer\b", re.IGNORECASE
)
_END, _BEGINNING = re.compile(r"\bend\b|ending", re.IGNORECASE), re.compile(r"\bbegin|\bopened|\bclosed", re.IGNORECASE)
_LONGEST = 120


@dataclass(frozen=True)
class _Counts:
    sheet: TableGrid
    readings: tuple[Reading, ...]
    keys: tuple[str, ...]


def answer_from_counts(question: AnalysedQuestion, tables: Sequence[TableEvidence]) -> list[Candidate]:
    """Returns at most one candidate: the total for each requested period, and the change between them."""
    found = _ASKS.search(question.focus or question.text)
    if not found or len(question.periods) < 2 or not _CHANGE.search(question.focus or question.text):
        return []
    noun = frozenset(stems(found["noun"]))
    for each in tables:
        if each.origin.may_be_by(question.entities) and (counts := _noun_counts(each, noun, question.periods)):
            return [_total_candidate(question, found["noun"], counts)]
    return []


def _noun_counts(evidence: TableEvidence, noun: frozenset[str], periods: Sequence[str]) -> _Counts | None:
    table = evidence.table
    heads = " ".join(part for column in table.columns for part in column.header)
    if table.currency or not noun <= frozenset(stems(f"{table.caption or ''} {heads}")):
        return None
    sheet = table_grid(evidence)
    totals = [row for row in sheet.rows if row.is_total and row.has_figures]
    if not totals:
        return None
    keys = _ordered_periods(periods)
    columns = [_column(evidence, key) for key in keys]
    readings = [read(sheet, (totals[-1].index, column)) for column in columns if column is not None]
    kept = tuple(each for each in readings if each is not None)
    return _Counts(sheet, kept, keys) if len(kept) == len(keys) else None


def _ordered_periods(periods: Sequence[str]) -> tuple[str, ...]:
    """Returns the periods, earlier ones first; a year that is named together with a quarter means the same quarter of
    that year."""
    part = next((each[4:] for each in periods if "-Q" in each), "")
    return tuple(sorted(f"{each}{part}" if len(each) == len("2031") else each for each in periods))


def _column(evidence: TableEvidence, key: str) -> int | None:
    """Returns the column for the period, preferring its end to its beginning."""
    columns = evidence.table.columns
    same = [number for number, column in enumerate(columns) if column.period == key]
    found = same or [place.column for place in columns_for(evidence.table, key, evidence.origin, stock=True)]
    heads = {number: " ".join(columns[number].header) for number in found}
    left = [number for number in found if not _BEGINNING.search(heads[number])]
    return next((number for number in left if _END.search(heads[number])), next(iter(left), None))


def _total_candidate(question: AnalysedQuestion, noun: str, counts: _Counts) -> Candidate:
    language, origin = question.language, counts.sheet.evidence.origin
    before, now = counts.readings[0], counts.readings[-1]
    moved = now.value - before.value
    share = f" ({natural(moved / before.value * 100, 1)} %)" if before.value else ""
    listed = ", ".join(
        f"{each.text} {period_text(key, language)}" for each, key in zip(counts.readings, counts.keys, strict=True)
    )
    entity = next(iter(question.entities or origin.names), "")
    name = noun[:1].upper() + noun[1:]
    title = {"en": f"{name} of {entity}", "he": f"{name}, {entity}"}[language]
    caption = (counts.sheet.evidence.table.caption or "")[:_LONGEST]
    answer = Answer(
        kind="calculation", line=f"{title}: {listed}; {natural(moved)}{share} [{origin.number}]", value=moved,
        entity=entity, metric=noun, calculation=f"{now.text} − {before.text} = {natural(moved)}",
        cells=[reference(counts.sheet, each.place) for each in counts.readings],
        doubt=message("answering.totals.doubt", caption=caption),
    )  # fmt: skip
    return Candidate(answer, SURENESS, {"counted": 1.0})
