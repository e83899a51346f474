"""Builds a table from a grid of cells: headings, units, periods, row labels with their parents, typed cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.language.vocabulary import pattern_of
from core.library.tables.cells import cell as typed
from core.library.tables.cells import is_date, is_figure, is_nil, is_no_figure
from core.library.tables.grid import Grid, RawRow
from core.library.tables.head_units import Named, common_units, is_called_unit, is_row_of_units, own_units
from core.library.tables.heads import count_heads, flattened, joined, levels
from core.library.tables.labels import parents_of, unwrapped
from core.library.tables.periods import period_of
from core.library.tables.records import Cell, Column, Row, Table
from core.library.tables.units import Units, is_units, last_units, units_in

_CONTINUED = pattern_of("library/tables.build.continued")
_UNTIMED = pattern_of("library/tables.build.untimed")
_LONGEST_CAPTION = 300
_JUDGED = 1_000
"""About this many rows, spread over a long table, decide the types of its columns."""
_EMPTY = Cell()


def build(grid: Grid, wrapped: bool = False) -> Table | None:
    """The table; ``None`` if no row remains.

    Args:
        wrapped: labels may continue over several grid rows, as on a page.
    """
    if not grid.rows:
        return None
    count = count_heads(grid)
    heads, body = grid.rows[:count], grid.rows[count:]
    if wrapped:
        body = unwrapped(body, _full_label(body))
    body = [_with_label(row) for row in body]
    caption_lines, stub_lines, heads = _split_heads(grid, heads)
    columns_raw = levels(grid, heads)
    says_units = bool(heads) and is_row_of_units(heads[-1])
    heading = [_heading(named, says_units) for named in columns_raw]
    units = common_units(columns_raw, [*caption_lines, *stub_lines]) or _units_above(grid.above)
    own = own_units(columns_raw, units, says_units)
    stub = " ".join(dict.fromkeys(filter(None, map(_without_units, stub_lines)))) or None
    caption = _caption([*([grid.caption] if grid.caption else []), *caption_lines])
    columns = [
        Column(header=head, period=_period(head, stub), unit=unit, scale=scale)
        for head, (unit, scale) in zip(heading, own, strict=True)
    ]
    rows = _typed_rows(grid, body, columns)
    if not rows:
        return None
    columns = _with_common_period(columns, rows, [caption or "", *grid.above[-3:]], grid.sheet)
    return Table(
        caption=caption,
        stub=stub,
        units=units.printed if units else None,
        scale=(units.scale if units else None) or 1.0,
        currency=(units.currency if units else None) or _currency(rows),
        columns=columns,
        rows=rows,
        notes=grid.beneath,
        page=rows[0].page,
        page_end=rows[-1].page,
        sheet=grid.sheet,
    )


def _heading(named: Named, says_units: bool) -> list[str]:
    """The levels of a column's heading; units that only its own lowest level gives are a separate level."""
    parts = [part for part in named if not is_units(part[0])]
    if says_units and len(parts) > 1 and parts[-1] == named[-1]:
        return [*flattened(parts[:-1]), parts[-1][0]]
    return flattened(parts)


def _split_heads(grid: Grid, heads: Sequence[RawRow]) -> tuple[list[str], list[str], list[RawRow]]:
    """Splits the first rows into (lines above the whole table, lines above the labels, rows that name columns)."""
    caption: list[str] = []
    stub: list[str] = []
    rest: list[RawRow] = []
    for row in heads:
        whole = [cell for cell in row.cells if cell.start == 0 and cell.end >= grid.width > 2]
        if whole and len(row.cells) == 1:
            caption.append(whole[0].text)
            continue
        label = row.label
        if label and not row.figures and not rest and not is_units(label):
            caption.append(label)
            continue
        if label:
            stub.append(label)
        if row.figures:
            rest.append(row)
    return caption, stub, rest


def _with_label(row: RawRow) -> RawRow:
    """Make a single text among the number columns a heading of the rows below."""
    if row.label or len(row.cells) != 1 or is_figure(row.cells[0].text) or is_no_figure(row.cells[0].text):
        return row
    return RawRow([replace(row.cells[0], start=0, end=1)], row.indent, row.page)


def _full_label(rows: Sequence[RawRow]) -> float:
    longest = max((len(row.label) for row in rows), default=0)
    return max(24.0, 0.72 * longest)


