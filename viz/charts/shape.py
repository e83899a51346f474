"""Decides how a result is drawn: as a line, bars, stacked bars, points or a histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.datasets.query.model import DataQuery
from core.records.data_answer import ChartKind, DataAnswer, DataColumn

LEAST_ROWS = 3
"""Least number of rows of a result that is drawn."""
MOST_BARS = 60
MOST_SERIES = 12
LONGEST_NAME = 40
LETTERS_BELOW = 96
"""Number of letters that fit below a chart."""
LEAST_ON_LINE = 3
"""Least number of moments that a line connects; fewer are bars."""
_NUMERIC = frozenset(("number", "money", "percent"))
_COUNTED = frozenset(("hour", "weekday", "month_of_year"))


@dataclass(frozen=True)
class Shape:
    """A drawing: its ``kind``, the columns (by position) along the axis, of the values, and of the series. ``unit`` is
    the unit of all values that are drawn; rows in another unit are left out. ``kinds`` are the drawings that fit.
    Bars lie (``lies``) if their names would not fit next to each other below upright bars."""

    kind: ChartKind
    along: int
    values: tuple[int, ...]
    series: int | None = None
    unit_at: int | None = None
    unit: str = ""
    kinds: tuple[ChartKind, ...] = ()
    lies: bool = False


def shape_of(data: DataAnswer, wanted: ChartKind | None = None) -> Shape | None:
    """Returns how to draw a result, or ``None`` if it has too few or too many rows for that. ``wanted`` is used if it
    fits."""
    if len(data.rows) < LEAST_ROWS:
        return None
    made = _grouped(data) or _listed(data)
    if made is None:
        return None
    kind = wanted if wanted in made.kinds else made.kind
    return replace(made, kind=kind, lies=kind in ("bar", "stacked") and _is_wide(data, made.along))


def _is_wide(data: DataAnswer, along: int) -> bool:
    """Returns whether the names of the groups are too wide to be written next to each other; times are short."""
    if is_time(data.columns[along]) or data.columns[along].bucket:
        return False
    names = {str(row[along]) for row in data.rows}
    return len(names) * (min(LONGEST_NAME, max(map(len, names))) + 2) > LETTERS_BELOW


def _grouped(data: DataAnswer) -> Shape | None:
    groups = _places(data, "group")
    measures = [number for number in _places(data, "measure") if data.columns[number].type in _NUMERIC]
    if not groups or not measures or len(groups) > 2:
        return None
    first = data.columns[measures[0]]
    same = tuple(n for n in measures if (data.columns[n].type, data.columns[n].unit) == (first.type, first.unit))
    units = _places(data, "unit")
    unit_at = units[0] if units and not first.unit else None
    counts = Counter(str(row[unit_at]) for row in data.rows if row[unit_at]) if unit_at is not None else {}
    unit = first.unit if unit_at is None else max(counts, key=counts.__getitem__, default="")
    if unit_at is not None and counts.get(unit, 0) < LEAST_ROWS:
        return None
    dated = [number for number in groups if is_time(data.columns[number])]
    along = (dated or groups)[0]
    rest = [number for number in groups if number != along]
    series = rest[0] if rest else None
    places = len({row[along] for row in data.rows})
    if places > (MOST_BARS if not dated else 2_000):
        return None
    if series is not None and len({row[series] for row in data.rows}) > MOST_SERIES:
        return None
    on_line = bool(dated) and places >= LEAST_ON_LINE
    kinds: tuple[ChartKind, ...] = ("line", "bar") if on_line else ("bar", "line")
    if (series is not None or len(same) > 1) and _adds_up(data):
        kinds = (*kinds, "stacked")
    kind = "stacked" if series is not None and not dated and "stacked" in kinds else kinds[0]
    return Shape(kind, along, same[:MOST_SERIES] if series is None else same[:1], series, unit_at, unit, kinds)


def _adds_up(data: DataAnswer) -> bool:
    """Returns whether the values may be stacked: the sum of averages, shares or changes means nothing."""
    query = DataQuery.model_validate_json(data.query)
    is_total = all(measure.function in ("sum", "count") for measure in query.measures)
    return is_total and not query.calculations and not query.changes


def _listed(data: DataAnswer) -> Shape | None:
    """Rows that are not grouped: two columns of numbers are drawn as points, one as a histogram."""
    numbers = [n for n, column in enumerate(data.columns) if column.type in _NUMERIC and column.role == "column"]
    if len(numbers) < 1 or _places(data, "group"):
        return None
    texts = [n for n, column in enumerate(data.columns) if column.type in ("category", "text", "code", "date")]
    if len(numbers) == 1 and len(texts) == 1 and len(data.rows) <= MOST_BARS:
        return Shape("bar", texts[0], (numbers[0],), unit=data.columns[numbers[0]].unit, kinds=("bar", "histogram"))
    if len(numbers) == 2:
        unit = data.columns[numbers[1]].unit
        return Shape("scatter", numbers[0], (numbers[1],), unit=unit, kinds=("scatter", "histogram"))
    unit = data.columns[numbers[0]].unit
    return Shape("histogram", numbers[0], (numbers[0],), unit=unit, kinds=("histogram",)) if len(numbers) == 1 else None


def is_time(column: DataColumn) -> bool:
    """Returns whether a column goes along a line of time; weekdays and hours do not."""
    return column.type in ("date", "datetime") or bool(column.bucket and column.bucket not in _COUNTED)


def _places(data: DataAnswer, role: str) -> Sequence[int]:
    return [number for number, column in enumerate(data.columns) if column.role == role]
