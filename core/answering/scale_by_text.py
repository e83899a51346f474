"""The scale of tables that do not print it: figures that the text names in words → thousands or millions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answering.records import TableEvidence, TextEvidence
from core.library.tables.records import Table

_NAMED = re.compile(
    r"(?P<digits>\d[\d,]*(?:\.(?P<decimals>\d+))?) (?P<scale>million|billion|מיליון|מיליארד)(?!\w)", re.IGNORECASE
)
_SCALES = {"million": 1e6, "billion": 1e9, "מיליון": 1e6, "מיליארד": 1e9}
_POSSIBLE = {1e3: "in thousands", 1e6: "in millions"}
_LEAST_AGREEING = 2
"""One figure may agree by chance."""
_LEAST_DIGITS = 100.0


def scaled(tables: Sequence[TableEvidence], texts: Sequence[TextEvidence]) -> tuple[TableEvidence, ...]:
    """``tables`` with the scale that the text of their document bears out, where they print none: "$45.0 million"
    beside a row of 45,007 says thousands."""
    named: dict[str, set[tuple[float, float]]] = {}
    for text in texts:
        if not text.is_table:
            named.setdefault(text.origin.document_id, set()).update(_figures(text.text))
    return tuple(replace(each, table=_scaled(each.table, named.get(each.origin.document_id, set()))) for each in tables)


def _scaled(table: Table, named: set[tuple[float, float]]) -> Table:
    if table.units or table.scale != 1.0 or not named or any(column.scale for column in table.columns):
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


def _figures(text: str) -> Iterable[tuple[float, float]]:
    """(value in ones, half of the last digit printed) of every figure that is named with its scale."""
    for found in _NAMED.finditer(text):
        decimals, scale = found["decimals"] or "", _SCALES[found["scale"].lower()]
        yield float(found["digits"].replace(",", "")) * scale, 0.5 * scale / 10 ** len(decimals) * 1.001