def _units_above(above: Sequence[str]) -> Units | None:
    """The units from the nearest lines; a sentence may continue over several lines."""
    for line in reversed(above[-3:]):
        if is_units(line) and (units := units_in(line)) and units.scale:
            return units
    return last_units(" ".join(above))


def _without_units(text: str) -> str:
    return "" if is_units(text) or is_called_unit(text) else " ".join(text.split())


def _caption(lines: Sequence[str]) -> str | None:
    found: list[str] = []
    for line in lines:
        clean = _CONTINUED.sub("", " ".join(line.split()))
        if clean and not is_units(clean) and clean not in found:
            found.append(clean)
    return " · ".join(found)[:_LONGEST_CAPTION] or None


def _period(head: Sequence[str], stub: str | None) -> str | None:
    text = joined(head)
    own = period_of(text)
    if own and len(own) == 4 and stub and _UNTIMED.search(stub):
        return period_of(f"{stub} {text}") or own
    return own


def _typed_rows(grid: Grid, body: Sequence[RawRow], columns: Sequence[Column]) -> list[Row]:
    numeric = [_is_numeric(body, column) for column in range(1, grid.width)]
    parents = parents_of(body)
    measured = next((place for place, each in enumerate(columns) if is_called_unit(" ".join(each.header))), None)
    rows: list[Row] = []
    for raw, above in zip(body, parents, strict=True):
        cells = _typed_cells(raw, numeric)
        period = period_of(raw.label) or next((p for p in map(period_of, reversed(above)) if p), None)
        if any(column.period for column in columns) and not _is_time(raw.label):
            period = None
        units = units_in(raw.label) if "(" in raw.label or "%" in raw.label else None
        beside = cells[measured].text if measured is not None and cells[measured].kind == "text" else None
        rows.append(
            Row(
                label=raw.label,
                parents=above,
                cells=cells,
                unit=units.printed if units else beside,
                period=period,
                page=raw.page,
            )
        )
    return rows


def _is_time(label: str) -> bool:
    """Whether a label is little more than a date; rows of years keep their own period."""
    return period_of(label) is not None and len(label.split()) <= 5


def _typed_cells(raw: RawRow, numeric: Sequence[bool]) -> list[Cell]:
    """The typed cells next to the label, one per column; ``numeric``: which columns contain numbers."""
    cells = [_EMPTY] * len(numeric)
    for cell in reversed(raw.cells):
        for column in range(max(cell.start, 1), min(cell.end, len(numeric) + 1)):
            cells[column - 1] = typed(cell.text, numeric[column - 1], cell.box)
    return cells


def _is_numeric(body: Sequence[RawRow], column: int) -> bool:
    sample = body[:: max(1, len(body) // _JUDGED)]
    texts = [text for row in sample if (text := row.text(column))]
    figures = sum(is_figure(text) and not is_nil(text) for text in texts)
    words = sum(not is_figure(text) and not is_no_figure(text) for text in texts)
    return figures > words or (figures == words == 0)


def _currency(rows: Sequence[Row]) -> str | None:
    found = Counter(cell.currency for row in rows for cell in row.cells if cell.currency)
    return found.most_common(1)[0][0] if found else None


def _are_dated(rows: Sequence[Row]) -> bool:
    """Whether a column holds dates, or the labels are dates."""
    sample = rows[:: max(1, len(rows) // _JUDGED)]
    dated = Counter(place for row in sample for place, cell in enumerate(row.cells) if cell.kind == "date")
    labels = sum(is_date(row.label) for row in sample)
    return 2 * max(labels, *dated.values(), 0) > len(sample)


def _with_common_period(
    columns: list[Column], rows: Sequence[Row], lines: Sequence[str], sheet: str | None
) -> list[Column]:
    """Sets one period for a table in which no column or row has one: from the lines above, otherwise from the sheet's
    name. Rows with their own dates are not changed."""
    if any(column.period for column in columns) or any(row.period for row in rows) or _are_dated(rows):
        return columns
    found = {period for line in lines if (period := period_of(line))} or {period_of(sheet or "")} - {None}
    if len(found) != 1:
        return columns
    period = found.pop()
    return [column.model_copy(update={"period": period}) for column in columns]
