"""Decides whether the closest sentence answers a question: takes ranked sentences; returns a state of the scale of
honesty.

The closest sentence is *found* if it is certain enough (a logistic function of what it shares with the question and of
how much closer it is than the others) and has the kind of value that is asked for. It is *not found* if it is no closer
than the best of as many sentences that do not answer, if it is too uncertain, or if no sentence mentions a name of the
question; otherwise it is *closest*.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.closeness import SAID, CloseSentence, Floats
from core.answering.prose.question import ProseQuestion
from core.language.normalisation import fold
from core.language.stance import has
from core.language.vocabulary import phrase_of

ClosestState = Literal["found", "closest", "not_found"]

FOUND_FROM = 0.8
"""Minimum certainty of *found*."""
CONSTANT, SHARE, WORDS, MEANING, KIND, LACKING, FOREIGN = -3.6, 3.2, 1.4, 1.2, 0.85, -1.0, 1.0
"""Weights of the certainty; see docs/specification.md, "Closest sentences"."""
BORROWED = -1.5
"""Weight of the question's words that only the sentences next to it have: a sentence that only stands near the subject
rarely answers."""
NOT_FOUND, NOT_FOUND_ACROSS, NOT_FOUND_BY_SIZE = 5.5, 4.5, 0.75
"""Below ``NOT_FOUND + NOT_FOUND_BY_SIZE · ln(sentences)``, a sentence is *not found*; in another language, fewer words
can be compared, so the constant is lower."""
UNCERTAIN, UNCERTAIN_ACROSS = 0.45, 0.3
"""A sentence with less certainty is *not found*; the certainty of one in another language rests on fewer words."""
DOUBTFUL, UNHEARD = 0.5, 0.5
"""A sentence with less certainty is *not found* if no sentence at all has at least this share of the question's words.
"""
TWIN = 0.1
"""Greatest difference of a feature between sentences of two documents that say the same of each."""
NAMED = 0.2
"""Minimum weight of a name of the question that some sentence must mention."""


def state_of(question: ProseQuestion, ranked: Sequence[CloseSentence], term_weights: Floats) -> ClosestState:
    """Returns the state of the first of ``ranked`` (closest first); ``term_weights`` are those of the question's words
    (they sum to 1)."""
    if not ranked:
        return "not_found"
    first, sure = ranked[0], certainty(_without_twins(ranked))
    least = NOT_FOUND_ACROSS if first.foreign else NOT_FOUND
    if first.score < least + NOT_FOUND_BY_SIZE * math.log(len(ranked)):
        return "not_found"
    uncertain = sure < (UNCERTAIN_ACROSS if first.foreign else UNCERTAIN)
    if uncertain or (not first.foreign and _leaves_unheard(question, ranked, term_weights, sure)):
        return "not_found"
    fits = first.features["kind"] == 1.0 and not _is_open(question) and _gives_reason(question, first)
    return "found" if fits and certainty(ranked) >= FOUND_FROM else "closest"


def _without_twins(ranked: Sequence[CloseSentence]) -> list[CloseSentence]:
    """Returns the sentences without those of other documents that say as much as the first: documents of one kind
    repeat a sentence, which makes none of them less of an answer."""
    first = ranked[0]
    others = (each for each in ranked[1:] if _document(each) == _document(first) or not _equals(first, each))
    return [first, *others]


def _equals(first: CloseSentence, other: CloseSentence) -> bool:
    return all(abs(first.features[name] - other.features[name]) <= TWIN for name in ("words", "meaning", "kind"))


def _document(close: CloseSentence) -> str:
    return close.statement.passage.origin.document_id


def _leaves_unheard(
    question: ProseQuestion, ranked: Sequence[CloseSentence], term_weights: Floats, sure: float
) -> bool:
    """Returns whether no sentence mentions a name of the question, or, if the first is doubtful, much of its words."""
    unheard = ~heard_words(ranked)
    names = np.array([term.exact and not term.is_number for term in question.terms], dtype=np.bool_)
    if np.any(unheard & names & (term_weights >= NAMED)):
        return True
    return sure < DOUBTFUL and float(term_weights @ unheard) >= UNHEARD


def heard_words(ranked: Sequence[CloseSentence]) -> NDArray[np.bool_]:
    """Returns for each word of the question whether any sentence, or a heading above it, has it."""
    held = [np.maximum(each.statement.held, each.statement.granted) for each in ranked]
    return np.asarray(np.max(held, axis=0) >= SAID, dtype=np.bool_)


def certainty(ranked: Sequence[CloseSentence]) -> float:
    """Returns the probability that the first sentence answers, 0..1."""
    first, of = ranked[0], ranked[0].features
    words = max(of["words"], of["translated"])
    margin = CONSTANT + SHARE * share_of_first(ranked) + WORDS * words + MEANING * of["meaning"] + KIND * of["kind"]
    margin += LACKING * first.lacking + FOREIGN * first.foreign + BORROWED * max(0.0, of["nearby"] - words)
    return 1 / (1 + math.exp(-margin))


def share_of_first(ranked: Sequence[CloseSentence]) -> float:
    """Returns the probability of the first sentence among all, 0..1."""
    return 1 / sum(math.exp(each.score - ranked[0].score) for each in ranked)


def _is_open(question: ProseQuestion) -> bool:
    """Returns whether the question asks for an analysis, a description or a relation, which no single sentence is."""
    return bool(_open().search(question.plain))


@cache
def _open() -> re.Pattern[str]:
    return re.compile(phrase_of("answering/prose.certainty.open"))


def _gives_reason(question: ProseQuestion, first: CloseSentence) -> bool:
    """Returns whether the sentence gives a reason, if the question asks for one."""
    return question.main != "reason" or has(fold(first.statement.text), "causes")
