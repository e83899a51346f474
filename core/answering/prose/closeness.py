"""Ranks sentences of both languages by how close they are to answering a question: takes sentences with embeddings;
returns them with a score each.

Words decide less between two languages than within one, so each language has its own weights; a score is comparable
between them. The embeddings of each language are centred first: two texts in one language are always more similar than
a text and its translation, whatever they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.actors import act_of, named_in, names_actor
from core.answering.prose.asked_values import asks_for_measure, is_verdict, measure_match
from core.answering.prose.cross_language import is_translatable
from core.answering.prose.question import ProseQuestion
from core.answering.prose.sentences import Statement
from core.answering.prose.tokens import Term
from core.answering.prose.values import Value, values_in
from core.answering.prose.vocabulary import vocabulary
from core.models.embeddings import Matrix
from core.words import Language

Floats = NDArray[np.float64]

FEATURES = ("meaning", "words", "translated", "nearby", "kind", "expected", "names")
SAME_LANGUAGE = np.array([6.6, 3.5, 0.0, 6.9, 1.6, 0.5, 1.6])
OTHER_LANGUAGE = np.array([8.0, 5.0, 6.0, 2.8, 1.6, 0.7, 1.0])
OTHER_COUNT = 0.3
COUNTED_WITHIN = 3
"""Number of words after a number among which the counted things are named."""
SAID = 0.5
_UNSEEN_IN_HEBREW = frozenset({"name", "quoted"})
"""Kinds of values that no capital shows in Hebrew text."""
UNNAMED = 0.5
"""Presence of a person in a Hebrew sentence in which no name is recognised."""
ACTOR = 2.5
"""Added to the score of a sentence that names someone next to the act that a question asks about."""
ACROSS = 0.5
"""Added to the score of a sentence in another language."""


@dataclass(frozen=True)
class CloseSentence:
    """A sentence with its score, which is a logarithm of odds relative to the other sentences; ``features`` (0..1) are
    those of ``FEATURES``. ``lacking`` is the weight of the heaviest comparable word of the question that neither the
    sentence nor the headings above it have."""

    statement: Statement
    score: float
    features: dict[str, float]
    foreign: bool
    lacking: float = 0.0


def closest_sentences(
    question: ProseQuestion, found: Sequence[Statement], term_weights: Floats, meanings: Floats
) -> list[CloseSentence]:
    """Returns the sentences, closest first, without repeating the same words; ``meanings`` as from
    :func:`similarities`."""
    known = np.array([_is_comparable(term) for term in question.terms], dtype=np.float64)
    act = act_of(question) if question.main == "person" else None
    ranked: dict[str, CloseSentence] = {}
    for each, meaning in zip(found, meanings.tolist(), strict=True):
        foreign = each.language != question.language
        features = _features(question, each, meaning, term_weights, known)
        weights = OTHER_LANGUAGE if foreign else SAME_LANGUAGE
        score = float(np.array([features[name] for name in FEATURES]) @ weights) + ACROSS * foreign
        score += ACTOR * (act is not None and names_actor(act, each.text))
        before = ranked.get(each.text)
        if before is None or score > before.score:
            lacking = _lacking(each, term_weights * known if foreign else term_weights)
            ranked[each.text] = CloseSentence(each, score, features, foreign, lacking)
    return sorted(ranked.values(), key=lambda each: -each.score)


def similarities(vectors: Matrix, languages: Sequence[Language], query: Matrix, asked_in: Language) -> Floats:
    """Returns the cosines of sentences with a question after each language's mean was taken away; ``vectors`` has a row
    for each sentence, ``query`` is the question's vector."""
    means = {
        language: vectors[[each == language for each in languages]].mean(axis=0)
        for language in dict.fromkeys(languages)
    }
    own = means.get(asked_in, vectors.mean(axis=0))
    centred = vectors - np.array([means[language] for language in languages])
    asked = query - own
    lengths = np.linalg.norm(centred, axis=1) * np.linalg.norm(asked)
    return np.asarray((centred @ asked) / np.maximum(lengths, 1e-9), dtype=np.float64)


def _features(
    question: ProseQuestion, each: Statement, meaning: float, term_weights: Floats, known: Floats
) -> dict[str, float]:
    covered = np.maximum(each.held, each.granted)
    words = float(covered @ term_weights)
    comparable = float(known @ term_weights)
    translated = float((covered * known) @ term_weights) / comparable if comparable else 0.0
    return {
        "meaning": meaning,
        "words": words,
        "translated": translated if each.language != question.language else 0.0,
        "nearby": each.witnesses["nearby"],
        "kind": _kind(question, each),
        "expected": each.witnesses["expected"],
        "names": each.witnesses["names"],
    }


def _lacking(each: Statement, term_weights: Floats) -> float:
    uncovered = np.maximum(each.held, each.granted) < SAID
    return float((term_weights * uncovered).max(initial=0.0))


def _kind(question: ProseQuestion, each: Statement) -> float:
    """Returns 1 if the sentence has a value of the kind that the question asks for, and less if it counts other things
    than those that the question counts."""
    held = vocabulary().kinds[question.main].held
    if question.main == "person" and is_verdict(each.text):
        return 0.0
    if question.main == "person" and each.language == "he":
        return 1.0 if named_in(each.text) else UNNAMED
    if asks_for_measure(question):
        return measure_match(each.text)
    if not held or "list" in held or (each.language == "he" and set(held) <= _UNSEEN_IN_HEBREW):
        return 1.0
    fitting = [value for value in values_in(each.text) if value.kind in held]
    if fitting and question.main == "count" and question.counted:
        return 1.0 if any(_counts(question, each, value) for value in fitting) else OTHER_COUNT
    return float(bool(fitting))


def _counts(question: ProseQuestion, each: Statement, value: Value) -> bool:
    """Returns whether one of the words after the number is what the question counts; a Hebrew question for a price
    counts nothing."""
    if value.kind == "amount" and question.language == "he":
        return True
    counted = [row for row, term in enumerate(question.terms) if term.base in question.counted]
    after = [place for place, token in enumerate(each.tokens) if token.start >= value.end][:COUNTED_WITHIN]
    return not counted or bool(each.match[np.ix_(counted, after)].max(initial=0.0) >= SAID)


def _is_comparable(term: Term) -> bool:
    """Returns whether a word can be compared with words of the other language: a number, a name, or a word of the
    lexicon."""
    return term.is_number or term.exact or is_translatable(term.text)
