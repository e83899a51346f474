"""Defines a query over datasets: the only way in for rules, models, the page, the API and grids."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from core.records.data_answer import Bucket

__all__ = [
    "MOST_ROWS", "AnyOf", "Bucket", "Calculation", "Changing", "Comparison", "Condition", "Conversion", "DataQuery",
    "Derived", "Filter", "Function", "Group", "Join", "Measure", "Order", "Rate", "Scalar",
]  # fmt: skip


def _written(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime.date) else value


Scalar = Annotated[bool | int | float | str, BeforeValidator(_written)]
"""A value of a condition; dates are ISO 8601 texts, because pydantic would read a code such as "8400" as a date."""
Comparison = Literal[
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "contains", "not contains", "starts with", "ends with",
    "is empty", "is not empty",
]  # fmt: skip
"""``between`` includes both ends; ``contains``, ``starts with`` and ``ends with`` ignore upper and lower case."""
Function = Literal[
    "count", "distinct", "sum", "mean", "median", "min", "max", "stddev", "percentile", "share", "correlation"
]
Change = Literal["difference", "growth", "rank", "running_total", "moving_average", "share_of_total"]

UNIT = r"^[^\s'$]{1,12}$"
"""How a currency or unit of a rate is written."""
MOST_ROWS = 10_000
"""Maximum number of rows of a result."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Condition(_Part):
    """A condition on a column, or on a part of its date: ``{"column": "Order date", "bucket": "month", "op": "=",
    "value": "2024-05"}``. ``value`` is a list for ``in`` and ``not in``, two ends for ``between``, nothing for
    ``is empty``. Values of a bucket are written as the bucket shows them: 2024, 2024-H1, 2024-Q2, 2024-05, 2024-W07,
    2024-05-31. ``other`` compares with another column in place of a value."""

    column: str
    op: Comparison = "="
    value: Scalar | list[Scalar] | None = None
    bucket: Bucket | None = None
    other: str | None = None

    @model_validator(mode="after")
    def _has_its_values(self) -> Condition:
        count = len(self.value) if isinstance(self.value, list) else (self.value is not None) + 0
        if self.op in ("is empty", "is not empty"):
            right = count == 0 and self.other is None
        elif self.op in ("in", "not in"):
            right = isinstance(self.value, list) and count > 0
        elif self.op == "between":
            right = isinstance(self.value, list) and count == 2
        else:
            right = not isinstance(self.value, list) and (count == 1) != (self.other is not None)
        if not right:
            raise ValueError(f"'{self.op}' does not fit the given value")
        return self


class AnyOf(_Part):
    """Holds where at least one of the conditions holds."""

    any_of: list[Condition] = Field(min_length=1)


Filter = Condition | AnyOf


class Derived(_Part):
    """A new column, calculated row by row: ``expression`` is arithmetic (``+ - * / ( )``) over numbers and columns in
    square brackets, such as ``[On hand] * [Unit cost]``; of two dates, ``[a] - [b]`` is a number of days."""

    name: str
    expression: str
    unit: str = ""


class Rate(_Part):
    """A rate between two currencies or units: 1 ``one`` = ``equals`` ``of``."""

    one: str = Field(pattern=UNIT)
    equals: float = Field(gt=0, allow_inf_nan=False)
    of: str = Field(pattern=UNIT)


class Conversion(_Part):
    """Converts amounts to the currency or unit ``to`` by rates with it; amounts without a rate stay apart."""

    to: str = Field(pattern=UNIT)
    rates: list[Rate] = Field(min_length=1, max_length=20)

    def factor(self, rate: Rate) -> tuple[str, float] | None:
        """Returns the unit that a rate converts and its factor; ``None`` for a rate between two other units."""
        if rate.of == self.to:
            return rate.one, rate.equals
        return (rate.of, 1 / rate.equals) if rate.one == self.to else None


class Join(_Part):
    """Adds the columns of another dataset where ``left`` (a column of the datasets before) equals ``right`` (a column
    of ``dataset``). ``keep`` decides which rows stay: *matching* ones, *all* rows of the left side, or only those
    *missing* on the right side."""

    dataset: str
    left: str
    right: str
    keep: Literal["matching", "all", "missing"] = "matching"


class Group(_Part):
    """Groups by a column, or by a part of its date."""

    column: str
    bucket: Bucket | None = None


class Measure(_Part):
    """A value calculated from rows. ``column`` may be missing only for ``count``; ``other`` is the second column of a
    ``correlation``; ``percent`` is that of a ``percentile`` (0 to 100). ``where`` limits the rows of this value only: a
    ``share`` is the sum of ``column`` (or the count of rows) under ``where`` divided by that of all rows of the group.
    """

    function: Function
    column: str | None = None
    other: str | None = None
    percent: float = Field(default=50, ge=0, le=100)
    where: list[Filter] = []
    name: str = ""


class Calculation(_Part):
    """A value calculated from measures of the same row of the result: ``expression`` names them in square brackets,
    such as ``[revenue] / [orders]`` or ``[2024] - [2023]``. ``unit`` is that of the value; a ``%`` shows a fraction as
    a percentage."""

    name: str
    expression: str
    unit: str = ""


class Changing(_Part):
    """A column calculated over the rows of the result in their order: the ``difference`` from or ``growth`` since the
    row before, the ``rank`` (largest first), a ``running_total``, the ``moving_average`` of ``rows`` rows, or the
    ``share_of_total``. ``measure`` is the name of a measure of the query."""

    change: Change
    measure: str
    rows: int = Field(default=3, ge=2, le=1_000)
    name: str = ""


class Order(_Part):
    """Sorts by a group, a measure or a column of the result."""

    by: str
    descending: bool = False


class DataQuery(_Part):
    """A query over one dataset, or several that are joined.

    ``where`` limits the rows; ``having`` limits the rows of the result, after measures, calculations and changes.
    Columns are named by their headings or keys; with joins, a heading that occurs twice is written with its dataset:
    ``Orders.Customer``. Without ``measures`` the result lists rows, with ``columns`` (all if empty). ``extreme`` keeps
    all rows that share the first value of ``order`` instead of counting ``limit`` rows. ``repeated`` = *once* counts
    rows that repeat an earlier row exactly only once; *only* keeps just the rows that repeat an earlier one. ``pivot``
    makes the values of a group to columns. With a ``step``, the rows are used that come this many rows after (negative:
    before) those that fulfil ``where``. The order by ``_row`` is that of the sheet. With
    ``convert``, amounts are converted before they are compared and calculated.

    >>> DataQuery(dataset="d1", where=[{"column": "Region", "value": "North"}],
    ...           measures=[{"function": "sum", "column": "Amount"}]).measures[0].function
    'sum'
    """

    dataset: str
    joins: list[Join] = Field(default=[], max_length=4)
    derive: list[Derived] = Field(default=[], max_length=10)
    where: list[Filter] = Field(default=[], max_length=30)
    columns: list[str] = Field(default=[], max_length=200)
    distinct: bool = False
    group: list[Group] = Field(default=[], max_length=5)
    measures: list[Measure] = Field(default=[], max_length=20)
    calculations: list[Calculation] = Field(default=[], max_length=10)
    changes: list[Changing] = Field(default=[], max_length=10)
    having: list[Filter] = Field(default=[], max_length=10)
    order: list[Order] = Field(default=[], max_length=5)
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] | None = None
    offset: Annotated[int, Field(ge=0)] = 0
    extreme: bool = False
    convert: Conversion | None = None
    repeated: Literal["keep", "once", "only"] = "keep"
    step: int = Field(default=0, ge=-1_000, le=1_000)
    pivot: str | None = None
