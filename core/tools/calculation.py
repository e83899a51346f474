"""Evaluates an expression over named quantities: scales are applied, percents are fractions, units are checked.

Allowed: + - * / ** and parentheses, the names of the quantities, numbers, and the functions sum, avg, min, max, abs and
round. Nothing else is evaluated (docs/specification.md, "Tools").
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, localcontext

LONGEST = 500
"""Maximum characters of an expression."""
MOST_PARTS = 120
"""Maximum number of parts (names, numbers, operations) of an expression."""
DIGITS = 28
"""Digits of precision."""
LARGEST_POWER = 100
PERCENT = "%"
UNKNOWN = "?"
"""The unit of a figure whose table names none; it agrees with every other unit."""
_NO_NUMBER = "The result is not a number: a division by zero, or a too large value."


class CalculationError(ValueError):
    """The expression cannot be evaluated; the text says what to change."""


@dataclass(frozen=True)
class Quantity:
    """A number with its units, each with its power: dollars by share is ``(("USD", 1), ("share", -1))``.

    ``percent``: a share that is shown in percent. ``literal``: a number of the expression itself.
    """

    value: Decimal
    units: tuple[tuple[str, int], ...] = ()
    percent: bool = False
    literal: bool = False


def quantity(value: float, scale: float = 1.0, unit: str = "", currency: str = "") -> Quantity:
    """A figure as a quantity. ``value`` is as printed; a percent becomes a fraction."""
    exact = Decimal(str(value)) * Decimal(str(scale))
    if unit == PERCENT:
        return Quantity(exact / 100, percent=True)
    return Quantity(exact, ((currency or unit or UNKNOWN, 1),))


def evaluate(expression: str, quantities: Mapping[str, Quantity]) -> Quantity:
    """The value of ``expression``.

    >>> evaluate("f1 / f2 - 1", {"f1": quantity(110), "f2": quantity(100)}).value
    Decimal('0.1')

    Raises:
        CalculationError: it is not an expression of the allowed kind, or its units do not fit.
    """
    tree = parsed(expression)
    with localcontext(Context(prec=DIGITS)):
        try:
            result = _Evaluation(quantities).of(tree)
        except (DecimalException, OverflowError) as error:
            raise CalculationError(_NO_NUMBER) from error
    if not result.value.is_finite():
        raise CalculationError(_NO_NUMBER)
    return result


def names_in(expression: str) -> list[str]:
    """The names of quantities in ``expression``, in order, without duplicates. Raises ``CalculationError``."""
    called = {node.func for node in ast.walk(parsed(expression)) if isinstance(node, ast.Call)}
    found = (node for node in ast.walk(parsed(expression)) if isinstance(node, ast.Name))
    functions = {each.id for each in called if isinstance(each, ast.Name)}
    ordered = sorted(found, key=lambda node: node.col_offset)
    return list(dict.fromkeys(node.id for node in ordered if node.id not in functions))


def parsed(expression: str) -> ast.expr:
    """The parts of ``expression``. Raises ``CalculationError``."""
    bare = expression.strip().replace("×", "*").replace("÷", "/").replace("−", "-").replace("^", "**")
    if not bare or len(bare) > LONGEST:
        raise CalculationError(f"Give an expression of 1 to {LONGEST} characters.")
    try:
        tree = ast.parse(bare, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CalculationError(f"“{expression}” is not an expression. Write for example: f1 / f2 - 1") from error
    if sum(1 for _ in ast.walk(tree)) > MOST_PARTS:
        raise CalculationError("The expression is too long. Calculate its parts one by one.")
    return tree


class _Evaluation:
    """Evaluates the parts of one expression."""

    def __init__(self, quantities: Mapping[str, Quantity]) -> None:
        self._quantities = quantities

    def of(self, node: ast.expr) -> Quantity:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return Quantity(Decimal(str(node.value)), literal=True)
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self.of(node.operand)
            return inner if isinstance(node.op, ast.UAdd) else _with(inner, -inner.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            return _OPERATIONS[type(node.op)](self.of(node.left), self.of(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._called(node.func.id, node.args)
        raise CalculationError("Use only + - * / **, parentheses, names, numbers and sum, avg, min, max, abs, round.")

    def _named(self, name: str) -> Quantity:
        if name not in self._quantities:
            there = ", ".join(self._quantities) or "none"
            raise CalculationError(f"There is no value {name}. There are: {there}.")
        return self._quantities[name]

    def _called(self, name: str, arguments: Sequence[ast.expr]) -> Quantity:
        given = [self.of(each) for each in arguments]
        if name == "round" and len(given) == 2:
            places = max(-DIGITS, min(DIGITS, int(given[1].value)))
            return _with(given[0], Decimal(round(given[0].value, places)))
        if name in _ONE and len(given) == 1:
            return _with(given[0], _ONE[name](given[0].value))
        if name not in _SEVERAL or not given:
            raise CalculationError(f"There is no function {name} for {len(given)} values.")
        first = given[0]
        for each in given[1:]:
            first = _alike(first, each)
        return _with(first, _SEVERAL[name]([each.value for each in given]))


def _mean(values: list[Decimal]) -> Decimal:
    return sum(values, Decimal(0)) / len(values)


_ONE: Mapping[str, Callable[[Decimal], Decimal]] = {"abs": abs, "round": lambda value: Decimal(round(value))}
_SEVERAL: Mapping[str, Callable[[list[Decimal]], Decimal]] = {
    "sum": lambda values: sum(values, Decimal(0)),
    "avg": _mean,
    "mean": _mean,
    "min": min,
    "max": max,
}


def _with(given: Quantity, value: Decimal) -> Quantity:
    return Quantity(value, given.units, given.percent, given.literal)


def _alike(one: Quantity, other: Quantity) -> Quantity:
    """The kind of a sum of both. Raises ``CalculationError`` if they cannot be added or compared."""
    if one.literal or other.literal:
        rest = other if one.literal else one
        if rest.units and not (one.literal and other.literal):
            units = _words(rest.units)
            raise CalculationError(
                f"A bare number cannot be added to or compared with a value in {units}. Give its unit too."
            )
        return Quantity(Decimal(0), percent=False, literal=one.literal and other.literal)
    if one.units == other.units:
        return Quantity(Decimal(0), one.units, one.percent and other.percent)
    if UNKNOWN in dict(one.units) or UNKNOWN in dict(other.units):
        return other if UNKNOWN in dict(one.units) else one
    raise CalculationError(
        f"{_words(one.units)} and {_words(other.units)} cannot be added or compared. Use values of the same unit."
    )


def _words(units: tuple[tuple[str, int], ...]) -> str:
    named = [unit if power == 1 else f"{unit}^{power}" for unit, power in units]
    return " × ".join(named) or "no unit"


def _added(sign: int) -> Callable[[Quantity, Quantity], Quantity]:
    return lambda one, other: _with(_alike(one, other), one.value + sign * other.value)


def _joined(sign: int) -> Callable[[Quantity, Quantity], Quantity]:
    work = operator.mul if sign > 0 else operator.truediv

    def joined(one: Quantity, other: Quantity) -> Quantity:
        powers = dict(one.units)
        for unit, power in other.units:
            powers[unit] = powers.get(unit, 0) + sign * power
        units = tuple((unit, power) for unit, power in powers.items() if power)
        ratio = sign < 0 and one.units == ((UNKNOWN, 1),) and len(other.units) == 1
        percent = (one.percent and other.literal) or (other.percent and one.literal and sign > 0)
        units = () if ratio or (sign < 0 and other.units == ((UNKNOWN, 1),) and len(one.units) == 1) else units
        return Quantity(work(one.value, other.value), units, percent, one.literal and other.literal)

    return joined


def _raised(one: Quantity, other: Quantity) -> Quantity:
    if other.units or abs(other.value) > LARGEST_POWER:
        raise CalculationError(f"A power must be a number of at most {LARGEST_POWER}.")
    whole = other.value == int(other.value)
    if one.units and not whole:
        raise CalculationError("Only a ratio can be raised to a part of a power.")
    units = tuple((unit, power * int(other.value)) for unit, power in one.units if other.value)
    return Quantity(one.value**other.value, units, literal=one.literal and other.literal)


_OPERATIONS: Mapping[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: _added(1),
    ast.Sub: _added(-1),
    ast.Mult: _joined(1),
    ast.Div: _joined(-1),
    ast.Pow: _raised,
}
