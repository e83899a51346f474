"""In which currency each column of a table is: by its own signs, else by the table's where it is money."""

from __future__ import annotations

from core.language.vocabulary import pattern_of
from core.library.tables.records import Table
from core.library.tables.units import currency_in

_COUNT_HEADS = pattern_of("answering/tables.cell_values.count_heads")
_MONEY_HEADS = pattern_of("answering/tables.cell_values.money_heads")


def column_currencies(table: Table) -> tuple[str | None, ...]:
    """The first currency that a cell of the column prints, else that of the table, unless its head says that it counts.

    Where the table does not say its currency and few columns print one, it is that of columns of periods and of those
    whose head names money.
    """
    printed = _printed(table)
    filled = [place for place in range(len(printed)) if _has_figures(table, place)]
    mostly = 2 * sum(printed[place] is not None for place in filled) > len(filled)
    declared = bool(currency_in(table.units or "")) or mostly
    return tuple(
        own or (table.currency if _may_be_money(table, place, declared) else None) for place, own in enumerate(printed)
    )


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
