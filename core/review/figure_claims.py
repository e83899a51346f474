"""Checks a claim about a figure against statements: sentence, tables → supported, contradicted or open.

"Net revenue grew 8.7 % to $86 billion in 2022" names a statement row, a direction, a change and a value. Each is
compared with the cells. A claim with any other significant word ("organic", "in North America", "will") is about
something else, and stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.figures.measures.companies import companies
from core.figures.measures.operations import Case, ends, periods_to_read
from core.figures.measures.results import Result, results
from core.figures.measures.statements import statements_by_document
from core.figures.measures.wording import period_text, references
from core.figures.records import TableEvidence
from core.language import stance
from core.language.entities.calendar_words import years_in
from core.language.entities.facts import prepared
from core.language.entities.periods import periods_in
from core.language.entities.quantities import Quantity, quantities
from core.language.vocabulary import pattern_of, words_of
from core.question.analysed import AnalysedQuestion
from core.question.measures.question import MeasureQuestion, measure_question
from core.question.measures.vocabulary import asks
from core.records.answer import CellReference
from core.words import Language

_LIGHT = frozenset(words_of("grounding/patterns.figure_claims.light"))
_COMPARED = pattern_of("grounding/patterns.figure_claims.compared")
_AHEAD = pattern_of("grounding/patterns.figure_claims.ahead")
_BEFORE = pattern_of("grounding/patterns.figure_claims.before")
_REACHED = pattern_of("grounding/patterns.figure_claims.reached")
_DENIED = pattern_of("grounding/patterns.figure_claims.denied")
_PART_OF_YEAR = pattern_of("grounding/patterns.figure_claims.part_of_year")
_LEAST_SURE = 0.6
_NEAR, _FAR = 0.025, 0.1
"""Relative errors: the tolerance for an approximate figure, and the error from which it is a different figure."""
_ROUNDED = 1 / 20
"""A figure counts as rounded if its last digit is at most this share of it."""


@dataclass(frozen=True)
class FigureFinding:
    """The result; ``holds``: whether the statements support the claim; ``stated``: their values for display; ``off``:
    the claim's relative error, 1.0 for the wrong direction; ``cells``: the source cells."""

    holds: bool
    stated: str
    cells: tuple[CellReference, ...]
    off: float = 0.0


@dataclass(frozen=True)
class _Claim:
    """A parsed claim; ``level``: the figure's value; ``by``: its change, in per cent or in its unit."""

    asked: MeasureQuestion
    level: Quantity | None = None
    by: Quantity | None = None


def figure_claim(claim: str, tables: Sequence[TableEvidence], language: Language) -> FigureFinding | None:
    """Returns ``None`` if ``claim`` states nothing that the statements among ``tables`` could support or contradict.

    Args:
        tables: all tables of the documents that the claim is checked against.
    """
    books = statements_by_document(tables)
    if not books or len(companies(books)) > 1:
        return None
    stated = _parsed_claim(claim, tuple(dict.fromkeys(name for book in books for name in book.origin.names)))
    periods = periods_to_read(stated.asked, books) if stated else ()
    if stated is None or not periods:
        return None
    question = AnalysedQuestion(claim, language, claim)
    return _claim_finding(stated, Case(question, stated.asked, stated.asked.measures[0], tuple(books), periods))


def _parsed_claim(claim: str, names: tuple[str, ...]) -> _Claim | None:
    """Parses ``claim`` as one measure with at most a direction, a level and a change; ``None`` if it is anything
    else."""
    text = prepared(claim)
    if (
        any(each.search(text) for each in (_AHEAD, _DENIED))
        or asks("elsewhere", text)
        or stance.has(text, "conditions")
    ):
        return None
    years = years_in(text)
    amounts = [each for each in quantities(claim) if each.unit == "percent" or each.low not in years]
    bare = text
    for each in sorted(amounts, key=lambda found: -found.start):
        bare = f"{bare[: each.start]} {bare[each.end :]}"
    asked = measure_question(bare, names=names)
    if asked is None or len(asked.measures) != 1 or asked.measures[0].defined or asked.beside or asked.better:
        return None
    if set(asked.rest) - _LIGHT or (asked.way and len(asked.periods) == 1 and _is_compared(text)):
        return None
    if _PART_OF_YEAR.search(text) and all(period.isdigit() for period in asked.periods):
        return None
    operation = "trend" if asked.way else "value"
    return _with_amounts(replace(asked, operation=operation, scale=None), amounts, text)  # type: ignore[arg-type]


