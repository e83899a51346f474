"""Decides without a model whether a clause meets a policy: takes a clause and statements; returns a ruling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from core.figures.measures.amounts import money
from core.language.detection import detect
from core.language.entities.calendar_words import years_in
from core.language.entities.facts import Number, prepared
from core.language.entities.numerals import CURRENCIES
from core.language.entities.quantities import Quantity, converted
from core.language.vocabulary import pattern_of
from core.messages import message, message_group
from core.messages.catalogue import texts
from core.review.actions.records import Statement
from core.review.compliance import Breach, RuleCompliance, rule_compliance
from core.review.quantity_binding import QuantityContext
from core.review.relevance import UNTITLED, ContextLine, Document
from core.words import Words

Verdict = Literal["complies", "conflicts", "not_decided", "not_covered"]
Severity = Literal["high", "medium", "low"]

_MILLION, _BILLION = 1e6, 1e9
FAR = 0.25
"""A limit exceeded by more than this share is a serious breach."""
UNHEARD = 0.55
"""Keyword coverage below which the statements may not cover a clause."""
UNRELATED = 0.45
"""Embedding similarity below which a clause is not covered, if keyword coverage is also too low."""
_BANS = pattern_of("graph/actions.audit_verdicts.bans")


@dataclass(frozen=True)
class Ruling:
    """The decision on a clause; ``place`` is the index of the statement that decided it or is most relevant, ``None``
    if there is none."""

    verdict: Verdict
    reason: Words
    place: int | None = None
    severity: Severity | None = None
    by_figures: bool = False


def rule(
    clause: str,
    statements: Sequence[Statement],
    strength: float | None = None,
    document: Document = UNTITLED,
) -> Ruling:
    """Rules on a clause without a model; ``strength`` is the best statement's embedding similarity (0..1), if known."""
    lines = [_context_line(each, block) for each, block in zip(statements, _blocks(statements), strict=True)]
    kept = rule_compliance(
        clause, lines, document, in_force=lambda line, place: _in_force(clause, statements[line], place)
    )
    place = kept.bearing.lines[0] if kept.bearing else None
    if kept.keeping == "kept":
        return Ruling("complies", _compliance_words(kept), place, by_figures=kept.ours is not None)
    if kept.keeping == "broken" and place is not None and kept.breach:
        severity = _severity(kept, statements[place].text)
        return Ruling("conflicts", _broken(kept, kept.breach), place, severity, kept.breach in ("figure", "date"))
    if statements and all(detect(each.text) != detect(clause) for each in statements):
        return Ruling("not_decided", FOREIGN, place)
    coverage = kept.bearing.coverage if kept.bearing else 0.0
    if coverage < UNHEARD and strength is not None and strength < UNRELATED:
        return Ruling("not_covered", NOT_COVERED)
    return Ruling("not_decided", NOT_DECIDED, place) if coverage > 0 else Ruling("not_decided", UNCERTAIN)


def _blocks(statements: Sequence[Statement]) -> list[int]:
    """Returns a block number for each statement; a new block starts at each section."""
    begins = [each.section != before.section for before, each in pairwise(statements)]
    return [0, *accumulate(begins)][: len(statements)]


def _context_line(statement: Statement, block: int) -> ContextLine:
    columns = statement.quote.columns.text if statement.quote.columns else ""
    return ContextLine(statement.text, f"{statement.section} {columns}".strip(), block)


def _in_force(clause: str, statement: Statement, place: QuantityContext) -> bool:
    """Returns whether the figure is in the table column for the year that the clause names, or for the latest year."""
    if statement.quote.columns is None:
        return True
    heads = [years_in(head) for head in statement.quote.columns.text.split("|")]
    years = {column: str(head[0]) for column, head in enumerate(heads) if head}
    if len(set(years.values())) < 2:
        return True
    named = [year for year in years.values() if year in clause]
    wanted = named[0] if len(named) == 1 else max(years.values())
    column = prepared(statement.text)[: place.quantity.start].count("|")
    return years.get(column, wanted) == wanted


def _severity(kept: RuleCompliance, statement: str) -> Severity:
    if kept.breach == "figure" and kept.ours and kept.theirs:
        theirs = kept.theirs.quantity
        value = converted(kept.ours, theirs)
        bound = theirs.high if value.high > theirs.high else theirs.low
        return "high" if abs(value.high - bound) > FAR * max(abs(bound), 1e-9) else "medium"
    return "high" if kept.breach in ("denied", "opposite") and _BANS.search(statement) else "medium"


def _compliance_words(kept: RuleCompliance) -> Words:
    if kept.ours is None or kept.theirs is None:
        return COMPLIES
    asked, value = _rule_words(kept.theirs.quantity), measured(_in_money(kept.ours, kept.theirs.quantity))
    return message("graph.audit_verdicts.kept", asked=asked, said=value)


def _broken(kept: RuleCompliance, breach: Breach) -> Words:
    if breach != "figure" or kept.ours is None or kept.theirs is None:
        return _BREACHES[breach]
    asked, value = _rule_words(kept.theirs.quantity), measured(_in_money(kept.ours, kept.theirs.quantity))
    return message("graph.audit_verdicts.broken", asked=asked, said=value)


def _in_money(ours: Quantity, theirs: Quantity) -> Quantity:
    """Reads "pound" as money if the rule's unit is GBP."""
    return converted(ours, theirs) if (ours.unit, theirs.unit) == ("pound", "GBP") else ours


def _rule_words(quantity: Quantity) -> Words:
    limit = _LIMITS[quantity.limit or "exactly"]
    value = measured(quantity)
    return Words.joined([limit, value], "")


def measured(quantity: Quantity) -> Words:
    """Formats a quantity (or range) with its unit for display."""
    high = shown(Number(quantity.high, quantity.unit, thing=quantity.thing))
    if not quantity.is_range:
        return high
    low = f"{quantity.low:,.2f}".rstrip("0").rstrip(".")
    return message("graph.audit_verdicts.measured", low=low, high=high)


_LIMITS = {"exactly": Words.alike(""), **message_group("graph.audit_verdicts.limits")}


def shown(number: Number) -> Words:
    """Formats a number with its unit for display; large sums of money in millions or billions."""
    if number.unit in CURRENCIES and number.value >= _MILLION:
        scale = _BILLION if number.value >= _BILLION else _MILLION
        decimals = next((each for each in range(3) if round(number.value / scale, each) * scale == number.value), 3)
        amount = money(number.value, scale, number.unit, decimals)
        return Words(en=amount.text("en"), he=amount.text("he"))
    value = f"{number.value:,.2f}".rstrip("0").rstrip(".")
    unit = number.unit.replace(" ", "_").lower()
    if unit not in _UNITS:
        return Words.alike(f"{value} {number.unit or number.thing}".strip())
    return message(f"graph.audit_verdicts.units.{unit}", value=value, count=1 if number.value == 1 else 2)


_OF_UNITS = "graph.audit_verdicts.units."
_UNITS = frozenset(key.removeprefix(_OF_UNITS) for key in texts("en") if key.startswith(_OF_UNITS))

COMPLIES = message("graph.audit_verdicts.complies")
CONFLICTS = message("graph.audit_verdicts.conflicts")
NOT_COVERED = message("graph.audit_verdicts.not_covered")
NOT_DECIDED = message("graph.audit_verdicts.not_decided")
UNCERTAIN = message("graph.audit_verdicts.uncertain")
FOREIGN = message("graph.audit_verdicts.foreign")
_BREACHES = {"figure": CONFLICTS, **message_group("graph.audit_verdicts.breaches")}
