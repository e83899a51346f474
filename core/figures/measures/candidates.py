"""Turns the calculated result for a measure into a candidate answer with cells, certainty and warnings."""

from __future__ import annotations

from math import prod

from core.figures.measures.columns import columns_for
from core.figures.measures.labels import words_of
from core.figures.measures.operations import Case, MeasureOutcome
from core.figures.measures.readings import FIRM
from core.figures.measures.results import Result, amount, results
from core.figures.measures.wording import entity_of, first_rival, newest_period_notice, period_text, references
from core.figures.records import Candidate
from core.language.hebrew import is_hebrew
from core.question.measures.formulas import Formula, formulas_of
from core.question.measures.question import Measure
from core.question.measures.vocabulary import doubt
from core.records.answer import Answer
from core.words import Words

_NOT_NAMED = 0.85
DOUBTED = 0.6
"""Factor on an answer's certainty if it carries a warning."""
_SHORTEST = 3
"""Minimum length of a Hebrew word to count; shorter ones are prefixes before a number or a foreign name."""
_LIMITED = 0.5


def candidate(case: Case, outcome: MeasureOutcome) -> Candidate:
    """Returns ``outcome`` as an answer; the certainty is that of having found the requested figure and period."""
    why = _outcome_doubt(case, outcome)
    reasons = {
        "figure": min(result.worked.sure for result in outcome.results),
        "period": 1.0 if case.asked.named else _NOT_NAMED,
        "doubt": DOUBTED if why else 1.0,
        "words": _LIMITED if _limits(case, outcome) else 1.0,
    }
    last = outcome.results[0 if case.asked.operation in ("most", "profile") else -1]
    amount = outcome.amount
    answer = Answer(
        kind=outcome.kind,
        line=outcome.line,
        value=outcome.verdict if amount is None else amount.rounded,
        unit=amount.unit if amount else None,
        scale=amount.scale if amount else 1.0,
        currency=amount.currency if amount and amount.unit is None else None,
        period=last.worked.inputs[0].place.key if "+" in last.period else last.period,
        entity=entity_of(case.question, last),
        metric=case.name(),
        cells=references(outcome.results),
        others=references(outcome.others),
        calculation=outcome.calculation,
        doubt=why,
        decided=outcome.kind != "undecided" and not _is_judgement(case),
    )
    return Candidate(answer, min(0.98, prod(reasons.values())), reasons)


def _outcome_doubt(case: Case, outcome: MeasureOutcome) -> Words | None:
    if case.asked.why:
        return doubt("why")
    if outcome.threshold is not None:
        return doubt("threshold", least=f"{outcome.threshold:g}")
    if outcome.kind == "undecided" or _is_judgement(case):
        return doubt("judgement")
    if case.asked.beside:
        return doubt("partly", words=case.asked.beside)
    if limited := _limits(case, outcome):
        return doubt("partly", words=limited)
    if rival := first_rival(outcome.results):
        return doubt("rivals", value=rival.cell.text.strip())
    if taken := newest_period_notice(outcome.results):
        return doubt("newest", period=period_text(taken))
    return _own_year(case, outcome) or _weakest(outcome) or _definition(case, outcome)


def _limits(case: Case, outcome: MeasureOutcome) -> str:
    """Returns question words that are not in the answer's row label or caption, but in other labels of the document.

    If the document is in another language than the question, all Hebrew words are returned, since they cannot be
    compared with its labels.
    """
    if not case.asked.rest:
        return ""
    known = frozenset().union(*(result.book.words for result in outcome.results))
    read = [reading for result in outcome.results for reading in result.worked.inputs]
    own = {
        word
        for reading in read
        for text in (reading.statement.table.rows[reading.row].label, reading.statement.table.caption or "")
        for word in words_of(text)
    }
    foreign = not any(is_hebrew(word) for word in known)
    return " ".join(
        word
        for word in case.asked.rest
        if set(words_of(word)) & (known - own) or (foreign and is_hebrew(word) and len(word) >= _SHORTEST)
    )


def _is_judgement(case: Case) -> bool:
    """Returns whether the question asks for a judgement (yes or no) without a criterion for it."""
    return case.asked.judges and case.asked.operation in ("value", "change", "percent change", "average")


def _weakest(outcome: MeasureOutcome) -> Words | None:
    """Warns if a figure is from a table outside the main statement, or from a row with a much longer label than the
    figure's."""
    inputs = [reading for result in outcome.results for reading in result.worked.inputs]
    weak = min(inputs, key=lambda reading: reading.score, default=None)
    if weak is None or weak.score >= FIRM:
        return None
    table = weak.statement.table
    where = table.caption or f"p. {table.page}"
    return doubt("weak", row=weak.statement.table.rows[weak.row].label, table=where)


def _own_year(case: Case, outcome: MeasureOutcome) -> Words | None:
    """Warns if the requested year is one of two names for the document's own year and the table has a column for the
    other name too; states that column's value."""
    for result in outcome.results:
        own = [name for name in result.book.origin.periods if name.isdigit()]
        if len(own) < 2 or result.period not in own:
            continue
        later = max(own)
        if later == result.period or not _has(result, later):
            continue
        other = next((each for each in results([result.book], case.measure, later)), None)
        if other:
            figure = amount(other, case.measure, case.asked)
            value = Words(en=figure.text(), he=figure.text("he"))
            return doubt("own year", asked=period_text(result.period), value=value)
    return None


def _has(result: Result, period: str) -> bool:
    """Returns whether the source table also has a column of that year."""
    origin = result.book.origin
    return any(columns_for(each.statement.table, period, origin, stock=True) for each in result.worked.inputs)


def _definition(case: Case, outcome: MeasureOutcome) -> Words | None:
    """Returns a notice of which definition was used, for a measure with several common definitions."""
    measure: Measure = case.measure
    if measure.defined or isinstance(measure.what, Formula) or case.asked.operation in ("trend", "steady"):
        return None
    usual = formulas_of(measure.key) if measure.key else ()
    return doubt("definition", formula=usual[0].text) if len(usual) > 1 else None
