"""Ranks what was said for a question, by its words, its meaning, its speaker and the kind of value it holds.

The weights are in docs/specification.md, "Recollection".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.answering.prose.tokens import Term, term, term_matches
from core.answering.prose.values import values_in
from core.graph.memory.recollection.records import Exchange, Utterance
from core.graph.memory.recollection.wording import RecallQuestion, pattern, words_said
from core.language.normalisation import fold

SIBLING, TALK, TOPIC = 0.6, 0.35, 0.45
"""Weight of a question's word that only the other part of the exchange has, or only the same conversation before; and
of a word of the exchange that introduced the subject."""
MEANING = 0.7
SPEAKER, OTHER_SPEAKER, OWN = 0.3, 0.3, 0.1
FITS, MISFITS = 0.25, 0.2
DECIDES, REPORTS, ADVISES = 0.3, 0.45, 0.5
ACKNOWLEDGES, REPEATS, REQUESTS, ASKS, OF_OTHERS = 0.2, 0.4, 0.4, 0.8, 0.15
STORED, REPLACED = 0.3, 1.0
NEAR, NEAR_IN_ORDER = 0.03, 0.6
"""Largest distance to the best score at which the later utterance wins; the second, if the question asks for a decision
or for the first statement."""
NEAR_UPDATE, SUBJECT, SAME_SUBJECT = 0.25, 0.5, 0.9
"""Largest distance to the best score of a later statement on the same subject that replaces the best one; minimum share
of the question's words in the best one, and minimum part of this share in the later one."""
RECENT = 0.4
"""Score of the latest exchange on the subject, compared with the first one."""
ON_SUBJECT, CLOSE, CLOSEST = 0.2, 0.4, 0.3
"""Minimum share of the question's words of an exchange on its subject; or minimum similarity in meaning, and largest
distance to the highest one."""
SAME = 0.7
ALIKE = 0.4
"""Minimum similarity in meaning of a decision that has none of the question's words."""

Meaning = Mapping[str, float]
"""Maps an utterance's id to the strength of its similarity in meaning to the question, 0..1."""


@dataclass(frozen=True)
class Ranked:
    """An utterance with its score. ``own`` and ``covered`` are the shares of the question's words in it, and in it and
    around it; ``meaning`` is its similarity in meaning; ``fits``: it holds the kind of value that is asked for;
    ``decides``: it states a decision."""

    utterance: Utterance
    exchange: Exchange
    score: float
    own: float
    covered: float
    meaning: float
    fits: bool
    decides: bool = False


