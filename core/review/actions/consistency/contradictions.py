"""Finds statements that contradict each other: points of one or two documents → findings with both places.

Two statements contradict each other if one of them contains the words of the other, and they give different figures,
dates, deadlines or duties, or one denies what the other says. An exception or a condition is no contradiction, nor are
figures of different years.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from core.language.entities.facts import facts
from core.language.entities.periods import periods_in
from core.language.entities.quantities import Quantity, comparable, quantities, says_same
from core.messages import message, message_group
from core.review.actions.audit_verdicts import Severity, measured
from core.review.actions.comparable_statements import ComparableStatement
from core.review.actions.consistency.records import Check, ConsistencyFinding, Place
from core.review.actions.statement_similarity import SimilarityMatrix, StatementSimilarity
from core.review.compliance import rule_compliance
from core.review.equivalence import Aspect, Likeness, equivalence_of
from core.review.relevance import ContextLine
from core.words import Words

CONTAINED = 0.9
"""Share of the shorter statement's words that the longer one contains."""
ALIKE = 0.66
"""Minimum similarity of two statements that contradict each other."""
WHOLE = 0.95
"""Share of each statement in the other from which a contradiction is a serious one."""
_NAMED = 0.3
"""Minimum similarity of two statements that give different names: the names are not shared."""


def contradictions_within(points: Sequence[ComparableStatement]) -> list[ConsistencyFinding]:
    """Returns the contradictions between the points of one document, in reading order."""
    pairs = SimilarityMatrix(points, points).likely
    ordered = sorted((each for each in pairs if each.one < each.other), key=lambda each: (each.one, each.other))
    return _each_once(
        finding
        for each in ordered
        if points[each.one].text != points[each.other].text
        for finding in _contradiction(points[each.one], points[each.other], each.near, "contradicts")
    )


def contradictions_between(
    points: Sequence[ComparableStatement], others: Sequence[ComparableStatement]
) -> list[ConsistencyFinding]:
    """Returns where ``others``, the points of another document, say something else."""
    pairs = SimilarityMatrix(points, others).likely
    ordered = sorted(pairs, key=lambda each: (each.one, -each.near.score))
    return _each_once(
        finding
        for each in ordered
        for finding in _contradiction(points[each.one], others[each.other], each.near, "differs")
    )


def place_of(point: ComparableStatement) -> Place:
    passage = point.statement.passage
    return Place(point.number, passage.item_id, point.text, passage.page)


def _contradiction(
    one: ComparableStatement, other: ComparableStatement, near: StatementSimilarity, check: Check
) -> Iterator[ConsistencyFinding]:
    aspect = _aspect(one.text, other.text, near)
    if aspect is None or _of_different_times(one.text, other.text):
        return
    is_whole = min(near.ours, near.theirs) >= WHOLE or aspect == "name"
    severity: Severity = "high" if is_whole and check == "contradicts" else "medium"
    yield ConsistencyFinding(check, place_of(one), _reason(one.text, other.text, aspect), severity, place_of(other))


def _aspect(one: str, other: str, near: StatementSimilarity) -> Aspect | Literal["name"] | None:
    if near.score >= ALIKE and max(near.ours, near.theirs) >= CONTAINED:
        found = equivalence_of(one, other, Likeness(near.score, near.ours, near.theirs))
        if found.relation == "differs" and found.aspect != "scope":
            return found.aspect
    if near.score >= _NAMED and rule_compliance(one, [ContextLine(other)]).breach == "name":
        return "name"
    return None


def _of_different_times(one: str, other: str) -> bool:
    """Returns whether each names periods, and none in common."""
    ours, theirs = ({each.key for each in periods_in(text)} for text in (one, other))
    years, other_years = facts(one).years, facts(other).years
    return bool(ours and theirs and not ours & theirs) or bool(years and other_years and not years & other_years)


def _reason(one: str, other: str, aspect: str) -> Words:
    here, there = _new_quantity(one, other), _new_quantity(other, one)
    if aspect in ("figures", "deadline") and here and there and comparable(here, there):
        return message("graph.self_audit.figures", here=measured(here), there=measured(there))
    return _REASONS[aspect]


def _new_quantity(one: str, other: str) -> Quantity | None:
    theirs = quantities(other)
    new = [each for each in quantities(one) if not any(says_same(each, b) or says_same(b, each) for b in theirs)]
    return next((each for each in new if any(comparable(each, b) for b in theirs)), None)


def _each_once(findings: Iterator[ConsistencyFinding]) -> list[ConsistencyFinding]:
    """Returns the first finding for each first place and second document."""
    found: dict[tuple[str, int], ConsistencyFinding] = {}
    for each in findings:
        if each.other is not None:
            found.setdefault((each.place.text, each.other.number), each)
    return list(found.values())


_REASONS = message_group("graph.self_audit.reasons")
