"""Finds the person or organisation that a sentence says to have done what a question asks about ("who approved …").

The act may be said in another form: by the passive, by a noun, or in the other language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from core.answering.prose.question import ProseQuestion
from core.answering.prose.tokens import ROOTED, Term, Token, term_matches, tokens
from core.answering.prose.values import values_in
from core.answering.prose.vocabulary import cue_words, worked_words
from core.knowledge.extraction import hebrew_names
from core.language.cache_sizes import TEXTS
from core.language.hebrew import is_hebrew
from core.language.vocabulary import phrase_of

_IDENTITY = re.compile(phrase_of("answering/prose.document.identity"))
WITHIN = 4
"""Number of words between an act and the name of its actor."""
_NAMING = frozenset({"person", "organisation"})


def act_of(question: ProseQuestion) -> Term | None:
    """Returns what the question asks to name the actor of: the first word after "who" with a meaning; nothing if it
    asks who someone is."""
    if "person" not in question.kinds or not question.terms or _IDENTITY.search(question.plain):
        return None
    return None if question.terms[0].base in worked_words() else question.terms[0]


@lru_cache(maxsize=TEXTS)
def named_in(text: str) -> tuple[tuple[int, int], ...]:
    """Returns the places of the people and organisations that a text names. Hebrew has no capitals: there, names are
    recognised by lists and titles, and what follows "by" counts.

    >>> named_in("The plan was drawn up by Ines Toller.")
    ((25, 36),)
    """
    if not is_hebrew(text):
        return tuple((value.start, value.end) for value in values_in(text) if value.kind == "name")
    known = [(span.start, span.end) for span in hebrew_names.find(text) if span.kind in _NAMING]
    return tuple(sorted({*known, *_after_cues(tokens(text))}))


def _after_cues(words: Sequence[Token]) -> list[tuple[int, int]]:
    found = []
    for cue in _agents():
        for place in range(len(words) - len(cue)):
            if tuple(token.folded for token in words[place : place + len(cue)]) == cue:
                following = words[place + len(cue)]
                found.append((following.start, following.end))
    return found


@cache
def _agents() -> tuple[tuple[str, ...], ...]:
    return tuple(cue for cue, groups in cue_words().items() if "agent" in groups and is_hebrew(cue[0]))


def names_actor(act: Term, text: str) -> bool:
    """Returns whether a text names someone within a few words of the act."""
    names = named_in(text)
    if not names:
        return False
    words = [token for token in tokens(text) if token.word]
    acts = [place for place, token in enumerate(words) if term_matches((act,), token)[0] >= ROOTED]
    places = [place for place, token in enumerate(words) if any(start <= token.start < end for start, end in names)]
    return any(0 < abs(place - at) <= WITHIN for place in places for at in acts if at not in places)