@dataclass(frozen=True)
class Ranking:
    """Ranks the utterances of ``exchanges`` (in the order of time) for a question."""

    question: RecallQuestion
    exchanges: Sequence[Exchange]
    meaning: Meaning

    def ranked(self) -> list[Ranked]:
        """Returns all utterances, the best first."""
        found = [self._ranked(exchange, said) for exchange in self.exchanges for said in exchange.said]
        return _ordered(self.question, _with_recency(self.question, found))

    @cached_property
    def matches(self) -> dict[str, list[float]]:
        """How well each utterance has each of the question's words, by its id."""
        said = [each for exchange in self.exchanges for each in exchange.said]
        return {each.id: _matches(self.question, each) for each in said}

    @cached_property
    def weights(self) -> list[float]:
        """The weight of each of the question's words: rare ones count more."""
        count = max(1, len(self.exchanges))
        held = [[max(row) for row in zip(*self._rows(exchange.said), strict=True)] for exchange in self.exchanges]
        return [
            each.weight * math.log(1 + count / (0.5 + sum(row[place] >= SAME for row in held)))
            for place, each in enumerate(self.question.terms)
        ]

    @cached_property
    def topic(self) -> list[Term]:
        """The words of the exchange that has most of the question's words first: a later decision often repeats only
        these."""
        if not self.question.terms:
            return []
        best = max(self.shares, default=0.0)
        if best <= 0:
            return []
        asked, found = {each.base for each in self.question.terms}, dict[str, Term]()
        for said in self.exchanges[self.shares.index(best)].said:
            for place, token in enumerate(words_said(said.text)):
                if not token.stop and token.base not in asked and len(token.folded) > 2:
                    found.setdefault(token.base, term(token, first=place == 0))
        return list(found.values())

    @cached_property
    def shares(self) -> list[float]:
        """The share of the question's words that each exchange has."""
        return [
            self.share([max(row) for row in zip(*self._rows(exchange.said), strict=True)])
            for exchange in self.exchanges
        ]

    def share(self, matches: Sequence[float]) -> float:
        """Returns the share of the question's words that ``matches`` has, by weight."""
        total = sum(self.weights)
        return sum(map(lambda match, weight: match * weight, matches, self.weights)) / total if total else 0.0

    def _rows(self, said: Sequence[Utterance]) -> list[list[float]]:
        return [self.matches[each.id] for each in said]

    def _ranked(self, exchange: Exchange, said: Utterance) -> Ranked:
        own = self.matches[said.id]
        beside = self._best([each for each in exchange.said if each is not said])
        talk = self._best(
            [
                each
                for other in self.exchanges
                if other.conversation_id == exchange.conversation_id and other.at <= exchange.at
                for each in other.said
            ]
        )
        joined = [max(a, SIBLING * b, TALK * c) for a, b, c in zip(own, beside, talk, strict=True)]
        covered = max(self.share(joined), TOPIC * self._on_topic(said))
        meaning, fits = self.meaning.get(said.id, 0.0), value_fit(self.question, said)
        score = covered + MEANING * meaning + _fitness(self.question, said, fits) + _as_fact(self.question, exchange)
        return Ranked(
            said, exchange, score, self.share(own), covered, meaning, fits is not None and fits > 0, decides(said)
        )

    def _best(self, said: Sequence[Utterance]) -> list[float]:
        rows = self._rows(said)
        return [max(column) for column in zip(*rows, strict=True)] if rows else [0.0] * len(self.question.terms)

    def _on_topic(self, said: Utterance) -> float:
        if not self.topic:
            return 0.0
        return min(1.0, sum(match >= SAME for match in _best_matches(self.topic, said)) / 2)


def _best_matches(terms: Sequence[Term], said: Utterance) -> list[float]:
    best = [0.0] * len(terms)
    for token in words_said(said.text):
        for place, match in enumerate(term_matches(terms, token)):
            best[place] = max(best[place], match)
    return best


def _matches(question: RecallQuestion, said: Utterance) -> list[float]:
    """Returns how well an utterance has each of the question's words; all verbs of saying are the same word."""
    best = _best_matches(question.terms, said)
    if question.wants_report and pattern("reports").search(fold(said.text)):
        return [
            max(match, SAME) if pattern("reports").search(each.text) or pattern("says").search(each.text) else match
            for each, match in zip(question.terms, best, strict=True)
        ]
    return best


def _fitness(question: RecallQuestion, said: Utterance, fits: float | None) -> float:
    """Returns what the form of an utterance adds to its score: who says it, what it does, what value it holds."""
    folded = fold(said.text)
    score = 0.0 if fits is None else FITS * fits if fits else -MISFITS
    if question.speaker is not None:
        score += SPEAKER if said.speaker == question.speaker else -OTHER_SPEAKER
    elif question.first_person and said.speaker == "user":
        score += OWN
    if question.order == "decision" and decides(said):
        score += DECIDES
    is_report = said.speaker == "user" and bool(pattern("reports").search(folded))
    if question.wants_report:
        score += REPORTS if is_report else -OF_OTHERS
    elif question.first_person and is_report:
        score -= OF_OTHERS
    if question.wants_advice and said.speaker == "assistant" and pattern("advises").search(folded):
        score += ADVISES
    if question.order != "state" and pattern("acknowledgement").search(folded):
        score -= REPEATS if question.speaker == "assistant" else ACKNOWLEDGES
    return score - (0.0 if question.ever else _asking(said, folded))


