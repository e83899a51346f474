"""Infers the scale of tables that do not print it (thousands or millions) from figures in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.figures.records import TableEvidence, TextEvidence
from core.language.vocabulary import numbers_of, pattern_of
from core.library.tables.records import Table

_NAMED = pattern_of("answering/tables.scale_from_text.named")
_SCALES = numbers_of("answering/tables.scale_from_text.scales")
_POSSIBLE = {1e3: "in thousands", 1e6: "in millions"}
_LEAST_AGREEING = 2
"""Minimum number of figures that must match, since a single one may match by chance."""
_LEAST_DIGITS = 100.0
_LEAST_USUAL, _MOSTLY = 5, 0.7
"""A scale counts as that of the whole document if at least this number of tables state one, and this share of them the
same."""
_MOST_IN_SCALE = 1e6
_COUNTED = pattern_of("answering/tables.scale_from_text.counted")


def scaled(tables: Sequence[TableEvidence], texts: Sequence[TextEvidence]) -> tuple[TableEvidence, ...]:
    """Returns ``tables`` with the scale that their document's text supports, if they print none: "$45.0 million" and a
    row of 45,007 mean thousands."""
    named: dict[str, set[tuple[float, float]]] = {}
    for text in texts:
        if not text.is_table:
            named.setdefault(text.origin.document_id, set()).update(_scaled_figures(text.text))
    return tuple(replace(each, table=_scaled(each.table, named.get(each.origin.document_id, set()))) for each in tables)


def with_usual_scale(tables: Sequence[TableEvidence], whole: Sequence[TableEvidence]) -> tuple[TableEvidence, ...]:
    """Returns ``tables`` with the scale that is usual in their document, if they contain money and print no scale;
    ``whole`` are all tables of these documents."""
    usual = {each.origin.document_id: 1.0 for each in tables}
    for document_id in usual:
        counts = Counter(
            each.table.scale for each in whole if each.origin.document_id == document_id and _names_units(each.table)
        )
        scale, count = counts.most_common(1)[0] if counts else (1.0, 0)
        if count >= _LEAST_USUAL and count >= _MOSTLY * counts.total():
            usual[document_id] = scale
    return tuple(
        replace(each, table=_of_scale(each.table, usual[each.origin.document_id])) if _is_money(each.table) else each
        for each in tables
    )


def _names_units(table: Table) -> bool:
    return bool(table.units) and table.currency is not None


def _is_money(table: Table) -> bool:
    bare = not table.units and table.scale == 1.0 and not any(column.scale for column in table.columns)
    return bare and any(cell.currency for row in table.rows for cell in row.cells) and not _counts_things(table)


def _of_scale(table: Table, scale: float) -> Table:
    """Applies the scale, unless figures would become implausibly large: then the table is unscaled."""
    largest = max((abs(cell.value) for row in table.rows for cell in row.cells if cell.value is not None), default=0.0)
    fits = scale in _POSSIBLE and largest < _MOST_IN_SCALE
    return table.model_copy(update={"scale": scale, "units": _POSSIBLE[scale]}) if fits else table


def _counts_things(table: Table) -> bool:
    """Returns whether the table counts things; such figures are never in thousands."""
    heads = " ".join(part for column in table.columns for part in column.header)
    return bool(_COUNTED.search(" ".join((table.caption or "", table.stub or "", heads))))


def _scaled(table: Table, named: set[tuple[float, float]]) -> Table:
    if table.units or table.scale != 1.0 or not named or any(column.scale for column in table.columns):
        return table
    if _counts_things(table):
        return table
    values = {
        abs(cell.value)
        for row in table.rows
        for cell in row.cells
        if cell.value is not None and cell.kind != "share" and abs(cell.value) >= _LEAST_DIGITS
    }
    agreeing = {
        scale: sum(any(abs(value * scale - figure) <= spare for value in values) for figure, spare in named)
        for scale in (1.0, *_POSSIBLE)
    }
    best = max(_POSSIBLE, key=lambda scale: agreeing[scale])
    if agreeing[best] < _LEAST_AGREEING or agreeing[best] <= agreeing[1.0]:
        return table
    return table.model_copy(update={"scale": best, "units": _POSSIBLE[best]})


def _scaled_figures(text: str) -> Iterable[tuple[float, float]]:
    """Yields (unscaled value, half a unit of the last printed digit) for every figure with a stated scale."""
    for found in _NAMED.finditer(text):
        decimals, scale = found["decimals"] or "", _SCALES[found["scale"].lower()]
        yield float(found["digits"].replace(",", "")) * scale, 0.5 * scale / 10 ** len(decimals) * 1.001
