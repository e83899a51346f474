"""Computes a measure that is a formula, such as a margin, from the rows that report its operands."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, mul, sub, truediv

from core.figures.numbers import MINUS
from core.figures.stored.records import StoredFigure
from core.question.measures.formulas import Formula, Term, formulas_of

_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", add),
    ast.Sub: (MINUS, sub),
    ast.Mult: ("×", mul),
    ast.Div: ("÷", truediv),
}


_DEEPEST = 1


@dataclass(frozen=True)
class Computed:
    """A computed value with its calculation, in the figures as printed."""

    value: float
    shown: str
    cells: tuple[StoredFigure, ...] = ()
    is_simple: bool = True


def operands(formula: Formula, depth: int = 0) -> dict[str, Term]:
    """Returns the figures of a formula by key, with those from which they are computed where no row reports them; none
    if it averages periods."""
    called = {
        node.func.id
        for node in ast.walk(formula.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    if called - {"present"}:
        return {}
    found: dict[str, Term] = {}
    for term in formula.terms.values():
        if isinstance(term, Formula):
            found |= operands(term, depth)
            continue
        found[term.name] = term
        for inner in formulas_of(term.key)[:1] if term.key and depth < _DEEPEST else ():
            found |= operands(inner, depth + 1)
    return found


def compute(formula: Formula, given: Mapping[str, StoredFigure]) -> Computed | None:
    """Evaluates a formula over cells of one period, by the key of their figure; ``None`` if an operand is missing or a
    divisor is zero."""
    return _node(formula.tree, formula, given)


def unscaled(cell: StoredFigure, *, cost: bool = False) -> float:
    """Returns the value of a cell in full; a cost is positive however it is printed."""
    value = cell.value * cell.scale
    return abs(value) if cost else value


def step_of(cell: StoredFigure) -> float:
    """Returns the smallest difference that the cell's printed digits show, in full: 1e6 for "4,321" in millions."""
    return cell.scale / 10.0 ** decimals_of(cell.text)


def decimals_of(text: str) -> int:
    """Returns the number of decimals that a cell prints."""
    whole = text.strip().rstrip("%) ").split(".")
    return len(whole[1]) if len(whole) == 2 and whole[1].isdigit() else 0


def printed(cell: StoredFigure, *, cost: bool = False) -> str:
    """Returns a cell as it appears in a calculation: without its currency sign, and with a minus for brackets. A cost
    has no sign."""
    text = cell.text.strip().lstrip("$€£₪ ").strip()
    if cost or not text.startswith("("):
        return text.strip("()").lstrip("$€£₪ ")
    return f"({MINUS}{text.strip('()').lstrip('$€£₪ ')})"


def _node(node: ast.expr, formula: Formula, given: Mapping[str, StoredFigure]) -> Computed | None:
    if isinstance(node, ast.Constant):
        return Computed(float(str(node.value)), f"{node.value:g}" if isinstance(node.value, int | float) else "")
    if isinstance(node, ast.Name):
        term = formula.terms[node.id]
        if isinstance(term, Formula):
            return compute(term, given)
        cell = given.get(term.name)
        if cell is None:
            return next((made for own in formulas_of(term.key)[:1] if (made := compute(own, given))), None)
        return Computed(unscaled(cell, cost=term.figure.cost), printed(cell, cost=term.figure.cost), (cell,))
    if isinstance(node, ast.UnaryOp):
        inner = _node(node.operand, formula, given)
        return Computed(-inner.value, f"{MINUS}{inner.shown}", inner.cells) if inner else None
    if isinstance(node, ast.Call):
        parts = [part for each in node.args if (part := _node(each, formula, given))]
        if not parts:
            return Computed(0.0, "0")
        shown = " + ".join(part.shown for part in parts)
        cells = tuple(cell for part in parts for cell in part.cells)
        return Computed(sum(part.value for part in parts), shown, cells, len(parts) == 1)
    assert isinstance(node, ast.BinOp)
    return _operation(node, _node(node.left, formula, given), _node(node.right, formula, given))


def _operation(node: ast.BinOp, left: Computed | None, right: Computed | None) -> Computed | None:
    if left is None or right is None or (isinstance(node.op, ast.Div) and not right.value):
        return None
    sign, operation = _OPERATORS[type(node.op)]
    shown = f"{_bracketed(left, node.op)} {sign} {_bracketed(right, node.op)}"
    return Computed(operation(left.value, right.value), shown, (*left.cells, *right.cells), is_simple=False)


def _bracketed(part: Computed, within: ast.operator) -> str:
    return part.shown if part.is_simple or isinstance(within, ast.Add) else f"({part.shown})"
