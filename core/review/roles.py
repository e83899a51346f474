"""Checks who does what: whether a claim's name has the same words around it as another name in the sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.language.cache_sizes import TEXTS
from core.language.entities.facts import prepared
from core.review.quantity_binding import CLEARLY, context_distance, context_similarity

_NAME = re.compile(r"(?:[A-Z][\w&'-]{0,100}\.?)(?:\s+(?:[A-Z][\w&'-]{0,100}\.?|of(?=\s+[A-Z])))+")
_TITLES = re.compile(r"^(?:mr|mrs|ms|dr|prof|the)\.?\s+", re.IGNORECASE)


@lru_cache(maxsize=TEXTS)
def names(text: str) -> tuple[tuple[str, int, int], ...]:
    """Returns names of several words in ``text`` with positions, each by its last word, folded, without titles."""
    found = []
    for match in _NAME.finditer(prepared(text)):
        bare = _TITLES.sub("", match.group().rstrip("."))
        last = bare.split()[-1].lower().strip(".'")
        found.append((last, match.start(), match.end()))
    return tuple(found)


def are_names_exchanged(claim: str, lines: Sequence[str]) -> bool:
    """Returns whether the sentences clearly say about another name what the claim says about its name."""
    named = names(claim)
    held = [(name, _company(line, start, end)) for line in lines for name, start, end in names(line)]
    for name, start, end in named:
        ours = _company(claim, start, end)
        same = max((context_similarity(ours, theirs) for other, theirs in held if other == name), default=None)
        other = max((context_similarity(ours, theirs) for other, theirs in held if other != name), default=0.0)
        if same is not None and other > CLEARLY * same:
            return True
    return False


@lru_cache(maxsize=TEXTS)
def _company(text: str, start: int, end: int) -> Mapping[str, float]:
    """Returns the terms near a name, without the terms of names."""
    spans = names(text)
    near = context_distance(text, start, end, [(s, e) for _, s, e in spans if s != start])
    own = {word.lower().strip(".'") for _, s, e in spans for word in prepared(text)[s:e].split()}
    return {key: weight for key, weight in near.items() if key not in own}
