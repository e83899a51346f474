"""Computes a measure at periods over several documents, and finds documents with different values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.measures.amounts import Amount, decimals_of, money, ratio
from core.figures.measures.derivation import Derivation, DerivedFigure
from core.figures.measures.readings import Reading
from core.figures.measures.statements import DocumentStatements
from core.question.measures.formulas import Formula
from core.question.measures.question import Measure, MeasureQuestion

_CLEARLY = 0.1


@dataclass(frozen=True)
class Result:
    """The value of a measure at ``period`` according to one document (``book``)."""

    book: DocumentStatements
    period: str
    worked: DerivedFigure

    @property
    def is_own(self) -> bool:
        return self.period in self.book.origin.periods


def results(
    books: Sequence[DocumentStatements], measure: Measure, period: str, *, closing: bool = False
) -> list[Result]:
    """Returns each document's result, best first: the document for that period is first, unless another is clearly more
    certain."""
    found = [
        Result(book, period, worked)
        for book in books
        if (worked := Derivation(book, printed, closing).work(measure.what, period)) is not None
    ]
    found.sort(key=lambda each: (each.is_own, each.worked.sure), reverse=True)
    surest = max((each.worked.sure for each in found), default=0.0)
    return sorted(found, key=lambda each: each.worked.sure < surest - _CLEARLY)


def series(
    books: Sequence[DocumentStatements], measure: Measure, periods: Sequence[str], *, closing: bool = False
) -> list[Result | None]:
    """Returns one result for each period: all from one document if one has all periods (the newest filing first),
    otherwise the best for each."""
    each = [results(books, measure, period, closing=closing) for period in periods]
    have = [[next((result for result in found if result.book is book), None) for found in each] for book in books]
    whole = [row for row in have if all(row)]
    if whole:
        return max(whole, key=_series_rank)
    return [found[0] if found else None for found in each]


def _series_rank(row: Sequence[Result | None]) -> tuple[bool, float]:
    last = row[-1]
    assert last is not None
    return last.is_own, min(result.worked.sure for result in row if result)


def printed(reading: Reading) -> str:
    """Returns a figure as printed in the table, but without currency signs and with the sign that the figure's name
    implies."""
    plain = reading.value / reading.scale
    return f"{plain:,.{decimals_of(reading.cell.text)}f}".replace("-", "−")


def amount(result: Result, measure: Measure, asked: MeasureQuestion) -> Amount:
    """Returns the value of ``result`` in the unit and scale that the question requests, or else in the printed ones."""
    return amount_of(result.worked.value, result.worked, measure, asked)


def amount_of(value: float, worked: DerivedFigure, measure: Measure, asked: MeasureQuestion) -> Amount:
    """Formats the unscaled ``value`` in the same way as the figure ``worked`` is printed."""
    if worked.power == 0 or (measure.unit not in (None, "per share") and worked.power != 1):
        return ratio(value, _ratio_unit(measure, asked), asked.decimals)
    if measure.unit == "days":
        return ratio(value, "days", asked.decimals)
    first = worked.inputs[0] if worked.inputs else None
    scale = asked.scale if asked.scale and measure.unit != "per share" else first.scale if first else 1.0
    shown = max((decimals_of(each.cell.text) for each in worked.inputs), default=0)
    if asked.scale and first and asked.scale != first.scale:
        shown = 0 if asked.scale < first.scale else 2 if asked.scale >= 1e9 else 1
    decimals = asked.decimals if asked.operation in ("value", "average", "change") else None
    return money(value, scale, first.currency if first else None, decimals, shown)


def _ratio_unit(measure: Measure, asked: MeasureQuestion) -> str:
    if measure.unit == "%" and not asked.percent and asked.decimals and "ratio" in measure.name.lower():
        return "x"
    if measure.unit in (None, "x") and asked.percent and isinstance(measure.what, Formula):
        return "%"
    return measure.unit or "x"
