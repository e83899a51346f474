"""Converts arithmetic over columns in square brackets to SQL: ``[On hand] * [Unit cost]``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import fail

_NAME = re.compile(r"\[([^\[\]]+)\]")
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
MOST_CHARACTERS = 500


@dataclass(frozen=True)
class Term:
    """A part of an expression in SQL. ``unit`` is its unit or currency, ``unit_sql`` the SQL of a unit that differs
    from row to row; ``is_date`` is set for a date."""

    sql: str
    unit: str = ""
    unit_sql: str = ""
    is_money: bool = False
    is_date: bool = False
    is_percent: bool = False

    @property
    def has_unit(self) -> bool:
        return bool(self.unit or self.unit_sql)


def names_in(expression: str) -> list[str]:
    """Returns the names in square brackets, in order."""
    return _NAME.findall(expression)


def arithmetic(expression: str, term_of: Callable[[str], Term]) -> Term:
    """Returns ``expression`` in SQL, with its unit: amounts of one unit can be added; a division of two such
    amounts has none. A division by zero gives no value.

    Raises:
        PalimpsestError: it is no arithmetic, names an unknown column, or adds different units ("validation").
    """
    if len(expression) > MOST_CHARACTERS:
        raise _unusable(expression)
    terms: dict[str, Term] = {}

    def placeholder(found: re.Match[str]) -> str:
        name = f"n{len(terms)}"
        terms[name] = term_of(found.group(1))
        return f" {name} "

    try:
        tree = ast.parse(_NAME.sub(placeholder, expression).strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unusable(expression) from error
    return _term(tree.body, terms, expression)


def _term(node: ast.expr, terms: dict[str, Term], expression: str) -> Term:
    match node:
        case ast.Name(id=name) if name in terms:
            return terms[name]
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            return Term(repr(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _term(operand, terms, expression)
            return Term(f"(-{inner.sql})", inner.unit, inner.unit_sql, inner.is_money)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _combined(
                _term(left, terms, expression), _SIGNS[type(sign)], _term(right, terms, expression), expression
            )
    raise _unusable(expression)


def _combined(left: Term, sign: str, right: Term, expression: str) -> Term:
    if left.is_date and right.is_date and sign == "-":
        return Term(f"date_diff('day', {right.sql}, {left.sql})")
    if left.is_date or right.is_date:
        raise _unusable(expression)
    holder = left if left.has_unit else right
    same = (left.unit, left.unit_sql) == (right.unit, right.unit_sql)
    unit, unit_sql, is_money = holder.unit, holder.unit_sql, holder.is_money
    if sign in "+-" and left.has_unit and right.has_unit and not same:
        raise fail("validation", "datasets.different_units", expression=expression)
    if sign in "*/" and left.has_unit and right.has_unit:
        # 3 stems × 2 € a stem is an amount of money; of two other units the product has no known unit.
        money = [term for term in (left, right) if term.is_money]
        kept = money[0] if len(money) == 1 and not (sign == "/" and money[0] is right) else None
        unit, unit_sql, is_money = (kept.unit, kept.unit_sql, True) if kept else ("", "", False)
    if sign == "/" and not left.has_unit and right.has_unit:
        unit, unit_sql, is_money = "", "", False
    divisor = f"nullif({right.sql}, 0)" if sign == "/" else right.sql
    sql = f"({left.sql} {sign} {divisor})"
    both_percent = left.is_percent and right.is_percent and sign in "+-"
    return Term(sql, unit, unit_sql, is_money, is_percent=both_percent)


def _unusable(expression: str) -> Exception:
    return fail("validation", "datasets.expression", expression=expression[:MOST_CHARACTERS])
