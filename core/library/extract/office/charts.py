"""Converts charts to tables: one row per category (or per point of a scatter chart), one column per series."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.language.detection import detect
from core.language.vocabulary import phrase_of
from core.library.extract.office.chart_data import Chart, Points, Series, chart_of
from core.library.extract.table import table_block
from core.library.extracted import Block
from core.library.tables.periods import period_of
from core.messages import message

_AGAINST = re.compile(rf"(?<=\S)\s(?:{phrase_of('library/extract.charts.against')})\s(?=\S)", re.IGNORECASE)
CHARTS = (
    "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart",
    "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart",
)
"""Elements that refer to a chart part, of the older and of the newer type."""
_MOST_CELLS = 50_000
_MOST_PERIODS = 41
"""Maximum number of rows, including headings, for which periods become columns; longer series keep one row per period.
"""


@dataclass(frozen=True)
class ChartTable:
    """A chart's table. The rows include one heading row; ``above`` are the chart's title and texts with its measure and
    units; ``numbers`` are the values behind the displayed ones; ``series`` names the series if the headings do not."""

    rows: list[list[str]]
    series: str
    above: list[str]
    numbers: frozenset[float]


@dataclass(frozen=True)
class ReadChart:
    """A chart as read. ``is_whole``: everything in it is in its tables; ``sources`` are the cell references of its
    values; ``names`` are the names of its series and axes."""

    title: str
    tables: list[ChartTable]
    is_whole: bool
    sources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The chart's title together with the names of its series and axes."""
        return ": ".join(filter(None, (self.title, "; ".join(self.names))))


UNREAD = ReadChart("", [], is_whole=False)


def chart_tables(xml: bytes, heading: str = "") -> ReadChart:
    """The tables of a chart part; empty if it cannot be read.

    Args:
        heading: the heading above the chart, which may name its axes if the chart does not.
    """
    try:
        chart = chart_of(xml)
    except (ValueError, SyntaxError, LookupError, TypeError, ArithmeticError):
        return UNREAD
    tables: list[ChartTable] = []
    for group in _alike(chart.series):
        table = _points_table(group, chart, heading) if group[0].across else _categories_table(group, chart)
        if table:
            tables.append(table)
    named = [name for each in chart.series for name in (each.name, *each.axes) if name and name != chart.title]
    names = tuple(dict.fromkeys(named))
    return ReadChart(chart.title, tables, chart.is_whole and bool(tables), tuple(chart.sources), names)


def chart_blocks(read: ReadChart, page: int | None = None, sheet: str | None = None) -> list[Block]:
    """The chart's title as a paragraph, then its tables."""
    blocks = [Block(text=read.title, kind="paragraph", page=page, sheet=sheet)] if read.title else []
    for table in read.tables:
        caption = ": ".join(filter(None, (read.title, table.series))) or None
        block = table_block(table.rows, 1, page=page, sheet=sheet, caption=caption, above=table.above)
        if block:
            blocks.append(block)
    return blocks


def _alike(series: Sequence[Series]) -> list[list[Series]]:
    """Group the series with the same categories or x values, which become columns of one table."""
    groups: dict[tuple[object, ...], list[Series]] = {}
    for each in series:
        shared = [each.across] if each.across else each.levels
        key = (each.across is None, *(tuple(sorted(points.texts.items())) for points in shared))
        groups.setdefault(key if each.sizes is None else (id(each),), []).append(each)
    return list(groups.values())


def _categories_table(group: Sequence[Series], chart: Chart) -> ChartTable | None:
    levels = group[0].levels
    count = max([each.values.count for each in group] + [level.count for level in levels])
    heads = [_head(each, group, chart) for each in group]
    across = group[0].axes[0]
    shares = group[0].shares if len(group) == 1 else {}
    rows = [[across, *heads, *([_word("share", heads)] if shares else [])]]
    for place in range(min(count, _MOST_CELLS // (len(group) + 1))):
        cells = [each.values.texts.get(place, "") for each in group]
        cells += [shares.get(place, "")] if shares else []
        label = ", ".join(filter(None, (level.texts.get(place, "") for level in levels)))
        if label or any(cells):
            rows.append([label or str(place + 1), *cells])
    if 1 < len(rows) <= _MOST_PERIODS and all(period_of(row[0]) for row in rows[1:]):
        # Periods become column headings, as in a financial statement, so that each row has its measure's name.
        rows = [list(column) for column in zip(*rows, strict=True)]
    return _table(rows, group, chart)


def _points_table(group: Sequence[Series], chart: Chart, heading: str) -> ChartTable | None:
    """One row per point: x, y, and in bubble charts the size."""
    first = group[0]
    across = first.across or Points()
    named = _named_axes(chart.title) or _named_axes(heading) or ("", "")
    x_name = first.axes[0] or named[1] or "x"
    y_name = first.axes[1] or named[0]
    heads = [y_name or first.name or "y"] if len(group) == 1 else [each.name or y_name or "y" for each in group]
    rows = [[x_name, *heads, *([_word("size", heads)] if first.sizes else [])]]
    count = max([across.count, *(each.values.count for each in group)])
    for place in range(min(count, _MOST_CELLS // (len(group) + 1))):
        cells = [each.values.texts.get(place, "") for each in group]
        cells += [first.sizes.texts.get(place, "")] if first.sizes else []
        if any(cells):
            rows.append([across.texts.get(place, "") or str(place + 1), *cells])
    return _table(rows, group, chart, "" if len(group) > 1 or first.name in heads else first.name)


def _word(name: str, heads: Sequence[str]) -> str:
    """The heading of a column that the chart does not name, in the language of the other headings."""
    return message(f"library.inserted.chart_{name}").to(detect(" ".join(heads)))


def _table(rows: list[list[str]], group: Sequence[Series], chart: Chart, name: str = "") -> ChartTable | None:
    if len(rows) < 2 or not any(any(row[1:]) for row in rows[1:]):
        return None
    measures = {each.axes[1] for each in group}
    above = [chart.title, *(measures if len(measures) == 1 else ())]
    numbers = frozenset(number for each in group for number in each.values.numbers.values())
    return ChartTable(rows, name, [text for text in dict.fromkeys(above) if text], numbers)


def _head(series: Series, group: Sequence[Series], chart: Chart) -> str:
    """The measure's name: the series' name, with its axis if the axes differ; a series without a name gets the axis' or
    chart's title."""
    axis = series.axes[1]
    if not series.name:
        return axis or (chart.title if len(group) == 1 else "")
    if series.name.lower() in axis.lower():
        return axis
    return f"{series.name} ({axis})" if axis and len({each.axes[1] for each in group}) > 1 else series.name


def _named_axes(title: str) -> tuple[str, str] | None:
    """Returns ("price", "distance") from "Price against distance"."""
    parts = _AGAINST.split(title.strip())
    return (parts[0], parts[1]) if len(parts) == 2 and all(parts) else None
