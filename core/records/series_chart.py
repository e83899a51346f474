"""Defines the chart of values over time or of several organisations, with the cell of each value."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel

from core.records.cell_reference import CellReference

LEAST_POINTS = 3
"""Least number of values that are drawn."""


class ChartPoint(BaseModel, frozen=True):
    """A value of a chart. ``period`` and ``shown`` are the period and the value in words; ``end`` is the last day.
    Without a ``value`` (and without a ``cell``) it is a gap: nothing may be drawn across it."""

    end: date
    period: str = ""
    value: float | None = None
    shown: str = ""
    cell: CellReference | None = None


class ChartSeries(BaseModel, frozen=True):
    """The values of one organisation, in time order."""

    name: str
    points: list[ChartPoint]


class SeriesChart(BaseModel, frozen=True):
    """A chart. With ``over_time`` each series is a line, otherwise each has one bar. ``unit`` is the unit of all
    values, such as "USD million"; it is ``%`` for percentages, which are held as fractions. ``sources`` are titles of
    documents."""

    title: str
    measure: str
    over_time: bool
    unit: str
    series: list[ChartSeries]
    sources: list[str] = []
