"""Detects definitions: *sentence, a thing's names* → whether the sentence says what the thing is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

_SAYS = (
    r"^\W*(?:[\d.]+\s|\([a-z]{{1,3}}\)\s)?\W*(?:an? |the )?{name}(?:\W{{0,3}}\([^)]*\))?\W{{0,3}}\s"
    r"(?:(?:is|are|was|were) (?:an?|the|one of) (?!(?:result|same|case|following|only|first|next|most|more)\b)"
    rf"|(?:shall )?means? |refers? to|is defined as|has the meaning|{phrase_of('knowledge/extraction.definitions.is')})"
)
_INTRODUCES = r"\([^()]{{0,40}}\"{name}\"[^()]{{0,60}}\)"
_NAMED_HEBREW = r"^\W*\"{name}\"\s?[-–:]\s"
LEAST_WORDS = 5


def is_definition(sentence: str, names: Sequence[str]) -> bool:
    """ "X means ...", "X is a ...": X is the subject."""
    folded = fold(sentence)
    return len(folded.split()) >= LEAST_WORDS and any(
        pattern.search(folded)
        for name in names
        for pattern in (_definition_pattern(_SAYS, name), _definition_pattern(_NAMED_HEBREW, name))
    )


def introduces_name(sentence: str, names: Sequence[str]) -> bool:
    """ "... (the "X")": the words before the bracket define X."""
    folded = fold(sentence)
    return '"' in folded and any(_definition_pattern(_INTRODUCES, name).search(folded) for name in names)


@lru_cache(maxsize=2_000)
def _definition_pattern(form: str, name: str) -> re.Pattern[str]:
    return re.compile(form.format(name=re.escape(fold(name))))
