"""Answers without a language model: the sentences that answer, word for word.

A sentence is scored by how much of the question it holds (:mod:`core.language.matching`, over the candidate
sentences), by its closeness in meaning, and by the rank of its passage. The weights were chosen on half of the
paragraphs of HeQ and hold on the other half; ``benchmarks/answers.py`` repeats it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import explain
from core.language.detection import detect
from core.language.matching import lexical_strengths
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import index_terms, query_terms
from core.models.embeddings import Embeddings
from core.resilience import Deadline
from core.settings import Settings
from core.words import Language, Words

log = logging.getLogger(__name__)

PASSAGES_READ = 12
SENTENCES_EMBEDDED = 24
LEXICAL, MEANING, RANK = 0.5, 0.3, 0.2
FULL = 0.5
ABSTAIN_BELOW = 0.22
SHORTEST_WORDS = 3
SAME = 0.8
"""Share of common words from which two quotations say the same."""


@dataclass(frozen=True)
class AnswerPassage:
    """A passage under its citation number, best passages first."""

    number: int
    item_id: str
    text: str


@dataclass(frozen=True)
class QuotedSentence:
    """``text`` is exactly ``passage.text[start:end]``; ``score`` in 0..1."""

    number: int
    item_id: str
    text: str
    start: int
    end: int
    score: float


@dataclass(frozen=True)
class ExtractiveAnswer:
    """``confidence`` in 0..1; ``abstained`` when it is too low to show anything."""

    sentences: list[QuotedSentence]
    confidence: float
    abstained: bool
    skipped: Words | None = None


@dataclass
class _Candidate:
    passage: AnswerPassage
    place: int
    text: str
    start: int
    end: int
    lexical: float = 0.0
    meaning: float | None = None

    @property
    def score(self) -> float:
        rank = 1 / (1 + self.place)
        if self.meaning is None:
            return (LEXICAL + MEANING) * self.lexical + RANK * rank
        return LEXICAL * self.lexical + MEANING * self.meaning + RANK * rank


class ExtractiveAnswerer:
    """Quotes; ``embeddings`` may be missing, then words alone decide."""

    def __init__(self, embeddings: Embeddings | None, settings: Settings) -> None:
        self._embeddings = embeddings
        self._settings = settings

    async def answer(
        self, question: str, language: Language, passages: Sequence[AnswerPassage], limit: int, deadline: Deadline
    ) -> ExtractiveAnswer:
        """At most ``limit`` sentences, the best first; none when nothing supports an answer."""
        candidates = await asyncio.to_thread(_candidates, question, passages[:PASSAGES_READ])
        if not candidates:
            return ExtractiveAnswer([], 0.0, abstained=True)
        skipped = await self._compare(question, candidates, deadline)
        ranked = sorted(candidates, key=lambda each: (-each.score, each.place, each.start))
        confidence = ranked[0].score
        chosen = _distinct(ranked, limit)
        quotes = [
            QuotedSentence(each.passage.number, each.passage.item_id, each.text, each.start, each.end, each.score)
            for each in chosen
        ]
        return ExtractiveAnswer(quotes, confidence, confidence < ABSTAIN_BELOW, skipped)

    async def _compare(self, question: str, candidates: list[_Candidate], deadline: Deadline) -> Words | None:
        """Set ``meaning`` of the most promising candidates; the reason when that was left out."""
        embeddings = self._embeddings
        if embeddings is None:
            return None
        best = sorted(candidates, key=lambda each: -each.score)[:SENTENCES_EMBEDDED]
        try:
            async with asyncio.timeout(deadline.remaining()):
                query = await embeddings.embed_query(question)
                vectors = await embeddings.embed_passages([each.text for each in best])
        except Exception as error:
            log.warning("sentences were compared by words only: %s", error)
            what = explain(error).what
            return Words(
                en=f"Sentences were chosen by words only. {what.en}", he=f"המשפטים נבחרו לפי מילים בלבד. {what.he}"
            )
        for each, cosine in zip(best, (vectors @ query).tolist(), strict=True):
            each.meaning = embeddings.identity.calibration.strength(cosine)
        for each in candidates:
            if each.meaning is None:
                each.meaning = 0.0
        return None


def _candidates(question: str, passages: Sequence[AnswerPassage]) -> list[_Candidate]:
    found = [
        _Candidate(passage, place, sentence.text, sentence.start, sentence.end)
        for place, passage in enumerate(passages)
        for sentence in split_sentences(passage.text)
        if _tells(sentence.text)
    ]
    terms = query_terms(question, detect(question))
    counts = [Counter(index_terms(each.text, detect(each.text))) for each in found]
    for each, share in zip(found, lexical_strengths(terms, counts), strict=True):
        each.lexical = min(1.0, share / FULL)
    return found


def _tells(sentence: str) -> bool:
    """Headings, fragments and questions answer nothing."""
    text = sentence.strip()
    return len(text.split()) >= SHORTEST_WORDS and not text.startswith("#") and not text.endswith("?")


def _distinct(ranked: Sequence[_Candidate], limit: int) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    for each in ranked:
        if len(chosen) == limit:
            break
        if not any(_same(each.text, other.text) for other in chosen):
            chosen.append(each)
    return chosen


def _same(one: str, other: str) -> bool:
    first, second = set(fold(one).split()), set(fold(other).split())
    return len(first & second) >= SAME * min(len(first), len(second))
