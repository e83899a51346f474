"""Formulates answers from financial statements: figures, periods, sources and warnings in the question's language."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.measures.columns import NEWEST
from core.figures.measures.readings import Reading
from core.figures.measures.results import Result
from core.language.fields import figures
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.question.analysed import AnalysedQuestion
from core.question.measures.formulas import Term
from core.question.measures.question import Measure
from core.question.measures.vocabulary import piece
from core.records.answer import CellReference
from core.words import Language


def name_of(measure: Measure, language: Language) -> str:
    """Returns the figure's name in the question's language; in Hebrew only if the vocabulary contains a Hebrew name."""
    names = figures()[measure.key].names if measure.key else []
    if language == "he":
        return next((name for name in names if is_hebrew(name)), measure.name)
    plain = [name for name in names if not is_hebrew(name)]
    if measure.key and not any(fold(name) == fold(measure.name) for name in plain):
        return plain[0]
    return measure.name if not is_hebrew(measure.name) or not plain else plain[0]


def entity_of(question: AnalysedQuestion, result: Result) -> str:
    """Returns the document's organisation under the name that the question uses."""
    origin = result.book.origin
    named = (entity for entity in question.entities if origin.names and origin.may_be_by([entity]))
    return next(named, origin.organisation or origin.title)


def period_text(key: str, language: Language = "en") -> str:
    """Formats a period: "2022" → "FY2022", "2022-Q2" → "Q2 FY2022"; days stay unchanged."""
    if key.isdigit():
        return piece("year", language, year=key)
    day, _, months = key.partition("+")
    if months:
        return piece("months", language, count=months, day=day)
    year, _, part = key.partition("-")
    return piece("quarter", language, part=part, year=year) if part[:1] in ("Q", "H") or part.endswith("M") else key


def when(measure: Measure, key: str, language: Language) -> str:
    is_stock = isinstance(measure.what, Term) and measure.what.figure.is_stock
    return piece("at end" if is_stock else "in", language, period=period_text(key, language))


def sources(results: Sequence[Result]) -> str:
    """Returns "[1]" or "[1] [2]", each document once."""
    numbers = dict.fromkeys(result.book.origin.number for result in results)
    return " ".join(f"[{number}]" for number in numbers)


def references(results: Sequence[Result]) -> list[CellReference]:
    """Returns references to all cells that the results are based on, without duplicates."""
    found: dict[tuple[str, int | None, int | None, int | None], CellReference] = {}
    for result in results:
        for reading in result.worked.inputs:
            cell = reading.reference()
            found.setdefault((cell.document_id, cell.table, cell.row, cell.column), cell)
    return list(found.values())


def newest_period_notice(results: Sequence[Result]) -> str | None:
    """Returns the period of the newest column if that was used because no column has the requested name."""
    places = (reading.place for result in results for reading in result.worked.inputs)
    return next((place.key for place in places if place.sure == NEWEST), None)


def first_rival(results: Sequence[Result]) -> Reading | None:
    return next((reading for result in results for reading in result.worked.rivals), None)
