"""Defines a panel: one measure of several organisations at several periods, with the cells of each value."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel

from core.figures.stored.records import StoredFigure

PanelKind = Literal["series", "comparison", "growth"]
"""``series``: one organisation over time; ``comparison``: several organisations; ``growth``: how much the newest
value of each organisation has changed within a year."""


class PanelReport(BaseModel, frozen=True):
    """A document that a panel may use; ``periods`` are the keys by which it calls the periods that it covers, and
    ``end`` is the last day (ISO). ``completes``: it only completes the quarters of others, as an annual report does."""

    document_id: str
    title: str
    organisation: str
    periods: tuple[str, ...] = ()
    end: str | None = None
    is_annual: bool = False
    completes: bool = False


class PanelQuestion(BaseModel, frozen=True):
    """What a panel is asked for. ``measure`` is in the words of the question, ``phrase`` the words to look up (the same
    if it is empty), ``key`` the measure's key in the vocabulary, empty if it is none; ``over_time``: it is wanted for
    each report; ``lowest``: the smallest value answers; ``ranks``: one organisation is asked for. ``periods`` are the
    keys that the question names; ``count`` is how many periods it wants; ``months`` is the length that it names for
    them, such as 12 for "in its latest fiscal year"."""

    kind: PanelKind
    measure: str
    phrase: str = ""
    key: str = ""
    unit: str | None = None
    over_time: bool = False
    periods: tuple[str, ...] = ()
    count: int | None = None
    months: int | None = None
    ranks: bool = False
    lowest: bool = False

    @property
    def looked_up(self) -> str:
        return self.phrase or self.measure


class PanelPoint(BaseModel, frozen=True):
    """A value at a period that ends on ``end`` and lasts ``days`` (0 for a balance).

    ``value`` is in units of money (or a fraction if ``unit`` is ``%``); ``cells`` are the figures that it is, or from
    which it was computed by ``calculation``. ``is_remainder``: it is the first cell less the second, whose period is
    the beginning of the first one's.
    """

    organisation: str
    period: str
    end: date
    days: int
    value: float
    unit: str = ""
    scale: float = 1.0
    currency: str = ""
    decimals: int = 0
    cells: tuple[StoredFigure, ...]
    calculation: str = ""
    is_remainder: bool = False


class PanelSeries(BaseModel, frozen=True):
    """The points of one organisation in time order; ``without`` are documents in which the measure was not found.
    ``restated`` are pairs of cells of two documents that print different values for the same period."""

    organisation: str
    points: tuple[PanelPoint, ...] = ()
    without: tuple[str, ...] = ()
    restated: tuple[tuple[StoredFigure, StoredFigure], ...] = ()


class Panel(BaseModel, frozen=True):
    """All series; ``missing`` are organisations without any value. ``unlike`` are values that cannot be ranked with the
    others, since their periods have another length."""

    question: PanelQuestion
    series: tuple[PanelSeries, ...]
    unlike: tuple[PanelPoint, ...] = ()

    @property
    def points(self) -> list[PanelPoint]:
        return [point for series in self.series for point in series.points]

    @property
    def cells(self) -> list[StoredFigure]:
        """All cells that an answer may show."""
        differing = [cell for series in self.series for pair in series.restated for cell in pair]
        shown = [*self.points, *self.unlike]
        return [*(cell for point in shown for cell in point.cells), *differing]

    @property
    def missing(self) -> list[str]:
        unlike = {point.organisation for point in self.unlike}
        without = (series.organisation for series in self.series if not series.points)
        return [organisation for organisation in without if organisation not in unlike]


class SubQuestion(BaseModel, frozen=True):
    """A step of a plan; ``text`` is what the user sees and may change.

    Either one measure of one organisation, with the ``reports`` that may contain it; or, without ``question``, any
    question to search for. ``passages`` are the item ids of the passages that the search found.
    """

    id: str
    text: str
    organisation: str = ""
    question: PanelQuestion | None = None
    reports: tuple[PanelReport, ...] = ()
    passages: tuple[str, ...] = ()
