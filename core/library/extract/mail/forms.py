"""Chooses between the alternatives of a mail text: plain text, or HTML with more content."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

TELLING = 40
"""With fewer characters than this, plain text may only be a note to view the HTML version."""
_LACKING = 0.5
"""Largest share of the HTML page's words that may be missing from the plain text."""
_MOST_CHARACTERS = 2_000_000
_LEAST_ROWS = 2
_LONGEST_CELL = 120
_WORD = re.compile(r"\w+")


def html_says_more(plain: str, html: str) -> bool:
    """Whether the HTML contains a data table, or a longer text whose words the plain text mostly lacks."""
    if len(plain.strip()) < TELLING:
        return True
    page = LexborHTMLParser(html[:_MOST_CHARACTERS])
    page.strip_tags(["script", "style", "head", "template"])
    if any(map(_holds_data, page.css("table"))):
        return True
    own = _words(plain)
    words = _words(page.body.text(separator=" ") if page.body else "")
    return len(words) > len(own) and len(words - own) > _LACKING * len(words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _holds_data(table: LexborNode) -> bool:
    """Whether there are consecutive rows of short cells with numbers; layout tables have neither."""
    if table.css_first("table table") is not None:
        return False
    rows = [[cell.text(strip=True) for cell in row.css("td, th")] for row in table.css("tr")[:50]]
    full = [row for row in rows if sum(0 < len(cell) <= _LONGEST_CELL for cell in row) > 1]
    return len(full) >= _LEAST_ROWS and any(cell[-1:].isdigit() for row in full for cell in row)
