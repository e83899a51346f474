"""Answers questions about financial figures and measures from the documents' tables, with the source cells."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.compound import combined_candidate
from core.figures.measures.candidates import DOUBTED, candidate
from core.figures.measures.companies import answer_for_each, companies
from core.figures.measures.operations import OPERATIONS, Case, Doing, periods_to_read
from core.figures.measures.statements import DocumentStatements, statements_by_document
from core.figures.measures.verdicts import most, profile, sign, soundness, steady, trend
from core.figures.measures.year_to_date import year_to_date
from core.figures.records import Candidate, TableEvidence
from core.language.normalisation import fold
from core.question.analysed import AnalysedQuestion
from core.question.measures.question import MeasureQuestion, Operation
from core.question.measures.vocabulary import asks, doubt

_DOING: dict[Operation, Doing] = {
    **OPERATIONS, "trend": trend, "steady": steady, "sign": sign, "sound": soundness,
}  # fmt: skip
_MOST_MEASURES = 3


def answer_from_statements(question: AnalysedQuestion, statements: Sequence[TableEvidence]) -> list[Candidate]:
    """Returns the figure, measure or judgement that ``question`` asks for, most likely first. Empty if it asks for
    none, or if the documents do not state it for that period.

    Args:
        statements: all tables of the documents that the question is about, in the order of the documents.
    """
    names = dict.fromkeys(name for each in statements for name in each.origin.names)
    asked = question.measured(tuple(names))
    if asked is None or _is_elsewhere(question, asked):
        return []
    books = [book for book in statements_by_document(statements) if book.origin.may_be_by(question.entities)]
    periods = periods_to_read(asked, books)
    if not books or not periods:
        return []
    by_company = companies(books)
    if len(by_company) > 1:
        return answer_for_each(question, asked, by_company, _DOING.get(asked.operation, _DOING["value"]))
    cases = [Case(question, asked, measure, tuple(books), periods) for measure in asked.measures]
    if asked.operation in ("most", "profile"):
        made = [(cases[0], (most if asked.operation == "most" else profile)(cases))]
    else:
        doing = _DOING[asked.operation]
        made = [(case, doing(case)) for case in cases[:_MOST_MEASURES]]
    found = [candidate(case, outcome) for case, outcome in made if outcome is not None]
    if not found and asked.operation == "value" and len(books) == 1:
        return _year_to_date(question, asked, books[0])
    joint = combined_candidate(found) if 1 < len(found) == len(asked.measures) else None
    return [joint, *found] if joint else found


def _year_to_date(question: AnalysedQuestion, asked: MeasureQuestion, book: DocumentStatements) -> list[Candidate]:
    """Returns the figure for the first six or nine months, with a warning, if the report does not print its quarter."""
    period = year_to_date(book, asked.periods)
    if period is None:
        return []
    case = Case(question, asked, asked.measures[0], (book,), (period,))
    outcome = _DOING["value"](case)
    if outcome is None:
        return []
    made = candidate(case, outcome)
    return [made.doubted(doubt("year to date"), made.sureness * DOUBTED)]


def _is_elsewhere(question: AnalysedQuestion, asked: MeasureQuestion) -> bool:
    """Returns whether the question is about a part of the company or a forecast, which financial statements do not
    contain."""
    elsewhere = asks("elsewhere", question.focus)
    return elsewhere is not None and not any(fold(elsewhere[0]) in fold(measure.name) for measure in asked.measures)
