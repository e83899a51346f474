"""Compares statement rows of several documents: takes tables and figures; returns rows with the changes.

Each document has its own period: a year for an annual report, a quarter for a quarterly one. Quarterly amounts are
never compared with annual or year-to-date ones; balances may be compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.measures.amounts import Amount, decimals_of, money, ratio
from core.figures.measures.columns import newest_year
from core.figures.measures.derivation import Derivation
from core.figures.measures.readings import Reading
from core.figures.measures.results import printed
from core.figures.measures.statements import DocumentStatements
from core.figures.measures.wording import name_of, period_text
from core.language.fields import figures
from core.language.normalisation import fold
from core.question.measures.formulas import Term
from core.question.measures.question import Measure
from core.words import Language

USUAL = (
    "revenue", "gross profit", "operating income", "net income", "earnings per share", "operating cash flow",
    "capital expenditure", "cash", "total assets", "long-term debt", "equity",
)  # fmt: skip
"""The figures by which two reports are compared if none are requested."""
_LEAST_SURE = 0.6
_QUARTER = re.compile(r"\d{4}-Q[1-4]")
_ANNUAL = "annual report"


@dataclass(frozen=True)
class StatedFigure:
    """A figure in document ``number``: ``value`` is unscaled, ``text`` is for display, ``reading`` is the first cell
    that contains it."""

    number: int
    value: float
    text: str
    period: str
    reading: Reading


@dataclass(frozen=True)
class FigureByDocument:
    """A figure in several documents; ``figures`` are in document order, only from documents that state it. If there are
    two, ``change`` is the change from the earlier period to the later one, with per cent if meaningful."""

    key: str
    name: str
    figures: tuple[StatedFigure, ...]
    change: str = ""


def figures_by_document(
    books: Sequence[DocumentStatements], asked: Sequence[str], language: Language
) -> list[FigureByDocument]:
    """Returns the figures ``asked`` (vocabulary keys), or the usual ones, if at least two of the documents ``books``
    state them."""
    periods = [own_period(book) for book in books]
    stretches = {"quarter" if "-Q" in period else "year" for period in periods if period}
    found = []
    for key in asked or USUAL:
        figure = figures().get(key)
        if figure is None or (len(stretches) > 1 and not figure.is_stock):
            continue
        stated = tuple(
            each
            for book, period in zip(books, periods, strict=True)
            if period and (each := _stated_figure(book, key, period, language)) is not None
        )
        if len(stated) > 1:
            name = name_of(Measure(Term(key, figure), key, key, figure.unit), language)
            change = _change_text(stated, figure.unit, language) if len(stated) == len(books) == 2 else ""
            found.append(FigureByDocument(key, name[:1].upper() + name[1:], stated, change))
    return found


def are_by_one(books: Sequence[DocumentStatements]) -> bool:
    """Returns whether the documents may be of one organisation; then a difference between their figures is a change
    over time."""
    names = [{fold(name) for name in book.origin.names} for book in books]
    known = [each for each in names if each]
    return all(one & known[0] for one in known) if known else True


def own_period(book: DocumentStatements) -> str | None:
    """Returns the key of the period that a document reports on."""
    origin = book.origin
    quarters = sorted(name for name in origin.periods if _QUARTER.fullmatch(name))
    if quarters and origin.kind != _ANNUAL:
        return quarters[-1]
    return newest_year([each.table for each in book.statements], origin)


def _stated_figure(book: DocumentStatements, key: str, period: str, language: Language) -> StatedFigure | None:
    figure = figures()[key]
    worked = Derivation(book, printed).work(Term(key, figure), period)
    if worked is None or not worked.inputs or worked.sure < _LEAST_SURE or worked.rivals:
        return None
    reading = worked.inputs[0]
    shown = max(decimals_of(each.cell.text) for each in worked.inputs)
    if figure.unit in ("%", "x", "days"):
        amount = ratio(worked.value, figure.unit, None)
    else:
        amount = money(worked.value, reading.scale, reading.currency, None, shown)
    text = f"{amount.text(language)} ({period_text(period, language)})"
    return StatedFigure(book.origin.number, worked.value, text, period, reading)


def _change_text(figures: Sequence[StatedFigure], unit: str | None, language: Language) -> str:
    """Describes the change from the earlier to the later period; for equal periods, from the first to the second
    document."""
    first, last = sorted(figures, key=lambda each: each.period)
    if first.reading.currency and last.reading.currency and first.reading.currency != last.reading.currency:
        return ""
    by = last.value - first.value
    if unit == "%":
        return _signed_amount(ratio(by, "points", 1), by, language)
    if unit in ("x", "days"):
        return _signed_amount(ratio(by, unit, None), by, language)
    shown = max(decimals_of(each.reading.cell.text) for each in figures)
    amount = money(by, last.reading.scale, last.reading.currency or first.reading.currency, None, shown)
    share = ""
    if first.value > 0 and last.value > 0:
        share = f", {_signed_amount(ratio(by / first.value, '%', 1), by, language)}"
    return f"{_signed_amount(amount, by, language)}{share}"


def _signed_amount(amount: Amount, by: float, language: Language) -> str:
    return f"{'+' if by > 0 else ''}{amount.text(language)}"
