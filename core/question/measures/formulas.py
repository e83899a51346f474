"""Parses formulas over figures (written in braces, or given by position) into an expression tree for calculation.

Only sums, differences, products, quotients, numbers, ``average``, ``change`` and ``present`` are allowed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from core.language.fields import Figure, figures

_BRACED = re.compile(r"\{([^{}]+)\}")
_FUNCTIONS = {"average": 1, "change": 1, "present": None}
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_MOST_NODES = 200


@dataclass(frozen=True)
class Term:
    """A figure in a formula: its ``key`` in the vocabulary (empty if the question describes it in other words), and its
    own ``periods`` if the formula names them."""

    key: str
    figure: Figure
    periods: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.key or self.figure.names[0]


@dataclass(frozen=True)
class Formula:
    """A formula; ``terms`` by their names in ``tree``; ``text`` for display."""

    text: str
    tree: ast.expr
    terms: dict[str, Term | Formula]


def formula_of(text: str, place: Callable[[str], Term | Formula | None]) -> Formula | None:
    """Parses "{operating income} / {revenue}"; returns ``None`` if the text is not a formula, or if ``place`` cannot
    resolve a figure in it."""
    terms: dict[str, Term | Formula] = {}

    def put(match: re.Match[str]) -> str:
        found = place(match[1])
        if found is None:
            return "?"
        name = f"f{len(terms)}"
        terms[name] = found
        return name

    tree = _parsed(_BRACED.sub(put, text), terms)
    return Formula(_BRACED.sub(r"\1", text), tree, terms) if tree is not None and terms else None


def _parsed(text: str, terms: dict[str, Term | Formula]) -> ast.expr | None:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    nodes = list(ast.walk(tree))
    return tree if len(nodes) <= _MOST_NODES and all(_is_allowed(node, terms) for node in nodes) else None


def _is_allowed(node: ast.AST, terms: dict[str, Term | Formula]) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OPERATORS)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords
        return known and (node.func.id == "present" or len(node.args) == 1)  # type: ignore[attr-defined]
    if isinstance(node, ast.Name):
        return node.id in terms or node.id in _FUNCTIONS
    return isinstance(node, ast.operator | ast.unaryop | ast.expr_context)


@cache
def formulas_of(key: str) -> tuple[Formula, ...]:
    """Returns the formulas of a vocabulary figure, most likely first."""
    made = (formula_of(text, term_of) for text in figures()[key].formula)
    return tuple(each for each in made if each is not None)


def term_of(key: str) -> Term | None:
    figure = figures().get(key)
    return Term(key, figure) if figure else None


def is_averaged(formula: Formula) -> bool:
    """Returns whether the formula, or one of its parts, uses the average of two balances."""
    if any(isinstance(node, ast.Name) and node.id == "average" for node in ast.walk(formula.tree)):
        return True
    inner = [own for term in formula.terms.values() for own in _formulas_within(term)]
    return any(map(is_averaged, inner))


def _formulas_within(term: Term | Formula) -> tuple[Formula, ...]:
    if isinstance(term, Formula):
        return (term,)
    return formulas_of(term.key)[:1] if term.key else ()
