"""Finds what earlier conversations and the memory bank say about a question, or that they say nothing.

Something was never said if no message has the rare words of the question together, and none is near in meaning; or if
no message that has them holds the kind of value that is asked for (docs/specification.md, "Recollection").
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from core.graph.memory.recollection.ranking import SAME, Meaning, Ranked, Ranking, asks
from core.graph.memory.recollection.records import Exchange, Found, Recollected, Utterance
from core.graph.memory.recollection.wording import RecallQuestion, read_recall
from core.models.embeddings import Embeddings

log = logging.getLogger(__name__)

EVER = 1.12
"""Minimum evidence for saying that something was said; the evidence of a message is the share of the question's words
that it has, plus its similarity in meaning."""
LEAST = 0.5
"""Minimum evidence for an answer to any other question."""
CERTAIN = 1.0
UNASKED, UNASKED_ALONE = 1.1, 0.8
"""Minimum evidence for an answer to a question that does not ask about earlier conversations; the second, if there are
no documents."""
SHARED, SHARED_OF_USER = 0.2, 0.5
"""Minimum share of the question's words in an exchange, and before it in its conversation, that bears on it; the
second, for a question about the user that does not speak of talking."""
CLEAR = 0.6
"""Minimum similarity in meaning of an utterance that bears on a question without having its words."""
OWN_VALUE = 0.35
"""Minimum share of the question's words in a message whose value counts for a question such as "Did I tell you when
…"."""
OF_EXCHANGE = 0.8
"""Weight of the similarity of a whole exchange, compared with that of a message."""
RELATED = 0.3
"""Minimum similarity in meaning of an utterance that a model reads without having the question's words."""
MOST_RELATED = 5
MOST_NEAREST = 3
"""Maximum number of statements that are offered if nothing answers."""
MOST_TALKS = 12
EMBEDDED, NEWEST = 14, 40
"""Number of exchanges that are compared in meaning: the best by keyword, and the newest."""
SECONDS = 4.0
LONGEST = 400


class RecollectionSearch:
    """Searches ``exchanges`` for questions; without ``embeddings``, by keyword only."""

    def __init__(self, embeddings: Embeddings | None) -> None:
        self._embeddings = embeddings

    async def find(self, text: str, exchanges: Sequence[Exchange], now: float) -> Recollected:
        """Returns what the ``exchanges`` (in the order of time) say about a question, asked at ``now`` (epoch
        seconds)."""
        question = read_recall(text, datetime.fromtimestamp(now).date())
        bounds = question.bounds
        within = [each for each in exchanges if bounds is None or bounds.holds(each.at)]
        if question.is_open and bounds:
            talks = [each for each in within if each.kind == "conversation"]
            return Recollected(talks=tuple(talks[-MOST_TALKS:]), missed_time=not talks)
        found = await self._within(question, within)
        if found.best is None and bounds is not None:
            anywhere = await self._within(question, exchanges)
            return anywhere if anywhere.best is None else _at_another_time(anywhere)
        return found

    async def _within(self, question: RecallQuestion, exchanges: Sequence[Exchange]) -> Recollected:
        subject = tuple(each.text for each in question.terms)
        if not exchanges:
            return Recollected(ever=question.ever, subject=subject)
        preselected = await asyncio.to_thread(_preselected, question, exchanges)
        meaning = await self._meaning(question, preselected)
        ranking = Ranking(question, preselected, meaning)
        ranked = await asyncio.to_thread(ranking.ranked)
        near = (each.exchange for each in ranked if each.covered > 0 or each.meaning >= RELATED)
        related = tuple(dict.fromkeys(near))[:MOST_RELATED]
        evidence = max(_evidence(each, bool(meaning)) for each in ranked)
        bearing = ranked if question.ever else [each for each in ranked if bears_on(question, each)]
        if not bearing or not is_said(question, ranked, bool(meaning)):
            nearest = () if question.ever else _nearest(ranked)
            return Recollected(related=related, ever=question.ever, evidence=evidence, subject=subject, nearest=nearest)
        best = _best(question, bearing)
        return Recollected(
            best=Found(best.exchange, _answering(question, best)),
            nearest=() if question.ever else _nearest(ranked),
            earlier=_earlier(question, best, ranked),
            related=related,
            ever=question.ever,
            evidence=evidence,
            subject=subject,
            has_names=_has_names(question, ranking),
        )

    async def _meaning(self, question: RecallQuestion, exchanges: Sequence[Exchange]) -> Meaning:
        """Returns how near each utterance is in meaning; empty if that cannot be computed in time."""
        if self._embeddings is None:
            return {}
        said = [each for exchange in exchanges for each in exchange.said]
        wholes = ["\n".join(each.text for each in exchange.said)[:LONGEST] for exchange in exchanges]
        texts = [each.text[:LONGEST] for each in said]
        try:
            async with asyncio.timeout(SECONDS):
                asked = await self._embeddings.embed_query(question.subject or question.text)
                rows = await self._embeddings.embed_passages([*texts, *wholes])
        except Exception:
            log.warning("earlier conversations were searched by keyword only", exc_info=True)
            return {}
        strength = self._embeddings.identity.calibration.strength
        near = [strength(float(cosine)) for cosine in np.asarray(rows) @ asked]
        of_whole = {
            each.id: OF_EXCHANGE * whole
            for exchange, whole in zip(exchanges, near[len(said) :], strict=True)
            for each in exchange.said
        }
        return {each.id: max(own, of_whole[each.id]) for each, own in zip(said, near, strict=False)}