def _is_compared(text: str) -> bool:
    """Returns whether a year is only named for comparison: "than in 2021", or "the prior year"."""
    before = [text[: period.start] for period in periods_in(text)]
    return any(_COMPARED.search(each) for each in (text, *before))


def _with_amounts(asked: MeasureQuestion, amounts: Sequence[Quantity], text: str) -> _Claim | None:
    claim = _Claim(asked)
    for each in amounts:
        if _BEFORE.search(text[: each.start]):
            return None
        is_level = asked.way == 0 or bool(_REACHED.search(text[: each.start]))
        is_share = each.unit == "percent" and asked.measures[0].is_money
        if (claim.level if is_level else claim.by) is not None or (is_level and is_share):
            return None
        if not is_level and asked.measures[0].unit not in (None, "per share"):
            return None
        claim = replace(claim, level=each) if is_level else replace(claim, by=each)
    return claim if claim.level or asked.way else None


def _claim_finding(claim: _Claim, case: Case) -> FigureFinding | None:
    if not claim.asked.way:
        found = results(case.books, case.measure, case.periods[-1])
        used = _sure(found[:1]) if len(case.periods) == 1 and not _is_disputed(found) else []
    else:
        used = _sure(ends(case) or ())
    if not used:
        return None
    verdicts = [each for each in _verdicts(claim, case, used) if each is not None]
    wanted = bool(claim.level) + bool(claim.by) + bool(claim.asked.way)
    off = max((min(miss, 1.0) for miss in verdicts if miss > 0), default=0.0)
    if (off and any(each.worked.rivals for each in used)) or (not off and len(verdicts) < wanted):
        return None
    stated = ", ".join(f"{case.text(each)} ({period_text(each.period, case.question.language)})" for each in used)
    return FigureFinding(off == 0, stated, tuple(references(used)), off)


def _sure(found: Sequence[Result]) -> list[Result]:
    return list(found) if all(each.worked.sure >= _LEAST_SURE for each in found) else []


def _is_disputed(found: Sequence[Result]) -> bool:
    """Returns whether another document states a different figure."""
    first = found[0].worked.value if found else 0.0
    return any(abs(each.worked.value - first) > 1e-3 * max(abs(first), 1e-9) for each in found[1:])


def _verdicts(claim: _Claim, case: Case, used: Sequence[Result]) -> list[float | None]:
    """Returns each part's relative error, 0 if it is supported, ``None`` if undecided."""
    now = used[-1].worked.value
    factor = 100.0 if case.measure.unit == "%" else 1.0
    verdicts: list[float | None] = []
    if claim.level:
        currency = used[-1].worked.inputs[0].currency if used[-1].worked.inputs else None
        verdicts.append(_miss(claim.level, now * factor) if _has_unit_of_measure(claim.level, currency, case) else None)
    if claim.asked.way:
        moved = now - used[0].worked.value
        verdicts.append(0.0 if moved * claim.asked.way > 0 else 1.0 if moved else None)
        if claim.by and claim.by.unit == "percent":
            before = used[0].worked.value
            verdicts.append(_miss(claim.by, abs(moved) / before * 100, rounded=True) if before > 0 else None)
        elif claim.by:
            verdicts.append(_miss(claim.by, abs(moved)))
    return verdicts


def _has_unit_of_measure(level: Quantity, currency: str | None, case: Case) -> bool:
    """Returns whether ``level`` is in the measure's unit."""
    if case.measure.unit == "%":
        return level.unit == "percent"
    same = not level.unit or not currency or level.unit == currency
    return same and level.unit != "percent" and case.measure.is_money


def _miss(claimed: Quantity, truth: float, rounded: bool = False) -> float | None:
    """Returns the relative error; ``rounded``: rounding in the last digit is accepted at any size, as for
    percentages."""
    if claimed.is_range:
        return 0.0 if claimed.low <= truth <= claimed.high else 1.0
    value, slack = claimed.low, claimed.step / 2
    off = abs(value - truth) / max(abs(truth), 1e-9)
    if claimed.limit in ("least", "most"):
        kept = truth >= value - 1e-9 if claimed.limit == "least" else truth <= value + 1e-9
        return 0.0 if kept else max(off, 1e-9)
    if claimed.near:
        return 0.0 if off <= _NEAR else off if off > _FAR else None
    if abs(value - truth) <= slack * (1 + 1e-9) + 1e-9:
        return 0.0 if rounded or claimed.step <= _ROUNDED * abs(value) or abs(value - truth) < 1e-9 else None
    return off
