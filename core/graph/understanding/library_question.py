"""Detects questions about the library as a whole: "what is in my library?", "which documents do I have?"."""

from __future__ import annotations

import re

from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of

LONGEST = 14
"""Maximum number of words of such a question."""
_WORD = re.compile(r"[^\W_]+(?:['\"][^\W_]+)*")


class _Lists(Entry):
    nouns: WordSet
    around: WordSet
    least: WordSet


_lists = file_of("graph/library_question", _Lists)


def asks_for_library(message: str) -> bool:
    """Returns whether ``message`` asks what documents there are, and names none of them and no subject.

    >>> asks_for_library("Which documents do I have?"), asks_for_library("Which documents do I have about rent?")
    (True, False)
    """
    lists = _lists()
    words = _WORD.findall(fold(message))
    if len(words) > LONGEST or not any(word in lists.nouns for word in words):
        return False
    known = all(word in lists.around or word in lists.nouns for word in words)
    return known and any(word in lists.least for word in words)
