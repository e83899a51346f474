"""Reads the data of a chart: *the XML of its part* → its series as drawn, for any chart type.

It uses the values that the program cached in the chart, so it depends neither on the chart's type nor on its workbook.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lxml import etree

from core.library.extract.ooxml import transitional
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.number_formats import is_date_format, shown_number

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_EXTENDED = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_VALUES = (f"{_CHART}val", f"{_CHART}yVal")
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_PIES = frozenset(f"{_CHART}{name}Chart" for name in ("pie", "pie3D", "doughnut", "ofPie"))
_PARAGRAPH = "{http://schemas.openxmlformats.org/drawingml/2006/main}p"
_MOST_POINTS = 20_000
_MOST_SERIES = 250
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
_GENERAL = "General"
_FIRST = re.compile(r"\d{4}-\d\d-01")


@dataclass
class Points:
    """Points of one dimension by position: the displayed texts, and the numbers behind them."""

    texts: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, float] = field(default_factory=dict)
    count: int = 0
    is_read: bool = True
    """Whether every point could be read."""


@dataclass
class Series:
    """A series. ``levels`` are its category levels, the innermost first; ``across`` and ``sizes`` belong to scatter and
    bubble charts; ``axes`` are the titles of its axes, the value axis last; ``shares`` are the percentages that a
    pie chart shows in its labels."""

    name: str = ""
    levels: list[Points] = field(default_factory=list)
    values: Points = field(default_factory=Points)
    across: Points | None = None
    sizes: Points | None = None
    axes: tuple[str, str] = ("", "")
    shares: dict[int, str] = field(default_factory=dict)


@dataclass
class Chart:
    """A chart. ``is_whole``: everything in it was read; ``sources`` are the cell references of its values."""

    title: str = ""
    series: list[Series] = field(default_factory=list)
    is_whole: bool = True
    sources: list[str] = field(default_factory=list)


def chart_of(xml: bytes) -> Chart:
    """The chart in a part with root ``c:chartSpace`` or the newer ``cx:chartSpace``.

    Raises:
        ValueError: the root is neither.
    """
    root = etree.fromstring(transitional(xml), _PARSER)
    if root is not None and root.tag == f"{_EXTENDED}chartSpace":
        return _extended_chart(root)
    if root is None or root.tag != f"{_CHART}chartSpace":
        raise ValueError("no chart")
    dates_1904 = _value(root.find(f"{_CHART}date1904")) not in (None, "0", "false")
    chart = Chart(_title(root.find(f"{_CHART}chart/{_CHART}title")))
    area = root.find(f"{_CHART}chart/{_CHART}plotArea")
    if area is None:
        return Chart(chart.title, is_whole=False)
    axes = _Axes(area)
    for plot in area:
        for element in plot.findall(f"{_CHART}ser")[: _MOST_SERIES - len(chart.series)]:
            chart.series.append(_series(element, plot, axes, dates_1904))
            chart.sources += [
                source.text or "" for values in element.iterchildren(*_VALUES) for source in values.iter(f"{_CHART}f")
            ]
    chart.is_whole = bool(chart.series) and all(each.values.is_read for each in chart.series)
    return chart


class _Axes:
    """Titles and number formats of the axes by their ids."""

    def __init__(self, area: Any) -> None:
        self._titles: dict[str, str] = {}
        self._formats: dict[str, str] = {}
        self._is_value: dict[str, bool] = {}
        for axis in area:
            number = _value(axis.find(f"{_CHART}axId"))
            if number is None or not isinstance(axis.tag, str) or not axis.tag.endswith("Ax"):
                continue
            self._titles[number] = _title(axis.find(f"{_CHART}title"))
            self._formats[number] = _own_format(axis)
            self._is_value[number] = axis.tag == f"{_CHART}valAx"

    def of(self, plot: Any) -> tuple[tuple[str, str], str]:
        """Returns ((title of the category axis or first axis, title of the value axis), number format of values)."""
        ids = [number for each in plot.findall(f"{_CHART}axId") if (number := _value(each)) in self._titles and number]
        values = [number for number in ids if self._is_value[number]]
        last = values[-1] if values else None
        first = next((number for number in ids if number != last), None)
        titles = (self._titles.get(first or "", ""), self._titles.get(last or "", ""))
        return titles, self._formats.get(last or "", "")


def _series(element: Any, plot: Any, axes: _Axes, dates_1904: bool) -> Series:
    titles, axis_format = axes.of(plot)
    labels = next((_own_format(each) for each in (element.find(f"{_CHART}dLbls"), plot.find(f"{_CHART}dLbls"))
                   if each is not None), "")  # fmt: skip
    values, down = element.find(f"{_CHART}val"), element.find(f"{_CHART}yVal")
    series = Series(_series_name(element), axes=titles)
    source = values if values is not None else down
    series.values = _points(source, dates_1904, labels, axis_format)
    if down is not None:
        across = element.find(f"{_CHART}xVal")
        series.across = _points(across, dates_1904) if across is not None else Points()
        sizes = element.find(f"{_CHART}bubbleSize")
        series.sizes = _points(sizes, dates_1904) if sizes is not None else None
    else:
        series.levels = _levels(element.find(f"{_CHART}cat"), dates_1904)
        if plot.tag in _PIES and _shows_shares(element, plot):
            series.shares = _shares(series.values, labels if "%" in labels else "0%")
    return series


def _shows_shares(element: Any, plot: Any) -> bool:
    labels = [each.find(f"{_CHART}dLbls/{_CHART}showPercent") for each in (element, plot)]
    return next((_value(each) in ("1", "true") for each in labels if each is not None), False)


def _shares(values: Points, code: str) -> dict[int, str]:
    """Each value as a share of their sum; empty if the values are shares already."""
    whole = sum(values.numbers.values())
    if whole <= 0 or min(values.numbers.values()) < 0 or any("%" in text for text in values.texts.values()):
        return {}
    return {place: shown_number(number / whole, code) for place, number in values.numbers.items()}


def _series_name(element: Any) -> str:
    name = element.find(f"{_CHART}tx")
    if name is None:
        return ""
    return normalise_line(" ".join(each.text or "" for each in name.iter(f"{_CHART}v")))


def _levels(categories: Any, dates_1904: bool) -> list[Points]:
    """The category levels, the innermost first; an outer category applies until the next one begins."""
    if categories is None:
        return []
    several = next(categories.iter(f"{_CHART}multiLvlStrCache"), None)
    if several is None:
        return [_as_months(_points(categories, dates_1904))]
    return _filled(
        [_points(level, dates_1904) for level in several.findall(f"{_CHART}lvl")],
        _whole(_value(several.find(f"{_CHART}ptCount"))),
    )


def _as_months(points: Points) -> Points:
    """Dates become months if each is the first day of a different month."""
    texts = list(points.texts.values())
    if len(texts) > 1 and len(points.numbers) == len(texts) == len(set(texts)) and all(map(_FIRST.fullmatch, texts)):
        points.texts = {place: f"{date.fromisoformat(text):%B %Y}" for place, text in points.texts.items()}
    return points


def _filled(levels: list[Points], count: int) -> list[Points]:
    count = max([count, *(level.count for level in levels)])
    for number, level in enumerate(levels):
        level.count = count
        for place in range(1, count) if number else ():
            begins = any(place in outer.texts for outer in levels[number + 1 :])
            if place not in level.texts and place - 1 in level.texts and not begins:
                level.texts[place] = level.texts[place - 1]
    return levels


def _points(element: Any, dates_1904: bool, labels: str = "", axis: str = "") -> Points:
    """The cached or literal points below ``element``.

    Args:
        labels, axis: the number formats of the labels and the axis; empty for the source's format.
    """
    points = Points()
    if element is None:
        points.is_read = False
        return points
    source = next((each.text for each in element.iter(f"{_CHART}formatCode")), None) or _GENERAL
    found = list(element.iter(f"{_CHART}pt"))[:_MOST_POINTS]
    for point in found:
        place = _whole(point.get("idx"))
        text = normalise_line("".join(each.text or "" for each in point.findall(f"{_CHART}v")))
        code = point.get("formatCode") or source
        number = _number(text) if element.tag not in (f"{_CHART}lvl",) else None
        if number is not None and next(element.iter(f"{_CHART}strCache", f"{_CHART}strLit"), None) is None:
            points.numbers[place] = number
            text = _shown(number, code, labels, axis, dates_1904)
        if place < _MOST_POINTS:
            points.texts[place] = "" if text.startswith("#") else text
    count = _whole(_value(next(element.iter(f"{_CHART}ptCount"), None)))
    points.count = max([min(count, _MOST_POINTS), *(place + 1 for place in points.texts)])
    points.is_read = bool(found) or (count == 0 and next(element.iter(f"{_CHART}f"), None) is None)
    return points


def _shown(number: float, code: str, labels: str, axis: str, dates_1904: bool) -> str:
    """The displayed text: in the labels' format, unless the data's format is more precise; a percentage on an axis
    keeps all its digits, because axes show rounded ones."""
    if is_date_format(code):
        return shown_number(number, code, dates_1904)
    if labels and _decimals(labels) >= _decimals(code):
        code = labels
    if code.lower() == _GENERAL.lower() and "%" in axis:
        return f"{number * 100:.10g}%"
    whole = int(number) if number.is_integer() and abs(number) < 1e15 else number
    # A format that scales, or hides the value (";;;"), keeps the original value.
    return (shown_number(whole, code, dates_1904) if ",," not in code else "") or shown_number(whole)


def _decimals(code: str) -> int:
    _, point, after = code.partition(";")[0].partition(".")
    return sum(1 for character in after if character in "0#?") if point else 0


def _own_format(element: Any) -> str:
    """The number format of labels or of an axis; empty if it is the source's."""
    found = element.find(f"{_CHART}numFmt")
    if found is None or found.get("sourceLinked") in ("1", "true"):
        return ""
    code = found.get("formatCode") or ""
    return "" if code.lower() == _GENERAL.lower() else code


