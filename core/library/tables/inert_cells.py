"""Protects cells of text files for spreadsheets: a text that would run as a formula is marked as text."""

from __future__ import annotations

_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that start a formula in a spreadsheet."""
_MOST = 32_000
"""Maximum number of characters of a cell in a spreadsheet."""


def inert(text: str) -> str:
    """The text with an apostrophe in front if needed, because cells of text files have no type."""
    clean = printable(text)
    return f"'{clean}" if clean.lstrip(" ").startswith(_RUNS) or text.startswith(_RUNS) else clean


def printable(text: str) -> str:
    """The text without characters that XLSX cannot contain."""
    kept = (letter for letter in text if letter >= " " or letter in "\t\n")
    return "".join(letter for letter in kept if letter not in "\ufffe\uffff" and not "\ud800" <= letter <= "\udfff")[
        :_MOST
    ]
