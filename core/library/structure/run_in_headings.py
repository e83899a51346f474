"""Finds headings at the start of their paragraph: "5.1 Term. This agreement …" → "5.1 Term"."""

from __future__ import annotations

import re

from core.language.hebrew import is_hebrew
from core.library.structure.labels import label_of

_MARK = re.compile(r"(?P<title>[^\n.:;!?|]{2,80}?)(?P<mark>[.:](?=\s)|\s[\u2013\u2014-](?=\s))\s+(?P<text>\S)")
_CAPITALS = re.compile(r"(?P<title>[A-Z][A-Z'’&,/ -]{3,70})\.(?:\s+(?P<text>[A-Z\"“(])|\s+(?=\d))")
_MOST_WORDS = 9
_MOST_HEBREW = 6
_SHORT_HEBREW = 2
_CAPITALS_SHARE = 0.75
"""Share of a title's longer words that are capitalised: "Readings belong to the Customer" is a sentence."""
_LEAST_TEXT = 40
"""Number of characters that must follow; with fewer it is a list item and its value."""


def run_in_title(text: str) -> str | None:
    """The title that ``text`` begins with, including its label; ``None`` if it begins with ordinary text."""
    label = label_of(text)
    if label is None:
        found = _CAPITALS.match(text)
        return found["title"].strip() if found and _is_said_in_capitals(found["title"], text) else None
    if label.scheme in ("paren", "letter", "part"):
        return None
    found = _MARK.match(text, label.end)
    if not found or len(text) - found.start("text") < _LEAST_TEXT:
        return None
    title = found["title"].strip()
    single = label.scheme == "decimal" and len(label.number) == 1
    if (single and found["mark"] == ":") or not _is_title(title, found["mark"]):
        return None
    return f"{label.written} {title}"


def _is_said_in_capitals(title: str, text: str) -> bool:
    words = title.split()
    return len(words) <= _MOST_WORDS and max(map(len, words)) >= 5 and len(text) - len(title) >= _LEAST_TEXT


def _is_title(title: str, mark: str) -> bool:
    """Whether ``title`` is not a sentence. Hebrew has no capitals as evidence, so there a full stop ends only short
    titles."""
    words = title.split()
    if is_hebrew(title):
        return len(words) <= (_SHORT_HEBREW if mark == "." else _MOST_HEBREW)
    long = [word for word in words if len(word) > 3]
    capitals = sum(word[0].isupper() for word in long)
    return len(words) <= _MOST_WORDS and words[0][0].isupper() and capitals >= _CAPITALS_SHARE * len(long)
