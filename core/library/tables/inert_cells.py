"""Cells of a text file that a spreadsheet opens: *a text* → the same, marked as text where it would run."""

from __future__ import annotations

_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""
_MOST = 32_000
"""Characters of a cell that spreadsheets take."""


def inert(text: str) -> str:
    """A cell of a text file has no kind, so an apostrophe has to say that this is a text."""
    clean = printable(text)
    return f"'{clean}" if clean.lstrip(" ").startswith(_RUNS) or text.startswith(_RUNS) else clean


def printable(text: str) -> str:
    """Without what XLSX cannot hold."""
    kept = (letter for letter in text if letter >= " " or letter in "\t\n")
    return "".join(letter for letter in kept if letter not in "\ufffe\uffff" and not "\ud800" <= letter <= "\udfff")[
        :_MOST
    ]
