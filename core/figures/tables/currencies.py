"""Determines each table column's currency: from its own signs, or else from the table if the column contains money."""

from __future__ import annotations

import re

from core.figures.tables.units_of_measure import currency_of_head, own_unit
from core.language.vocabulary import pattern_of
from core.library.tables.records import Cell, Table
from core.library.tables.units import currency_in

_COUNT_HEADS = pattern_of("answering/tables.cell_values.count_heads")
_MONEY_HEADS = pattern_of("answering/tables.cell_values.money_heads")
_LEAST_KINDS = 2
_CURRENCY_HEAD = re.compile(r"[._ ]?currency$")


def column_currencies(table: Table) -> tuple[str | None, ...]:
    """Returns for each column the first currency printed in one of its cells, else the one in its heading, else the
    table's, unless its heading shows that it counts something. A list of mixed items has no currency.

    If the table does not state its currency and only few columns print one, that currency applies to columns for
    periods and to those whose heading names money.
    """
    if _is_unlike(table):
        return (None,)
    named = [currency_of_head(" ".join(column.header)) for column in table.columns]
    printed = [head or cell for head, cell in zip(named, _printed(table), strict=True)]
    filled = [place for place in range(len(printed)) if _has_figures(table, place)]
    mostly = 2 * sum(printed[place] is not None for place in filled) > len(filled)
    declared = bool(currency_in(table.units or "")) or mostly
    return tuple(
        own or (table.currency if _may_be_money(table, place, declared) else None) for place, own in enumerate(printed)
    )


def currency_beside(table: Table, row: int, column: int) -> str | None:
    """Returns the currency that another cell of the row states for this one: ``sold.currency`` next to ``sold``, or a
    column called currency."""
    head = " ".join(table.columns[column].header).lower()
    for place, other in enumerate(table.columns):
        name = " ".join(other.header).lower()
        if _CURRENCY_HEAD.search(name) and place < len(table.rows[row].cells):
            about = _CURRENCY_HEAD.sub("", name)
            if about == head or (not about and _MONEY_HEADS.search(head)):
                return currency_of_head(f"({table.rows[row].cells[place].text})")
    return None


def _is_unlike(table: Table) -> bool:
    """Returns whether the only column of a table mixes kinds of values: a rate, a date, amounts in different
    currencies. Then one row's unit does not apply to the next."""
    if len(table.columns) != 1 or table.columns[0].period or currency_in(table.units or ""):
        return False
    if currency_of_head(" ".join(table.columns[0].header)):
        return False
    cells = [row.cells[0] for row in table.rows if row.cells and row.cells[0].text]
    return len({kind for cell in cells if (kind := _kind(cell))}) >= _LEAST_KINDS


def _kind(cell: Cell) -> str | None:
    """Returns the kind of value that a cell shows; ``None`` for a plain number."""
    if cell.currency:
        return cell.currency
    if cell.kind in ("share", "date"):
        return cell.kind
    return own_unit(cell.text) or ("text" if cell.kind == "text" and any(map(str.isdigit, cell.text)) else None)


def _may_be_money(table: Table, place: int, declared: bool) -> bool:
    column = table.columns[place]
    head = " ".join(column.header)
    if currency_in(column.unit or head):
        return True
    if _COUNT_HEADS.search(head) and not _MONEY_HEADS.search(head):
        return False
    return declared or column.period is not None or not head or bool(_MONEY_HEADS.search(head))


def _printed(table: Table) -> list[str | None]:
    found: list[str | None] = [None] * len(table.columns)
    open_columns = set(range(len(found)))
    for row in table.rows:
        for place in tuple(open_columns):
            if place < len(row.cells) and row.cells[place].currency:
                found[place] = row.cells[place].currency
                open_columns.discard(place)
        if not open_columns:
            break
    return found


def _has_figures(table: Table, place: int) -> bool:
    return any(place < len(row.cells) and row.cells[place].value is not None for row in table.rows)
