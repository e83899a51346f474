"""Calculates a figure: takes a formula, a period and documents; returns its value, source cells and calculation."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import add, mul, sub, truediv

from core.figures.measures.columns import year_before
from core.figures.measures.readings import FIRM, Reading, is_same_value, parts, readings, rivals, run_in
from core.figures.measures.statements import DocumentStatements
from core.question.measures.formulas import Formula, Term, formulas_of

SURE_PRINT = 0.8
"""Minimum certainty of a printed row to be preferred to a calculated value."""
_DERIVED = 0.98
_ALTERNATIVE = 0.9
_RIVALLED = 0.7
_DEEPEST = 6


@dataclass(frozen=True)
class DerivedFigure:
    """A calculated figure; ``value`` is unscaled; ``power`` says in which power of money it is: 1 for money, 0 for a
    ratio; ``sure`` is the certainty, 0..1.

    ``shown`` is the calculation with figures as printed, ``rivals`` are cells that give a different value.
    """

    value: float
    power: int
    sure: float
    shown: str
    inputs: tuple[Reading, ...] = ()
    rivals: tuple[Reading, ...] = ()
    whole: bool = True
    formula: str = ""


@dataclass(frozen=True)
class Derivation:
    """Calculates figures from one document. ``closing``: uses only year-end balances instead of two-year averages.

    ``write`` formats a figure from a cell as text.
    """

    book: DocumentStatements
    write: Callable[[Reading], str]
    closing: bool = False

    def work(self, measure: Term | Formula, period: str, depth: int = 0) -> DerivedFigure | None:
        """Returns ``None`` if the document lacks a required figure."""
        if depth > _DEEPEST:
            return None
        if isinstance(measure, Formula):
            return self._formula(measure, period, depth)
        period = measure.periods[-1] if measure.periods else period
        printed = self._printed_figure(measure, period)
        if not measure.key or not measure.figure.formula:
            return printed
        if printed and printed.sure >= SURE_PRINT and measure.figure.unit is None:
            return printed
        for number, formula in enumerate(formulas_of(measure.key)):
            made = self._formula(formula, period, depth + 1)
            if made and (made.whole or printed is None):
                return replace(made, sure=made.sure * (_ALTERNATIVE if number else _DERIVED))
        return printed

    def _printed_figure(self, term: Term, period: str) -> DerivedFigure | None:
        found = readings(self.book, term.key, term.figure, period)
        if (not found or found[0].score < FIRM) and (under := parts(self.book, term.key, term.figure, period)):
            return _summed(under, self.write)
        if not found:
            return None
        if under := run_in(self.book, found[0], term.figure, period):
            return _summed(under, self.write)
        best, against = found[0], rivals(found)
        agreeing = sum(is_same_value(each, best) for each in found[1:])
        sure = min(1.0, best.score + 0.03 * min(agreeing, 2)) * (_RIVALLED if against else 1.0)
        power = 0 if term.figure.unit == "%" else 1
        value = best.value / 100 if term.figure.unit == "%" else best.value
        return DerivedFigure(value, power, sure, self.write(best), (best,), tuple(against))

    def _formula(self, formula: Formula, period: str, depth: int) -> DerivedFigure | None:
        made = self._node(formula.tree, formula, period, depth)
        return replace(made, formula=formula.text) if made else None

    def _node(self, node: ast.expr, formula: Formula, period: str, depth: int) -> DerivedFigure | None:
        if isinstance(node, ast.Constant):
            number = float(str(node.value))
            return DerivedFigure(number, 0, 1.0, f"{number:g}")
        if isinstance(node, ast.Name):
            return self._term(formula.terms[node.id], period, depth)
        if isinstance(node, ast.UnaryOp):
            inner = self._node(node.operand, formula, period, depth)
            return replace(inner, value=-inner.value, shown=f"−{inner.shown}") if inner else None
        if isinstance(node, ast.Call):
            return self._call(node, formula, period, depth)
        assert isinstance(node, ast.BinOp)
        left = self._node(node.left, formula, period, depth)
        right = self._node(node.right, formula, period, depth)
        return _operation_result(node, left, right) if left and right else None

    def _term(self, term: Term | Formula, period: str, depth: int) -> DerivedFigure | None:
        made = self.work(term, period, depth + 1)
        if made is not None and len(made.inputs) > 1 and not made.shown.startswith("("):
            return replace(made, shown=f"({made.shown})")
        return made

    def _call(self, node: ast.Call, formula: Formula, period: str, depth: int) -> DerivedFigure | None:
        name = node.func.id  # type: ignore[attr-defined]
        if name == "present":
            return self._present([self._node(each, formula, period, depth) for each in node.args])
        last, first = _last_and_first_period(node.args[0], formula, period)
        now = self._derived_for_period(node.args[0], formula, last, depth)
        if name == "average" and self.closing:
            return now
        before = self._derived_for_period(node.args[0], formula, first, depth)
        if now is None or before is None:
            return replace(now, whole=False) if now and name == "average" else None
        if name == "change":
            return _combined_figure(now.value - before.value, now.power, f"({now.shown} − {before.shown})", now, before)
        return _combined_figure(
            (now.value + before.value) / 2, now.power, f"({now.shown} + {before.shown}) ÷ 2", now, before
        )

    def _derived_for_period(self, node: ast.expr, formula: Formula, period: str, depth: int) -> DerivedFigure | None:
        own = {
            name: replace(term, periods=()) if isinstance(term, Term) else term for name, term in formula.terms.items()
        }
        return self._node(node, replace(formula, terms=own), period, depth)

    def _present(self, parts: list[DerivedFigure | None]) -> DerivedFigure:
        found: list[DerivedFigure] = []
        for part in parts:
            if part and not any(_same_cell(part, other) for other in found):
                found.append(part)
        if not found:
            return DerivedFigure(0.0, 1, 1.0, "0")
        shown = " + ".join(each.shown for each in found)
        return _combined_figure(sum(each.value for each in found), found[0].power, shown, *found)


def _summed(under: list[Reading], write: Callable[[Reading], str]) -> DerivedFigure:
    shown = f"({' + '.join(map(write, under))})"
    sure = min(each.score for each in under) * _DERIVED
    return DerivedFigure(sum(each.value for each in under), 1, min(1.0, sure), shown, tuple(under))


def _same_cell(one: DerivedFigure, other: DerivedFigure) -> bool:
    places = {(id(each.statement), each.row, each.place.column) for each in other.inputs}
    return any((id(each.statement), each.row, each.place.column) in places for each in one.inputs)


def _last_and_first_period(node: ast.expr, formula: Formula, period: str) -> tuple[str, str]:
    """Returns the last and first period of an average or a change: those that the formula states, or else the requested
    period and the year before."""
    term = formula.terms.get(node.id) if isinstance(node, ast.Name) else None
    own = sorted(term.periods) if isinstance(term, Term) else []
    if len(own) >= 2:
        return own[-1], own[0]
    last = own[0] if own else period
    return last, year_before(last)


_OPERATIONS: dict[type[ast.operator], tuple[str, Callable[[float, float], float], int]] = {
    ast.Add: ("+", add, 0),
    ast.Sub: ("−", sub, 0),
    ast.Mult: ("×", mul, 1),
    ast.Div: ("÷", truediv, -1),
}
"""For each operator: its sign, its function, and how the second operand's power of money changes that of the first (+1
for a product, -1 for a quotient)."""


def _operation_result(node: ast.BinOp, left: DerivedFigure, right: DerivedFigure) -> DerivedFigure | None:
    sign, work, counted = _OPERATIONS[type(node.op)]
    if isinstance(node.op, ast.Div) and right.value == 0:
        return None
    value, power = work(left.value, right.value), left.power + counted * right.power
    low = isinstance(node.op, ast.Mult | ast.Div)
    one = f"({left.shown})" if low and _is_sum(node.left, left) else left.shown
    two = f"({right.shown})" if _needs_brackets(node, right) else right.shown
    return _combined_figure(value, power, f"{one} {sign} {two}", left, right)


def _is_sum(node: ast.expr, worked: DerivedFigure) -> bool:
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return (is_sum or isinstance(node, ast.Call)) and len(worked.inputs) > 1 and not _is_bracketed(worked.shown)


def _needs_brackets(node: ast.BinOp, right: DerivedFigure) -> bool:
    if _is_bracketed(right.shown) or len(right.inputs) < 2:
        return False
    is_sum = _is_sum(node.right, right)
    return (isinstance(node.op, ast.Div)) or (is_sum and not isinstance(node.op, ast.Add))


def _is_bracketed(shown: str) -> bool:
    depth = 0
    for place, character in enumerate(shown):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(shown) - 1 and shown.startswith("(")
    return False


def _combined_figure(value: float, power: int, shown: str, *parts: DerivedFigure) -> DerivedFigure:
    inputs = tuple(dict.fromkeys(reading for part in parts for reading in part.inputs))
    against = tuple(reading for part in parts for reading in part.rivals)
    sure = min(part.sure for part in parts)
    return DerivedFigure(value, power, sure, shown, inputs, against, all(part.whole for part in parts))
