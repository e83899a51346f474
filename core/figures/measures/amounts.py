"""Formats numbers from value, unit, scale, currency and decimals: "$1,577 million", "34.6 %", "42.10 days"."""

from __future__ import annotations

from dataclasses import dataclass

from core.question.measures.vocabulary import says
from core.words import Language

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "ILS": "₪", "JPY": "¥", "INR": "₹"}
_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}
_DECIMALS = {"%": 1, "x": 2, "days": 1}
_POINTS_OF_SHARES = 2


@dataclass(frozen=True)
class Amount:
    """A number for display; ``value`` is in units of ``scale``; ``unit`` is %, x, days, points or ``None`` for money;
    ``decimals`` is how many decimals are shown."""

    value: float
    unit: str | None = None
    scale: float = 1.0
    currency: str | None = None
    decimals: int = 0

    @property
    def rounded(self) -> float:
        return round(self.value, max(self.decimals, 2) if self.unit == "%" else self.decimals)

    def text(self, language: Language = "en") -> str:
        number = f"{abs(round(self.value, self.decimals)):,.{self.decimals}f}"
        minus = "−" if round(self.value, self.decimals) < 0 else ""
        if self.unit in ("%", "x"):
            return f"{minus}{number} {self.unit}" if self.unit == "%" else f"{minus}{number}x"
        if self.unit in ("days", "points"):
            return f"{minus}{number} {says(self.unit, language)}"
        sign = _SIGNS.get(self.currency or "", f"{self.currency} " if self.currency else "")
        scale = _SCALES.get(self.scale)
        return f"{minus}{sign}{number}" + (f" {says(scale, language)}" if scale else "")


def money(value: float, scale: float, currency: str | None, decimals: int | None, printed: int = 0) -> Amount:
    """Formats a sum of money; ``value`` is unscaled (in single units of the currency). Without ``decimals``, uses as
    many as are ``printed`` in the table, or two if the scale is larger."""
    shown = value / scale
    if decimals is None:
        decimals = printed if abs(shown - round(shown, printed)) < 1e-9 * max(1.0, abs(shown)) else max(printed, 2)
    return Amount(shown, None, scale, currency, decimals)


def ratio(value: float, unit: str, decimals: int | None) -> Amount:
    """Formats a percentage, a multiple or a number of days; the ``value`` of a percentage is a fraction (0.346 for 34.6
    %)."""
    shown = value * 100 if unit in ("%", "points") else value
    if decimals is None:
        decimals = _DECIMALS.get(unit, 1)
        if unit == "%" and shown and abs(shown) < 0.1:
            decimals = _POINTS_OF_SHARES
    return Amount(shown, unit, decimals=decimals)


def decimals_of(text: str) -> int:
    """Returns how many decimals a printed figure has."""
    _, _, after = text.strip().rstrip(")%").rpartition(".") if "." in text else ("", "", "")
    return len(after) if after.isdigit() else 0
