"""Joins a list's introduction with its items, so that a sentence ending in a colon can be quoted with them.

"The plan has three aims:" answers nothing without the items, and the items mean nothing without the introduction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.language.hebrew import LETTERS
from core.language.vocabulary import phrase_of
from core.models.quotable import Quotable

MARK = rf"(?:[-*+•●○▪◦‣·>]\s*|\(?(?:\d{{1,3}}|[a-zA-Z{LETTERS}]|[ivxIVX]{{1,5}})[.)]\s+)"
"""Matches the start of a list item."""
_HEADS = re.compile(r":[\s*_]*$")
_LINE = re.compile(r"[^\n]+")
_MARKED = re.compile(rf"\s*{MARK}\S")
_GOES_ON = re.compile(phrase_of("answering/prose.list_continuation.goes_on"))
_LONGEST = 600
"""Maximum characters of an introduction with its items."""
_MOST_WORDS = 40
"""Maximum number of words in a list item; a longer one is a paragraph."""


def with_their_lists(passage: str, quotes: Iterable[Quotable]) -> Iterator[Quotable]:
    """Yields quotations in order: introductions with their items, and the items also by themselves; an introduction
    without a list is marked as a fragment."""
    for quote in quotes:
        if quote.columns is not None or not _HEADS.search(quote.text):
            yield quote
        elif (end := _end_of_list(passage, quote)) > quote.end:
            yield replace(quote, text=passage[quote.start : end], end=end)
        else:
            yield replace(quote, fragment=True)


def _end_of_list(passage: str, head: Quotable) -> int:
    """Returns the position after the last line that is a list item or continues one; the end of the introduction if
    there is no list."""
    end = head.end
    for line in _LINE.finditer(passage, head.end):
        text = line.group().rstrip()
        if not text.strip():
            continue
        goes_on = end > head.end and (text.lstrip()[0].islower() or _GOES_ON.search(passage, head.end, end))
        too_long = line.end() - head.start > _LONGEST or len(text.split()) > _MOST_WORDS
        if too_long or not (_MARKED.match(text) or goes_on):
            break
        end = line.start() + len(text)
    return end
