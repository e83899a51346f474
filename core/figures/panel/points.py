"""Makes the points of a panel: *cells* → a value with unit, period and calculation."""

from __future__ import annotations

from core.figures.numbers import MINUS
from core.figures.panel.derivation import Computed, decimals_of, printed, unscaled
from core.figures.panel.period_names import quarter_of
from core.figures.panel.records import PanelPoint
from core.figures.panel.remainders import Remainder
from core.figures.panel.spans import days_of, end_of
from core.figures.stored.records import StoredFigure


def printed_point(organisation: str, cell: StoredFigure, period: str) -> PanelPoint:
    """Returns the point of a printed cell; ``period`` is its key."""
    percent = cell.unit == "%"
    return PanelPoint(
        organisation=organisation,
        period=period,
        end=end_of(cell),
        days=days_of(cell),
        value=cell.value / 100 if percent else unscaled(cell),
        unit=cell.unit,
        scale=1.0 if percent else cell.scale,
        currency=cell.currency,
        decimals=decimals_of(cell.text),
        cells=(cell,),
    )


def computed_point(organisation: str, lead: StoredFigure, period: str, made: Computed) -> PanelPoint:
    """Returns a computed percentage at the period of the cell ``lead``."""
    return PanelPoint(
        organisation=organisation, period=period, end=end_of(lead), days=days_of(lead), value=made.value, unit="%",
        decimals=1, cells=made.cells, calculation=made.shown,
    )  # fmt: skip


def remainder_point(organisation: str, made: Remainder) -> PanelPoint:
    """Returns a derived quarter, with the cells of both periods."""
    longer, shorter = made.longer, made.shorter
    return PanelPoint(
        organisation=organisation, period=quarter_of(made.row, made.end), end=made.end, days=made.days,
        value=made.value, scale=longer.scale, currency=longer.currency,
        decimals=max(decimals_of(longer.text), decimals_of(shorter.text)), cells=(longer, shorter),
        calculation=f"{printed(longer)} {MINUS} {printed(shorter)}", is_remainder=True,
    )  # fmt: skip