def _title(element: Any) -> str:
    """The text of a title, typed in or taken from a cell."""
    if element is None:
        return ""
    lines = ["".join(each.text or "" for each in p.iter(_TEXT)) for p in element.iter(_PARAGRAPH)]
    text = normalise_line(" ".join(lines))
    return text or normalise_line(" ".join(each.text or "" for each in element.iter(f"{_CHART}v", f"{_EXTENDED}v")))


def _value(element: Any) -> str | None:
    return element.get("val") if element is not None else None


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else 0


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def _extended_chart(root: Any) -> Chart:
    """A chart of the newer types (waterfall, treemap, funnel …), whose data is stored apart from its series."""
    data = {each.get("id"): each for each in root.iter(f"{_EXTENDED}data")}
    area = root.find(f"{_EXTENDED}chart")
    chart = Chart(_title(area.find(f"{_EXTENDED}title")) if area is not None else "")
    for element in list(root.iter(f"{_EXTENDED}series"))[:_MOST_SERIES]:
        source = data.get(_value(element.find(f"{_EXTENDED}dataId")))
        if source is None:
            continue
        series = Series(_title(element.find(f"{_EXTENDED}tx")))
        for dimension in source.iter(f"{_EXTENDED}strDim"):
            series.levels = _filled(list(_extended_levels(dimension)), 0)
        for dimension in source.iter(f"{_EXTENDED}numDim"):
            series.values = next(_extended_levels(dimension), Points(is_read=False))
            chart.sources += [found.text or "" for found in dimension.findall(f"{_EXTENDED}f")]
        chart.series.append(series)
    chart.is_whole = bool(chart.series) and all(each.values.texts for each in chart.series)
    return chart


def _extended_levels(dimension: Any) -> Iterator[Points]:
    for level in dimension.findall(f"{_EXTENDED}lvl"):
        points = Points()
        code = level.get("formatCode") or _GENERAL
        for point in level.findall(f"{_EXTENDED}pt")[:_MOST_POINTS]:
            place = min(_whole(point.get("idx")), _MOST_POINTS)
            text = normalise_line(point.text or "")
            number = _number(text) if dimension.tag == f"{_EXTENDED}numDim" else None
            if number is not None:
                points.numbers[place] = number
                text = _shown(number, code, "", "", False)
            points.texts[place] = "" if text.startswith("#") else text
        points.count = max([_whole(level.get("ptCount")), *(place + 1 for place in points.texts)])
        points.count = min(points.count, _MOST_POINTS)
        yield points
