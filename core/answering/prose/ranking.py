"""Ranks sentences and spans by how likely they answer a question: takes sentences and weights; returns spans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.features import GROUPS, NAMES, features
from core.answering.prose.question import ProseQuestion
from core.answering.prose.sentences import WITNESSES, Statement
from core.answering.prose.spans import Span, spans
from core.answering.prose.vocabulary import worked_words
from core.answering.prose.weights import REASONS, Weights

Floats = NDArray[np.float64]

READ = 4
"""Number of best sentences whose spans are compared."""
_SCALE = 5.0
"""Divisor for the score difference between a sentence and the best one, so that this feature of its spans is about
0..1."""
_BEFORE, _AFTER = 9, 4
"""Number of words before and after a figure that are taken to describe it."""
SAID = 0.5
"""Minimum match score for a word of a sentence to count as the same word as one in the question."""
CLOSE = 0.1
"""If the scores of two sentences differ by no more than this, the one with more of the question's names ranks first."""
_PERIOD = NAMES.index("period")
_WRONG_PERIOD = NAMES.index("wrong_period")
_SUITS = NAMES.index("suits")


@dataclass(frozen=True)
class RankedSpan:
    """A span with two probabilities: among all compared spans (summed over spans with the same words), and among those
    of its sentence (``within``)."""

    statement: Statement
    span: Span
    share: float
    within: float
    reasons: dict[str, float]


def witnesses_of(found: Sequence[Statement]) -> Floats:
    return np.array([[each.witnesses[name] for name in WITNESSES] for each in found])


def score_sentences(found: Sequence[Statement], weights: Floats) -> Floats:
    """Sets each sentence's ``score`` (0 for the best, less for others); returns each one's probability."""
    scores = witnesses_of(found) @ weights
    best = float(scores.max())
    for each, score in zip(found, scores, strict=True):
        each.score = (float(score) - best) / _SCALE
    shares: Floats = np.exp(scores - best)
    shares /= shares.sum()
    return shares


@dataclass(frozen=True)
class SpanFeatures:
    """The spans of the best sentences: ``places`` holds each span with its sentence's index, ``matrix`` their
    features."""

    question: ProseQuestion
    found: Sequence[Statement]
    term_weights: Floats
    shares: Floats
    places: list[tuple[int, Span]]
    matrix: Floats

    def ranked(self, span_weights: Floats) -> list[RankedSpan]:
        """Returns the spans, most likely first, without repeating the same words."""
        if not self.places:
            return []
        scores = self.matrix @ span_weights
        belief: Floats = np.exp(scores - scores.max())
        belief /= belief.sum()
        total: dict[str, float] = {}
        of_sentence: dict[int, float] = {}
        texts = [_span_words(self.found[place], span) for place, span in self.places]
        for (place, _), text, part in zip(self.places, texts, belief.tolist(), strict=True):
            total[text] = total.get(text, 0.0) + part
            of_sentence[place] = of_sentence.get(place, 0.0) + part
        first: dict[str, int] = {}
        for row in np.argsort(-belief, kind="stable").tolist():
            first.setdefault(texts[row], row)
        return [
            self._as_ranked(row, total[text], float(belief[row]) / of_sentence[self.places[row][0]])
            for text, row in list(first.items())[:READ]
        ]

    def _as_ranked(self, row: int, share: float, within: float) -> RankedSpan:
        place, span = self.places[row]
        reasons = reasons_of(self.question, self.found[place], span, self.term_weights, self.matrix[row])
        reasons["share"], reasons["sentence_share"] = min(1.0, share), float(self.shares[place])
        return RankedSpan(self.found[place], span, reasons["share"], within, reasons)


def rank(
    question: ProseQuestion, found: Sequence[Statement], term_weights: Floats, weights: Weights, by_meaning: bool
) -> list[RankedSpan]:
    """Returns the spans, most likely first, without repeating the same words; empty without sentences."""
    if not found:
        return []
    shares = score_sentences(found, weights.sentence_by_meaning if by_meaning else weights.sentence)
    _order_by_names(question, found, shares)
    return compare(question, found, term_weights, shares).ranked(weights.span)


