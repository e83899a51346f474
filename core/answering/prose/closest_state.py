"""Decides whether the closest sentence answers a question: takes ranked sentences; returns a state of the scale of
honesty.

The closest sentence is *found* if it is close enough and clearly closer than the next one; *closest* if it is only
related; *not found* if it is no closer than sentences of documents that do not answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from core.answering.prose.closeness import CloseSentence

State = Literal["found", "closest", "not_found"]

FOUND_FROM = 0.8
"""Minimum share of the closest sentence among all, for *found*."""
FOUND_SCORE = 11.0
LACKING = 0.22
"""Maximum weight of a word of the question that a found sentence may lack."""
NOT_FOUND = 5.0
NOT_FOUND_BY_SIZE = 0.75
"""Below ``NOT_FOUND + NOT_FOUND_BY_SIZE · ln(sentences)``, a sentence is no closer than the best of so many sentences
that do not answer."""


def state_of(ranked: Sequence[CloseSentence]) -> State:
    """Returns the state of the first of ``ranked`` (closest first)."""
    if not ranked or ranked[0].score < NOT_FOUND + NOT_FOUND_BY_SIZE * math.log(len(ranked)):
        return "not_found"
    first = ranked[0]
    sure = first.score >= FOUND_SCORE and first.features["kind"] == 1.0 and first.lacking < LACKING
    return "found" if sure and share_of_first(ranked) >= FOUND_FROM else "closest"


def share_of_first(ranked: Sequence[CloseSentence]) -> float:
    """Returns the probability of the first sentence among all, 0..1."""
    return 1 / sum(math.exp(each.score - ranked[0].score) for each in ranked)
