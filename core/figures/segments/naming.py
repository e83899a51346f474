"""Finds which part of a company a question names: takes text and a part's label; returns the stems that name it.

A part is named by its label or by initials; the label or the question may use the initials: "Harbours and Ferries
North" is HFN.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.figures.segments.vocabulary import frame
from core.language.cache_sizes import WORDS
from core.language.normalisation import fold
from core.question.stems import stems

_INITIALS = re.compile(r"^[A-Z]{2,6}$")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(("and", "of", "the", "for", "in"))


def accounted(label: str, words: frozenset[str], text: str) -> frozenset[str] | None:
    """Returns those of ``words`` (stems of ``text`` that may name a part) that name the part with this ``label``;
    ``None`` if the part is not named."""
    own = frozenset(stems(label)) - frame()
    if own and own <= words:
        return own
    if _INITIALS.match(label):
        run = _spelled_out(label, text)
        return frozenset(stems(run)) & words if run else None
    return frozenset(stems(_initials(label))) & words or None


def _spelled_out(initials: str, text: str) -> str:
    """Returns the words of ``text`` whose initials are these letters."""
    found = list(_WORD.finditer(text))
    heads = [match for match in found if fold(match.group()) not in _SMALL]
    for start in range(len(heads) - len(initials) + 1):
        run = heads[start : start + len(initials)]
        if all(match.group()[0].upper() == letter for match, letter in zip(run, initials, strict=True)):
            return text[run[0].start() : run[-1].end()]
    return ""


@lru_cache(maxsize=WORDS)
def _initials(label: str) -> str:
    heads = [word for word in _WORD.findall(label) if fold(word) not in _SMALL]
    return "".join(word[0] for word in heads).upper() if len(heads) > 1 else ""
