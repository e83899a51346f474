"""Defines the part of an answer that was computed from datasets: the query, its result and how it was computed."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

ColumnType = Literal["number", "money", "percent", "date", "datetime", "category", "boolean", "code", "text"]
"""``number``, ``money`` and ``percent`` hold numbers; 12.5 % is held as 0.125. A ``code`` is an identifier such as
0007 that keeps its leading zeros; a ``category`` is a text with few different values."""
Bucket = Literal["year", "half", "quarter", "month", "week", "day", "hour", "weekday", "month_of_year"]
"""A part of a date. ``quarter`` and ``month`` include the year (2024-Q1, 2024-05); ``weekday`` (1 is Monday) and
``month_of_year`` (1 to 12) do not."""
Role = Literal["group", "unit", "measure", "column"]
ChartKind = Literal["line", "bar", "stacked", "scatter", "histogram"]
DataCell = bool | int | float | str | None
"""A cell of a result; dates are ISO 8601."""

MOST_ROWS = 200
"""Maximum number of rows of a result that an answer keeps; all others are read again from the dataset."""


class DataColumn(BaseModel, frozen=True):
    """A column of a result. ``name`` is its name in the query, ``label`` the heading that a user sees. ``role`` is
    *group*, *unit*, *measure* or *column*; ``bucket`` the part of a date by which rows were grouped;
    a ``unit`` is a unit or an ISO currency code, empty if a column of units gives it row by row."""

    name: str
    type: ColumnType
    role: Role = "column"
    unit: str = ""
    bucket: Bucket | None = None
    label: str = ""

    @property
    def heading(self) -> str:
        return self.label or self.name


class DatasetCited(BaseModel, frozen=True):
    """A dataset that the result was computed from, with the citation number of its document."""

    id: str
    document_id: str
    name: str
    sheet: str = ""
    number: int = 0
    rows: int = 0


class HowPart(BaseModel, frozen=True):
    """A part of the sentence that says how a result was computed. ``path`` says which part of the query it is, such as
    ``where/0`` or ``measures/0``; it is empty for words between the parts."""

    text: str
    path: str = ""


class DataAnswer(BaseModel, frozen=True):
    """A result computed from datasets. ``query`` is the JSON of the query that can be run again. ``rows`` are at most
    ``MOST_ROWS`` of ``count`` rows. ``used`` of ``total`` rows of the dataset passed the filters; ``places`` are the
    numbers of the first of them in their sheet. ``blank`` counts blank cells for each column of a measure. ``title``
    names the result in a few words; ``chart`` is the kind of chart that the question asks for.
    ``fetched`` has a sentence for each dataset of open data: its source, and how many of all rows were fetched."""

    query: str
    datasets: list[DatasetCited]
    columns: list[DataColumn]
    rows: list[list[DataCell]]
    count: int
    how: list[HowPart] = []
    used: int = 0
    total: int = 0
    places: list[int] = []
    blank: dict[str, int] = {}
    repeated: int = 0
    is_cut: bool = False
    title: str = ""
    chart: ChartKind | None = None
    fetched: list[str] = []
