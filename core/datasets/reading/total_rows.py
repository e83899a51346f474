"""Finds the rows of a table that sum up other rows, and rows that repeat the headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.datasets.reading.cell_kinds import kind_of, shown
from core.datasets.reading.layout import Region, rows_of
from core.datasets.reading.staging import RawSheet, quoted
from core.datasets.records import ROW, TotalRow
from core.language.total_labels import is_bare_total, is_called_total
from core.language.vocabulary import phrase_of
from core.library.tables.cells import cell
from core.library.tables.total_rows import is_sum

if TYPE_CHECKING:
    import duckdb

_MOST = 5_000
_LEAST_SUMMED, _MOST_SUMMED = 4, 2_000
"""Number of rows of a table whose last row is compared with the sums of the others."""
_LABELS = 3
"""Number of first columns of texts in which the label of a total is looked for."""
_BARE = phrase_of("library/tables.total_rows.bare")
_WORD = quoted(rf"(?i)^[^\pL]*(?:[^\s]{{0,12}}[\s-]?)?(?:{_BARE})(?:[^\pL].*)?$|[\s-](?:{_BARE})[^\pL]*$")


def total_rows(database: duckdb.DuckDBPyConnection, sheet: RawSheet, region: Region) -> list[TotalRow]:
    """Returns the rows whose label says that they are totals and whose other texts are empty."""
    texts = _text_columns(region)
    if not texts:
        return []
    labels = " OR ".join(f"regexp_matches(v{place}, {_WORD})" for place in texts[:_LABELS])
    last = f"{ROW} = (SELECT max({ROW}) FROM {sheet.source} WHERE {ROW} <= {region.last})"
    where = f"{ROW} BETWEEN {region.first} AND {region.last} AND ({labels} OR {last}) AND {ROW} <> {region.first}"
    found = rows_of(database, sheet, where)[:_MOST]
    totals = {number: cells for number, cells in found if _is_total(cells, region, texts)}
    if found and found[-1][0] not in totals and (sums := _last_if_sum(database, sheet, region, set(totals))):
        totals |= sums
    return [
        TotalRow(row=number, cells=tuple(shown(cells[place]) for place in region.columns))
        for number, cells in sorted(totals.items())
    ]


def _last_if_sum(
    database: duckdb.DuckDBPyConnection, sheet: RawSheet, region: Region, totals: set[int]
) -> dict[int, tuple[str, ...]]:
    """Returns the last row of a short table if its numbers are the sums of the rows above, whatever its label says, and
    if it leaves other cells empty that most rows fill."""
    where = f"{ROW} BETWEEN {region.first} AND {region.last}"
    rows = [row for row in rows_of(database, sheet, where) if row[0] not in totals]
    if not _LEAST_SUMMED <= len(rows) <= _MOST_SUMMED:
        return {}
    number, last = rows[-1]
    usual = [place for place in region.columns if 2 * sum(bool(cells[place]) for _, cells in rows) > len(rows)]
    if all(last[place] for place in usual):
        return {}
    parts = [[cell(shown(cells[place])) for place in region.columns] for _, cells in rows[:-1]]
    return {number: last} if is_sum([cell(shown(last[place])) for place in region.columns], parts) else {}


def repeated_headings(database: duckdb.DuckDBPyConnection, sheet: RawSheet, region: Region) -> list[int]:
    """Returns the rows that repeat the last heading row, as a printout of several pages has them."""
    if not region.heads:
        return []
    names = region.heads[-1][1]
    given = [f"v{place} = {quoted(names[place])}" for place in region.columns if place < len(names) and names[place]]
    if len(given) < 2:
        return []
    where = f"{ROW} BETWEEN {region.first} AND {region.last} AND {' AND '.join(given)}"
    return [number for number, _ in rows_of(database, sheet, where)[:_MOST]]


def _text_columns(region: Region) -> list[int]:
    """The columns whose cells are mostly texts, and the first column."""
    texts = []
    for place in region.columns:
        kinds = [kind_of(cells[place]) for _, cells in region.sample if place < len(cells)]
        words = sum(kind == "text" for kind in kinds)
        if words and words >= sum(kind in ("number", "period") for kind in kinds):
            texts.append(place)
    first = region.columns[0]
    return texts if first in texts else [first, *texts]


def _is_total(cells: tuple[str, ...], region: Region, texts: list[int]) -> bool:
    filled = [place for place in region.columns if cells[place]]
    if not filled:
        return False
    label = shown(cells[filled[0]])
    words = label.split()
    is_named = is_called_total(label) or any(map(is_bare_total, (*words[:1], *words[-1:])))
    if filled[0] not in texts[:_LABELS] or not is_named:
        return False
    if not any(kind_of(cells[place]) in ("number", "period") for place in filled[1:]):
        return False
    others = [place for place in region.columns if place != filled[0] and _is_usual(region, place)]
    blank = sum(not cells[place] for place in others)
    if others:
        return 2 * blank >= len(others)
    return is_bare_total(label) or len(region.sample) < 2


def _is_usual(region: Region, place: int) -> bool:
    """Whether a column has texts, dates or codes in most rows, which a total leaves empty."""
    kinds = [kind_of(cells[place]) for _, cells in region.sample if place < len(cells)]
    filled = sum(kind in ("text", "date") for kind in kinds)
    return 2 * filled > len(kinds)
