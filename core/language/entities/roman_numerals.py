"""Converts numbers to Roman numerals and back."""

from __future__ import annotations

_VALUES = {
    "M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5,
    "IV": 4, "I": 1,
}  # fmt: skip
_MOST_OF_A_SIGN = 20


def roman(number: int) -> str:
    """Returns the numeral in capitals; cuts it off if it would have hundreds of letters."""
    text = ""
    for sign, value in _VALUES.items():
        count, number = divmod(number, value)
        text += sign * min(count, _MOST_OF_A_SIGN)
    return text


def roman_value(sign: str) -> int:
    """Returns the value of a numeral in upper or lower case: the sum of its letters, even if it is not well formed."""
    values = [_VALUES[letter] for letter in sign.upper()]
    return sum(-value if value < max(values[place:]) else value for place, value in enumerate(values))
