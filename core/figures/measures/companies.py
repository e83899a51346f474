"""Compares one figure across several companies, and finds the highest or lowest."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.measures.candidates import DOUBTED, candidate
from core.figures.measures.operations import Case, Doing, MeasureOutcome, periods_to_read
from core.figures.measures.statements import DocumentStatements
from core.figures.records import Candidate
from core.language.normalisation import fold
from core.question.analysed import AnalysedQuestion
from core.question.measures.question import MeasureQuestion
from core.question.measures.vocabulary import asks, doubt


def companies(books: Sequence[DocumentStatements]) -> list[list[DocumentStatements]]:
    """Returns the documents of each organisation."""
    parted: dict[str, list[DocumentStatements]] = {}
    for book in books:
        own = {fold(name) for name in book.origin.names}
        if not own:
            parted.setdefault("", []).append(book)
            continue
        known = next((key for key, each in parted.items() if own & {fold(n) for n in each[0].origin.names}), None)
        parted.setdefault(known or book.origin.document_id, []).append(book)
    return list(parted.values())


def answer_for_each(
    question: AnalysedQuestion, asked: MeasureQuestion, parted: Sequence[Sequence[DocumentStatements]], doing: Doing
) -> list[Candidate]:
    """Returns one figure for several companies side by side, with the leader if the question asks for it; otherwise one
    answer for each."""
    found: list[tuple[Case, MeasureOutcome]] = []
    for books in parted:
        case = Case(question, asked, asked.measures[0], tuple(books), periods_to_read(asked, books))
        if case.periods and (outcome := doing(case)):
            found.append((case, outcome))
    made = [candidate(case, outcome) for case, outcome in found]
    if len(question.entities) < 2 or len(found) < len(parted):
        return [each.doubted(each.answer.doubt or doubt("company"), each.sureness * DOUBTED) for each in made]
    return [_side_by_side(found, made)]


def _side_by_side(found: Sequence[tuple[Case, MeasureOutcome]], made: Sequence[Candidate]) -> Candidate:
    first = found[0][0]
    values = [outcome.results[-1].worked.value for _, outcome in found]
    leader = (min if asks("least", first.question.text) or asks("fewer", first.question.text) else max)(values)
    best = made[values.index(leader)]
    wanted = bool(asks("ahead", first.question.text)) and values.count(leader) == 1
    text = "; ".join(each.answer.line for each in made)
    answer = best.answer.model_copy(
        update={
            "kind": "choice" if wanted else "calculation",
            "line": f"{best.answer.entity}: {text[:1].lower()}{text[1:]}" if wanted else text,
            "value": best.answer.entity
            if wanted
            else [v for each in made if isinstance(v := each.answer.value, float)],
            "entity": ", ".join(each.answer.entity or "" for each in made),
            "cells": [cell for each in made for cell in each.answer.cells],
            "calculation": "; ".join(each.answer.calculation for each in made if each.answer.calculation),
            "doubt": next((each.answer.doubt for each in made if each.answer.doubt), None),
        }
    )
    return Candidate(answer, min(each.sureness for each in made), best.reasons)
