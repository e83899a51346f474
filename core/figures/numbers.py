"""Formats figures and calculations as text."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import message

MINUS = "−"
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "ILS": "₪", "JPY": "¥", "INR": "₹", "CAD": "C$", "AUD": "A$"}
SCALES = {
    1e3: message("answering.scales.thousand"),
    1e6: message("answering.scales.million"),
    1e9: message("answering.scales.billion"),
}
_JOINED = ("x", "×")
"""Units written directly after their figure, without a space."""
_PLACES = 6
"""Decimal places of results; further digits are floating-point noise."""
MOST_TERMS = 20
"""Maximum number of values shown when a sum is written out."""


def plain(value: float, decimals: int = 0) -> str:
    """Formats ``-1577.0`` as ``−1,577``: with grouped digits and a real minus sign; with trailing zeros only if
    requested."""
    shown = f"{abs(value):,.{decimals}f}"
    return f"{MINUS}{shown}" if value < 0 and float(shown.replace(",", "")) else shown


def natural(value: float, most: int = 2) -> str:
    """Formats a number with as many decimals as it has, up to ``most``."""
    rounded = round(value, most)
    return plain(rounded, decimals_of(rounded, 0, most))


def decimals_of(value: float, least: int, most: int) -> int:
    """Returns how many decimals a number has, but at least ``least`` and at most ``most``."""
    return next((count for count in range(least, most) if round(value, count) == value), most)


def figure(
    value: float, unit: str | None = None, scale: float = 1.0, currency: str | None = None, decimals: int = 0,
    language: str = "en",
) -> str:  # fmt: skip
    """Formats ``1577`` in millions of dollars as ``$1,577 million``."""
    shown = plain(value, decimals)
    if unit == "year":
        return str(int(value))
    if unit == "%":
        return f"{shown} %"
    sign = _SIGNS.get(currency or "", f"{currency} " if currency else "")
    shown = f"{MINUS}{sign}{shown[1:]}" if shown.startswith(MINUS) else f"{sign}{shown}"
    if unit in _JOINED:
        return f"{shown}{unit}"
    named = SCALES[scale].to(language) if scale in SCALES else None
    return " ".join(part for part in (shown, named, unit) if part)


def without_float_noise(value: float) -> float:
    """Removes floating-point noise from a result."""
    return round(value, _PLACES)


def sum_of(values: Sequence[float], decimals: int) -> str:
    """Returns a sum as text, ``12 + 5 − 3``; if there are many values, only the first ``MOST_TERMS`` and ``…``."""
    shown = plain(values[0], decimals)
    for value in values[1:MOST_TERMS]:
        shown += f" {MINUS if value < 0 else '+'} {plain(abs(value), decimals)}"
    return shown if len(values) <= MOST_TERMS else f"{shown} + …"


def bracketed(value: float, decimals: int) -> str:
    """Puts a negative second operand in brackets: ``3 − (−2)``."""
    shown = plain(value, decimals)
    return f"({shown})" if shown.startswith(MINUS) else shown