def _order_by_names(question: ProseQuestion, found: Sequence[Statement], shares: Floats) -> None:
    """If the best sentence lacks a name or number of the question, swaps it with a similarly scored one from the same
    passage that has all of them and more of the question's words."""
    exact = [row for row, term in enumerate(question.terms) if term.exact]
    first = max(range(len(found)), key=lambda place: found[place].score)
    best = found[first]
    if not exact or best.held[exact].min() >= SAID:
        return
    fuller = [
        place
        for place, each in enumerate(found)
        if each.passage is best.passage
        and each.score >= best.score - CLOSE
        and each.held[exact].min() >= SAID
        and each.witnesses["bare"] > best.witnesses["bare"]
    ]
    if fuller:
        other = max(fuller, key=lambda place: found[place].score)
        best.score, found[other].score = found[other].score, best.score
        shares[[first, other]] = shares[[other, first]]


def compare(question: ProseQuestion, found: Sequence[Statement], term_weights: Floats, shares: Floats) -> SpanFeatures:
    """Returns the spans of the best sentences with their features; ``shares`` are the sentences' probabilities."""
    rows: list[Floats] = [np.zeros((0, len(NAMES)))]
    places: list[tuple[int, Span]] = []
    for nth, place in enumerate(sorted(range(len(found)), key=lambda place: -found[place].score)[:READ]):
        each = spans(question, found[place])
        if each:
            rows.append(features(question, found[place], each, term_weights, nth == 0))
            places += [(place, span) for span in each]
    return SpanFeatures(question, found, term_weights, shares, places, np.vstack(rows))


def _span_words(statement: Statement, span: Span) -> str:
    parts = span.parts or ((span.start, span.end),)
    return "|".join(statement.text[start:end].lower() for start, end in parts)


def reasons_of(
    question: ProseQuestion, statement: Statement, span: Span, term_weights: Floats, row: Floats
) -> dict[str, float]:
    """Returns the features from which certainty is computed, by name; :class:`SpanFeatures` sets "share" and
    "sentence_share"."""
    witnesses = statement.witnesses
    covered = np.maximum(statement.held, statement.granted)
    lacking = float(((1 - covered) * term_weights).max(initial=0.0))
    main = question.main
    reasons = dict.fromkeys(REASONS, 0.0)
    reasons |= {name: witnesses[name] for name in ("words", "bare", "nearby", "order", "names", "rarest", "expected")}
    reasons |= {
        "lacking": lacking,
        "suits": float(row[_SUITS]),
        "value": float(span.form == "value"),
        "brief": math.exp(-(span.last - span.first) / 10),
        "right_period": float(row[_PERIOD]),
        "wrong_period": float(row[_WRONG_PERIOD]),
        "figures": float(main in GROUPS["figures"] or main in GROUPS["times"]),
        "acts": float(main in GROUPS["acts"] or main in GROUPS["ways"]),
        "things": float(main in GROUPS["things"] or main in GROUPS["open"]),
        "meaning": witnesses["meaning"],
        "worked": float(_is_worked(question, statement, span)),
        "listed": float(span.form == "list"),
    }
    return reasons if statement.language == question.language else _cross_language_reasons(reasons)


def _cross_language_reasons(reasons: dict[str, float]) -> dict[str, float]:
    """Adjusts the features if question and text are in two languages: embeddings replace words that the dictionary
    lacks, and word order is ignored."""
    raised = {name: max(reasons[name], reasons["meaning"]) for name in ("words", "bare", "nearby")}
    return {**reasons, **raised, "order": raised["words"], "lacking": min(reasons["lacking"], 1 - reasons["meaning"])}


def _is_worked(question: ProseQuestion, statement: Statement, span: Span) -> bool:
    """Returns whether the question asks for a change, total or average, but the words near the figure do not call it
    one."""
    beside = slice(max(0, span.first - _BEFORE), span.last + _AFTER)
    worked = [row for row, term in enumerate(question.terms) if term.base in worked_words()]
    return bool(worked) and span.form != "whole" and statement.match[worked, beside].max(initial=0.0) < 0.5


def sureness(reasons: dict[str, float], weights: Floats) -> float:
    """Returns the certainty for such features, 0..1: the share of correct answers (by logistic regression)."""
    margin = float(weights[0] + np.array([reasons[name] for name in REASONS]) @ weights[1:])
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, margin))))