def _preselected(question: RecallQuestion, exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Returns the exchanges that have most of the question's words, and the newest ones, in the order of time."""
    if len(exchanges) <= EMBEDDED + NEWEST:
        return list(exchanges)
    shares = Ranking(question, exchanges, {}).shares
    held = [place for place in range(len(exchanges)) if shares[place] > 0]
    best = sorted(held, key=lambda place: (-shares[place], -place))[:EMBEDDED]
    kept = {*(exchanges[place] for place in best), *exchanges[-NEWEST:]}
    return [each for each in exchanges if each in kept]


def _evidence(each: Ranked, with_meaning: bool) -> float:
    return each.own + each.meaning if with_meaning else 2 * each.own


def is_said(question: RecallQuestion, ranked: Sequence[Ranked], with_meaning: bool) -> bool:
    """Returns whether something that was said answers the question."""
    evidence = max((_evidence(each, with_meaning) for each in ranked), default=0.0)
    if not question.ever:
        return evidence >= LEAST
    if evidence < EVER:
        return False
    return not question.wants_value or any(each.fits and each.own >= OWN_VALUE for each in ranked)


def bears_on(question: RecallQuestion, each: Ranked) -> bool:
    """Returns whether an utterance has a word of the question that matters, or is clearly near to it in meaning. What
    only resembles a question about the user must be a statement of the user."""
    of_user = question.about_user and not question.about_talk
    stated = each.utterance.speaker == "user" and not asks(each.utterance)
    if question.is_open or (each.meaning >= CLEAR and (stated or not of_user)):
        return True
    return each.covered >= (SHARED_OF_USER if of_user else SHARED)


def is_near_enough(found: Recollected, only_source: bool) -> bool:
    """Returns whether what was found answers a question that does not ask about earlier conversations: much of its
    words and meaning is there, and every name and number in it. A question that was asked before answers nothing.
    ``only_source``: there are no documents."""
    least = UNASKED_ALONE if only_source else UNASKED
    if found.best is None or asks(found.best.main):
        return False
    return found.evidence >= least and found.has_names


def _has_names(question: RecallQuestion, ranking: Ranking) -> bool:
    """Returns whether every name and number of the question was ever mentioned."""
    named = [place for place, each in enumerate(question.terms) if each.exact]
    return all(any(row[place] >= SAME for row in ranking.matches.values()) for place in named)


def _best(question: RecallQuestion, ranked: Sequence[Ranked]) -> Ranked:
    if question.ever and question.wants_value:
        return next((each for each in ranked if each.fits and each.own >= OWN_VALUE), ranked[0])
    return ranked[0]


def _nearest(ranked: Sequence[Ranked]) -> tuple[Found, ...]:
    """Returns the statements that are nearest in meaning, one of each exchange."""
    stated = [each for each in ranked if each.meaning >= RELATED and not asks(each.utterance)]
    found: dict[str, Found] = {}
    for each in sorted(stated, key=lambda each: -each.meaning):
        found.setdefault(each.exchange.run_id, Found(each.exchange, each.utterance))
    return tuple(found.values())[:MOST_NEAREST]


def _answering(question: RecallQuestion, best: Ranked) -> Utterance:
    """Returns the utterance that answers: of a question, the reply to it."""
    reply = best.exchange.by("assistant")
    return reply if reply and asks(best.utterance) and not question.ever else best.utterance


def _earlier(question: RecallQuestion, best: Ranked, ranked: Sequence[Ranked]) -> Found | None:
    """Returns the best earlier statement on the subject that the answer replaced: an earlier text of a fact, or an
    earlier decision."""
    if best.exchange.kind == "memory":
        of_fact = [each for each in ranked if each.exchange.run_id == best.exchange.run_id and each is not best]
        return Found(of_fact[0].exchange, of_fact[0].utterance) if of_fact else None
    if question.order not in ("decision", "state"):
        return None
    before = [
        each
        for each in ranked
        if each.exchange.at < best.exchange.at and each.decides and each.utterance.speaker == best.utterance.speaker
    ]
    return Found(before[0].exchange, before[0].utterance) if before else None


def _at_another_time(found: Recollected) -> Recollected:
    return Recollected(**{**vars(found), "missed_time": True})
