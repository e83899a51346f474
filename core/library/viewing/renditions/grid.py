"""Converts rows of cells to an HTML table, and marks it if rows were cut off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

MOST_ROWS = 2_000
MOST_COLUMNS = 100
LONGEST_CELL = 2_000
_SHORT = 32
_NUMBER = re.compile(r"[-−(]?\s*+[$€£₪]?\s*+\d[\d,.]*+\s*+[%)]?")


def table(rows: Iterable[Sequence[str]], *, heads: bool = True) -> str:
    """The table's HTML. With ``heads`` the first row is the heading; a shortened table ends in a row of class
    ``cut``."""
    shown = list(islice(rows, MOST_ROWS + 1))
    if not shown:
        return ""
    cut = len(shown) > MOST_ROWS or any(len(row) > MOST_COLUMNS for row in shown)
    lines = [_row_html(row, "th" if heads and index == 0 else "td") for index, row in enumerate(shown[:MOST_ROWS])]
    head = f"<thead>{lines.pop(0)}</thead>" if heads else ""
    return f"<table>{head}<tbody>{''.join(lines)}</tbody></table>{CUT if cut else ''}"


CUT = '<p class="cut"></p>'
"""Marks where the page adds a note that the original has more."""


def _row_html(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(_cell_html(cell, tag) for cell in cells[:MOST_COLUMNS])}</tr>"


def _cell_html(text: str, tag: str) -> str:
    """Short texts stay on one line, numbers are aligned."""
    kinds = (["short"] if len(text) <= _SHORT else []) + (["number"] if _NUMBER.fullmatch(text) else [])
    return f'<{tag} class="{" ".join(kinds)}">{escape(text[:LONGEST_CELL])}</{tag}>'
