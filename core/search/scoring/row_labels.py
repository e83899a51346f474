"""Extracts the row labels of a passage (from table rows and lines with figures).

A row label matches a figure if it starts with one of the figure's printed names. So each label is stored as all its
beginnings: its first word, its first two words, and so on.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.cache_sizes import WORDS
from core.language.normalisation import fold
from core.language.phrases import words
from core.language.terms import stem

Labels = frozenset[str]
"""The beginnings of row labels, each as word stems joined by spaces."""

_LONGEST = 12
_FIGURE = re.compile(r"[\d$€£₪(—–]")
_PARENTS = re.compile(r"\s[·>›:]\s")
_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?+\|\s*")


@lru_cache(maxsize=WORDS)
def plain(text: str) -> str:
    """Returns a label or a name in the form for comparison: stems of its words, without signs."""
    return " ".join(map(stem, words(fold(text))))


def labels_of(text: str) -> Labels:
    """Returns the beginnings of the row labels, from all lines of ``text`` that contain figures."""
    found: set[str] = set()
    for line in text.split("\n"):
        if not any(map(str.isdigit, line)):
            continue
        label = _BETWEEN.split(line.strip(), 1)[0] if "|" in line else _before_figures(line)
        for part in _PARENTS.split(label):
            spoken = plain(part).split()[:_LONGEST]
            found.update(" ".join(spoken[:end]) for end in range(1, len(spoken) + 1))
    return frozenset(found)


def _before_figures(line: str) -> str:
    figure = _FIGURE.search(line)
    return line[: figure.start()] if figure else line
