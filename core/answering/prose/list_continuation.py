"""Lists with the words that head them: quotable sentences → the same, where one that ends in a colon has its items.

"The plan has three aims:" answers nothing without what follows it, and the items say nothing without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.language.hebrew import LETTERS
from core.language.vocabulary import phrase_of
from core.models.quotable import Quotable

MARK = rf"(?:[-*+•●○▪◦‣·>]\s*|\(?(?:\d{{1,3}}|[a-zA-Z{LETTERS}]|[ivxIVX]{{1,5}})[.)]\s+)"
"""What an item of a list begins with."""
_HEADS = re.compile(r":[\s*_]*$")
_LINE = re.compile(r"[^\n]+")
_MARKED = re.compile(rf"\s*{MARK}\S")
_GOES_ON = re.compile(phrase_of("answering/prose.list_continuation.goes_on"))
_LONGEST = 600
"""Characters of a head with its items."""
_MOST_WORDS = 40
"""An item of more words is a paragraph."""


def with_their_lists(passage: str, quotes: Iterable[Quotable]) -> Iterator[Quotable]:
    """In their order, the items also by themselves; a head without a list is a fragment."""
    for quote in quotes:
        if quote.columns is not None or not _HEADS.search(quote.text):
            yield quote
        elif (end := _end_of_list(passage, quote)) > quote.end:
            yield replace(quote, text=passage[quote.start : end], end=end)
        else:
            yield replace(quote, fragment=True)


def _end_of_list(passage: str, head: Quotable) -> int:
    """Where the last line ends that is marked as an item, or goes on what an item began; the head's end without any."""
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
