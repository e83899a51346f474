"""Calculates with cited figures for a model: the result shows the formula, the numbers and their citations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from pydantic import BaseModel

from core.errors import fail
from core.figures.stored.records import FigureLookup
from core.figures.tools.figure_passages import key_of, operand_of
from core.tools.calculation import CalculationError, Quantity, evaluate, names_in, quantity
from core.tools.evidence import Operand
from core.tools.tool import Caller, ToolResult

MOST_VALUES = 40
_SHARE = Decimal(10)
"""A ratio of at most this size is also shown in percent."""
_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}


class GivenValue(BaseModel):
    """A value with its name: a ``figure`` by the key that a lookup returned, or a ``number`` that stands in the
    ``source`` with this citation number. ``unit`` is "%", a currency, or another unit."""

    name: str
    figure: str = ""
    number: float | None = None
    scale: float = 1.0
    unit: str = ""
    source: int = 0


class CalculationCall(BaseModel):
    """The arguments of ``calculate``; their descriptions are in the tool's definition."""

    expression: str
    values: list[GivenValue] = []


class Calculating:
    """The tool ``calculate``."""

    def __init__(self, figures: FigureLookup) -> None:
        self._figures = figures

    async def call(self, asked: CalculationCall, caller: Caller) -> ToolResult:
        """The result with its formula and its operands.

        Raises:
            PalimpsestError: the expression or a value cannot be used ("validation"); the error says what to change.
        """
        try:
            operands = await self._operands(asked, caller)
            return _told(asked.expression, operands)
        except CalculationError as error:
            raise fail("validation", "tools.calculation", why=str(error)) from error

    async def _operands(self, asked: CalculationCall, caller: Caller) -> list[Operand]:
        """The operands in the order of the expression."""
        given = {each.name: each for each in asked.values[:MOST_VALUES]}
        names = names_in(asked.expression)
        if not names:
            raise CalculationError(
                "The expression has no values. Look up figures first, then use their names: f1 / f2."
            )
        found = []
        for name in names:
            operand = await self._operand(name, given, caller)
            found.append(operand.model_copy(update={"name": name}))
        return found

    async def _operand(self, name: str, given: Mapping[str, GivenValue], caller: Caller) -> Operand:
        value = given.get(name)
        known = caller.evidence.operands.get(value.figure if value and value.figure else name)
        if known is not None and (value is None or value.number is None):
            return known
        if value is None:
            there = ", ".join(caller.evidence.operands) or "none"
            raise CalculationError(f"There is no value {name}. There are: {there}. Give others in “values”.")
        if value.figure:
            return await self._stored(value, caller)
        return _from_source(value, caller)

    async def _stored(self, value: GivenValue, caller: Caller) -> Operand:
        document_id = value.figure.split("/")[0]
        for figure in await self._figures.of_document(caller.user_id, document_id):
            if key_of(figure) == value.figure:
                return operand_of(figure, value.source)
        raise CalculationError(f"There is no figure {value.figure}. Use the key that look_up_figures returned.")


def _from_source(value: GivenValue, caller: Caller) -> Operand:
    """A number from a source; it must stand there."""
    if value.number is None:
        raise CalculationError(f"The value {value.name} needs a number and its source, or a figure.")
    evidence = caller.evidence
    if evidence.answers and not evidence.has_number(value.source, value.number):
        raise CalculationError(f"The number {value.number:,.10g} is not in source [{value.source}]. Check both.")
    source = evidence.source(value.source)
    currency = value.unit.strip().upper() if re.fullmatch(r"[A-Za-z]{3}", value.unit.strip()) else ""
    return Operand(
        key=f"[{value.source}] {value.number}",
        label=source.title if source else "",
        value=value.number,
        scale=value.scale,
        unit="" if currency else value.unit.strip(),
        currency=currency,
        source=value.source,
    )


def _told(expression: str, operands: Sequence[Operand]) -> ToolResult:
    currencies = sorted({each.currency for each in operands if each.currency})
    if len(currencies) > 1:
        raise CalculationError(
            f"The values are in different currencies ({', '.join(currencies)}). Use values of one currency; rates are "
            "not known here."
        )
    result = evaluate(expression, {each.name: _quantity(each) for each in operands})
    by_name = {each.name: each for each in operands}
    names = "|".join(sorted(map(re.escape, by_name), key=len, reverse=True))
    shown = re.sub(rf"\b(?:{names})\b", lambda found: _number(by_name[found.group()]), expression)
    lines = [f"{expression} = {shown} = {_result(result, expression, operands)}"]
    lines += [f"{each.name}: {_described(each)}" for each in operands]
    text = "\n".join(lines)
    return ToolResult(text=text, parts=[text], cited=True)


def _quantity(operand: Operand) -> Quantity:
    return quantity(operand.value, operand.scale, operand.unit, operand.currency)


def _number(operand: Operand) -> str:
    """The operand in the formula: as printed, with its scale in words."""
    printed = f"{operand.value:,.10g}"
    if operand.unit == "%":
        return f"{printed} %"
    return " ".join(part for part in (printed, _SCALES.get(operand.scale, "")) if part)


def _result(result: Quantity, expression: str, operands: Sequence[Operand]) -> str:
    if result.percent:
        return f"{_rounded(result.value * 100)} %"
    if not result.units:
        percent = abs(result.value) <= _SHARE and "100" not in expression
        return f"{_rounded(result.value)}{f' ({_rounded(result.value * 100)} %)' if percent else ''}"
    scale = next((each.scale for each in operands if each.scale != 1.0), 1.0)
    units = [unit if power == 1 else f"{unit}^{power}" for unit, power in result.units if unit != "?"]
    simple = all(power == 1 for _, power in result.units) and len(result.units) == 1
    value = result.value / Decimal(str(scale)) if simple else result.value
    words = [_rounded(value), _SCALES.get(scale, "") if simple else "", " ".join(units)]
    return " ".join(word for word in words if word)


def _rounded(value: Decimal) -> str:
    """Six significant digits, or all digits before the point."""
    places = max(0, 5 - value.adjusted()) if value else 0
    text = f"{round(value, min(places, 12)):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _described(operand: Operand) -> str:
    page = f"page {operand.page}" if operand.page else ""
    words = [operand.label, operand.period, f"{_number(operand)} {operand.currency or operand.unit.strip('%')}".strip()]
    place = " · ".join(part for part in (operand.title, page) if part)
    mark = f" [{operand.source}]" if operand.source else ""
    return f"{', '.join(word for word in words if word)}{mark}{f' ({place})' if place else ''}"