def _as_fact(question: RecallQuestion, exchange: Exchange) -> float:
    """Returns what a fact of the memory bank gains, since the user had it stored; a replaced one loses."""
    if exchange.kind == "conversation":
        return 0.0
    return -REPLACED if exchange.until is not None else STORED * question.first_person


def decides(said: Utterance) -> bool:
    """Returns whether an utterance states a decision."""
    return bool(pattern("decides").search(fold(said.text)))


def asks(said: Utterance) -> bool:
    """Returns whether an utterance is only a question of the user."""
    return said.speaker == "user" and bool(pattern("question").search(fold(said.text)))


def _asking(said: Utterance, folded: str) -> float:
    """Returns what is deducted from a message that asks or orders: it does not answer."""
    if said.speaker != "user":
        return 0.0
    if pattern("question").search(folded):
        return ASKS
    return REQUESTS if pattern("requests").search(folded) else 0.0


def value_fit(question: RecallQuestion, said: Utterance) -> float | None:
    """Returns how well the utterance holds the kind of value that the question expects, 0..1; ``None`` if it expects
    none."""
    if question.wants_reason:
        return float(bool(pattern("gives_reason").search(fold(said.text))))
    if not question.wants_value:
        return None
    if question.values & {value.kind for value in values_in(said.text)}:
        return 1.0
    return 0.7 * question.expectation.met(said.text)


def _with_recency(question: RecallQuestion, found: list[Ranked]) -> list[Ranked]:
    """Adds to the score of what bears on the question, the more the later it was said: what was said last holds."""
    if question.ever or question.order == "earliest" or question.bounds or question.speaker == "assistant":
        return found
    nearest = max((each.meaning for each in found), default=0.0)
    bearing = {
        each.exchange.run_id: each.exchange.at
        for each in found
        if each.covered >= ON_SUBJECT or (each.meaning >= CLOSE and each.meaning >= nearest - CLOSEST)
    }
    order = {run_id: place for place, run_id in enumerate(sorted(bearing, key=lambda run_id: bearing[run_id]))}
    last = max(1, len(order) - 1)
    return [replace(each, score=each.score + RECENT * order.get(each.exchange.run_id, 0) / last) for each in found]


def _ordered(question: RecallQuestion, found: list[Ranked]) -> list[Ranked]:
    """Orders by score. Of those that are nearly as good as the best, the last one wins, or the first one if the
    question asks for it: a later decision replaces an earlier one."""
    ranked = sorted(found, key=lambda each: (-each.score, -each.utterance.at))
    if not ranked:
        return []
    least = ranked[0].score - (NEAR_IN_ORDER if question.order else NEAR)
    near = [each for each in ranked if each.score >= least and _may_replace(question, each)]
    if not question.order:
        near += [each for each in ranked if each not in near and _updates(each, ranked[0])]
    if ranked[0] not in near and (not near or question.order in ("", "earliest")):
        return ranked
    near.sort(key=lambda each: each.utterance.at, reverse=question.order != "earliest")
    return [*near, *(each for each in ranked if each not in near)]


def _updates(each: Ranked, best: Ranked) -> bool:
    """Returns whether an utterance is a later statement of the same speaker on the same subject, with a value of the
    kind that is asked for if the best one has it."""
    later = each.utterance.at > best.utterance.at and each.utterance.speaker == best.utterance.speaker
    same = best.own >= SUBJECT and each.own >= SAME_SUBJECT * best.own and each.fits >= best.fits
    replaced = each.exchange.until is not None or asks(each.utterance)
    return later and same and not replaced and each.score >= best.score - NEAR_UPDATE


def _may_replace(question: RecallQuestion, each: Ranked) -> bool:
    """Returns whether an utterance can be the later word on the subject: it decides, or has words of the question."""
    if question.order == "decision":
        return each.decides and (each.covered > 0 or each.meaning >= ALIKE)
    return each.own > 0
