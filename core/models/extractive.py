"""Answers without a language model: quotes the sentences that answer the question, word for word.

A sentence's score has four parts, each 0..1: the share of the question's words in it (words that are rare among the
candidates count more), the same share with its neighbours included, its semantic similarity, and its passage's score
relative to the best one. Words in a passage's title and heading count nearly fully for all its sentences, so the
question's other words decide between them. A sentence with the expected kind of answer (a number, a date, a name) gets
a small bonus.

The weights were fitted on one half of the paragraphs in HeQ, a Hebrew question answering benchmark (every other
paragraph). They maximise the probability that a sentence with the answer ranks first (a softmax over a question's
candidates), and are rounded. The confidence and the minimum strengths for showing anything were fitted on the same
half, and on questions asked without the article that answers them. ``benchmarks/answers.py`` reports on that half, on
the other and on all.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import explain
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.sentences import Sentence
from core.language.terms import content_terms, covers
from core.messages import message
from core.models.embeddings import Embeddings
from core.models.expectations import Expectation
from core.models.quotable import Quotable, quotables
from core.resilience.dependencies import Deadline
from core.settings import Settings
from core.words import Language, Words

log = logging.getLogger(__name__)

PASSAGES_READ = 12
SENTENCES_EMBEDDED = 12
"""Number of sentences that are embedded per question. On HeQ nine do as well as all, and twelve fit the time limit."""
FOREIGN_EMBEDDED = 18
"""The number of sentences if they are in another language than the question: it is larger, because keywords cannot
preselect them."""
BATCH = 6
"""Number of sentences embedded in one call; it is small, so that a deadline does not lose sentences already embedded.
"""
SECONDS = 1.2
"""Maximum seconds for semantic comparison, even if the deadline allows more, so that an answer is ready in 1.5 s."""
LONGEST = 400
"""Maximum number of a sentence's characters that are embedded; the quotation always has the whole sentence."""

WORDS, NEIGHBOURS, MEANING, PASSAGE = 0.18, 0.11, 0.25, 0.46
EXPECTED = 0.11
FRAGMENT = 0.1
"""Deducted from the score of lines that are not sentences."""
GRANTED = 0.7
"""Weight of words in a title or heading for the sentences below it."""

_FEWEST = 3
"""Minimum number of sentences for measuring how rare a word is."""

FOREIGN = 0.16
"""Added to the similarity of a sentence in another language: cosines of related texts are lower across languages."""
MISSED = 0.1
"""Deducted from a sentence's support if it lacks the expected kind of answer."""
ABSTAIN_BELOW = 0.36
ABSTAIN_BY_WORDS_BELOW = 0.15
"""Minimum support for showing an answer when semantic similarity was not computed."""
FURTHER = 0.4
"""Factor on that minimum for sentences after the first, because they may depend on the first."""
SAME = 0.8
"""Minimum share of common words for two quotations to count as the same."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnswerPassage:
    """A passage with its citation number; passages are ordered best first.

    ``score`` is comparable between the passages of one question. Without scores, rank ``n`` counts as 1/sqrt(n), about
    what the pipeline gives it on HeQ. ``title``, ``filename`` and ``section`` give context and are never quoted.
    ``outcomes`` is the factor by which feedback on past answers raises or lowers the passage and each of its sentences;
    ``precedence`` ranks them before (1) or after (-1) those of all other passages.
    """

    number: int
    item_id: str
    text: str
    title: str = ""
    filename: str = ""
    section: str = ""
    score: float = 0.0
    outcomes: float = 1.0
    precedence: int = 0


@dataclass(frozen=True)
class Spread:
    """Limits on the number of sentences: in total, per source, and per passage. With a limit per passage, each passage
    is quoted, even if it answers little."""

    total: int
    of_source: int | None = None
    of_passage: int | None = None


@dataclass(frozen=True)
class QuotedSentence:
    """A quoted sentence: ``text`` is exactly ``passage.text[start:end]``; ``score`` in 0..1."""

    number: int
    item_id: str
    text: str
    start: int
    end: int
    score: float


@dataclass(frozen=True)
class ExtractiveAnswer:
    """The quoted answer. ``confidence`` is 0..1; ``abstained`` is set when it is too low to show anything.

    If a table row is quoted, the table's header row comes before it in ``sentences``.
    """

    sentences: list[QuotedSentence]
    confidence: float
    abstained: bool
    skipped: Words | None = None


@dataclass
class _Candidate:
    passage: AnswerPassage
    place: int
    quote: Quotable
    foreign: bool
    held: Floats = field(default_factory=lambda: np.zeros(0))
    words: float = 0.0
    nearby: float = 0.0
    expected: float = 0.0
    missed: float = 0.0
    relative: float = 0.0
    meaning: float | None = None

    @property
    def support(self) -> float:
        """How well the sentence supports an answer, in 0..1, independent of its rank."""
        if self.foreign and self.meaning is not None:
            return self.meaning
        support = self.words if self.meaning is None else 0.2 * self.words + 0.8 * self.meaning
        return max(0.0, support - MISSED * self.missed)

    @property
    def relevance(self) -> float:
        """The score for preselection, before feedback and embeddings are considered.

        An unknown similarity is estimated from the shared words; for a sentence in another language, the share of words
        is estimated from the similarity.
        """
        by_words = (WORDS * self.words + NEIGHBOURS * self.nearby) / (WORDS + NEIGHBOURS)
        meaning = by_words if self.meaning is None else self.meaning
        if self.foreign:
            by_words = meaning
        relevance = (WORDS + NEIGHBOURS) * by_words + MEANING * meaning + PASSAGE * self.relative
        return relevance + EXPECTED * self.expected - (FRAGMENT if self.quote.fragment else 0.0)

    @property
    def score(self) -> float:
        """The score by which sentences are chosen."""
        return self.relevance * self.passage.outcomes


class ExtractiveAnswerer:
    """Answers with quotations. Without ``embeddings`` only words are compared. ``seconds``: time limit for semantic
    comparison."""

    def __init__(self, embeddings: Embeddings | None, settings: Settings, seconds: float | None = None) -> None:
        self._embeddings = embeddings
        self._seconds = min(SECONDS, settings.deadlines.embed_query) if seconds is None else seconds

    async def answer(
        self,
        question: str,
        language: Language,
        passages: Sequence[AnswerPassage],
        limit: int | Spread,
        deadline: Deadline,
    ) -> ExtractiveAnswer:
        """At most ``limit`` sentences (plus the column rows of quoted table rows), the best first."""
        candidates = await asyncio.to_thread(_candidates, question, language, passages[:PASSAGES_READ])
        if not candidates:
            return ExtractiveAnswer([], 0.0, abstained=True)
        spread = Spread(limit) if isinstance(limit, int) else limit
        skipped = await self._compare(question, _most_promising(candidates, spread), candidates, deadline)
        ranked = sorted(candidates, key=_best_first)
        # A passage that feedback shows not to answer must not raise the confidence of others.
        open_ones = [each for each in ranked if each.passage.precedence >= 0] or ranked
        likeliest = min(open_ones, key=lambda each: (-each.relevance, each.place, each.quote.start))
        confidence = likeliest.support
        least = ABSTAIN_BY_WORDS_BELOW if likeliest.meaning is None else ABSTAIN_BELOW
        further = 0.0 if spread.of_passage else FURTHER * least
        supporting = [ranked[0], *(each for each in ranked[1:] if each.support >= further)]
        abstained = confidence < least and ranked[0].passage.precedence <= 0
        return ExtractiveAnswer(_quotes(_distinct(supporting, spread)), confidence, abstained, skipped)

    async def _compare(
        self, question: str, best: Sequence[_Candidate], candidates: list[_Candidate], deadline: Deadline
    ) -> Words | None:
        """Set ``meaning`` (the semantic similarity) of the ``best`` candidates; returns the reason if some were left
        out."""
        embeddings = self._embeddings
        if embeddings is None:
            return None
        try:
            done = await _embed(embeddings, question, best, Deadline(deadline.slice(self._seconds)))
        except Exception as error:
            log.warning("sentences were compared by words only: %s", error)
            return _by_words(explain(error).what)
        if done == 0:
            return _by_words(_NO_TIME)
        for each in candidates:
            if each.meaning is None:
                each.meaning = 0.0
        return None if done == len(best) else message("models.extractive.in_part", done=done, wanted=len(best))


async def _embed(embeddings: Embeddings, question: str, best: Sequence[_Candidate], deadline: Deadline) -> int:
    """Set ``meaning`` of the candidates in order, in batches while time is left; returns how many were set."""
    strength = embeddings.identity.calibration.strength
    done, longest = 0, 0.0
    try:
        async with asyncio.timeout(deadline.remaining()):
            query = await embeddings.embed_query(question)
            while done < len(best) and deadline.remaining() > longest:
                batch = best[done : done + BATCH]
                began = time.monotonic()
                vectors = await embeddings.embed_passages([each.quote.text[:LONGEST] for each in batch])
                longest = max(longest, time.monotonic() - began)
                for each, cosine in zip(batch, (vectors @ query).tolist(), strict=True):
                    each.meaning = min(1.0, strength(cosine) + FOREIGN * each.foreign)
                done += len(batch)
    except TimeoutError:
        log.info("meanings of %d of %d sentences were compared in time", done, len(best))
    return done


def _most_promising(candidates: Sequence[_Candidate], spread: Spread) -> list[_Candidate]:
    """The best candidates by words; with a limit per source, each source's best come before further ones."""
    ranked = sorted(candidates, key=_best_first)
    if spread.of_source is not None:
        ranked = _by_turns(ranked, spread.of_source)
    native = [each for each in ranked if not each.foreign][: max(SENTENCES_EMBEDDED, 2 * spread.total)]
    foreign = [each for each in ranked if each.foreign][:FOREIGN_EMBEDDED]
    return sorted([*native, *foreign], key=_best_first)


def _by_turns(ranked: Sequence[_Candidate], of_source: int) -> list[_Candidate]:
    """The best ``of_source`` of each source first, then the others; best first in both groups."""
    seen: Counter[int] = Counter()
    first: list[_Candidate] = []
    others: list[_Candidate] = []
    for each in ranked:
        (first if seen[each.passage.number] < of_source else others).append(each)
        seen[each.passage.number] += 1
    return [*first, *others]


def _candidates(question: str, language: Language, passages: Sequence[AnswerPassage]) -> list[_Candidate]:
    terms = content_terms(question)
    expectation = Expectation(question)
    best = max((passage.score for passage in passages), default=0.0)
    found: list[_Candidate] = []
    for place, passage in enumerate(passages):
        foreign = detect(passage.text) != language
        about = _held(terms, " ".join((passage.title, passage.filename.replace("_", " "), passage.section))) * GRANTED
        for quote in quotables(passage.text, (passage.title, passage.section)):
            each = _Candidate(passage, place, quote, foreign)
            each.held = np.maximum(_held(terms, quote.text), about)
            each.expected, each.missed = expectation.met(quote.text), expectation.missed(quote.text)
            each.relative = passage.score / best if best > 0 else (1 + place) ** -0.5
            found.append(each)
    _weigh_words(found, len(terms))
    return found


def _held(terms: Sequence[str], text: str) -> Floats:
    """For each term: 1.0 if ``text`` contains it, else 0.0."""
    folded = fold(text)
    return np.array([float(covers(term, folded)) for term in terms])


def _weigh_words(candidates: Sequence[_Candidate], terms: int) -> None:
    """Set ``words`` and ``nearby``: shares of the question's words, each weighted by its rarity
    among the candidates."""
    if not candidates or not terms:
        return
    held = np.array([each.held for each in candidates])
    frequency = (held > 0).sum(axis=0)
    # With one or two candidates rarity cannot be measured: words that they contain would weigh less than words that
    # they lack.
    weights = np.log1p((max(len(candidates), _FEWEST) - frequency + 0.5) / (frequency + 0.5))
    total = float(weights.sum()) or math.inf
    for index, each in enumerate(candidates):
        beside = candidates[max(0, index - 1) : index + 2]
        neighbours = [other.held for other in beside if _adjoin(each, other)]
        each.words = float(each.held @ weights) / total
        each.nearby = float(np.max(neighbours, axis=0) @ weights) / total


def _adjoin(one: _Candidate, other: _Candidate) -> bool:
    """Whether both sentences are in one paragraph. Neighbouring clauses, list items and rows do not count, because they
    are about different things."""
    first, second = sorted((one.quote, other.quote), key=lambda quote: quote.start)
    return one.passage is other.passage and "\n" not in one.passage.text[first.end : second.start]


def _best_first(each: _Candidate) -> tuple[int, float, int, int]:
    return -each.passage.precedence, -each.score, each.place, each.quote.start


def _distinct(ranked: Sequence[_Candidate], spread: Spread) -> list[_Candidate]:
    """The ranked sentences without duplicates. With a limit per source, equal sentences from two sources are both
    kept."""
    chosen: list[_Candidate] = []
    for each in ranked:
        if len(chosen) == spread.total:
            break
        of_source = [other for other in chosen if other.passage.number == each.passage.number]
        of_passage = [other for other in of_source if other.passage.item_id == each.passage.item_id]
        full = _is_full(of_source, spread.of_source) or _is_full(of_passage, spread.of_passage)
        beside = chosen if spread.of_source is None else of_source
        if not full and not any(_same(each.quote.text, other.quote.text) for other in beside):
            chosen.append(each)
    return chosen


def _is_full(chosen: Sequence[_Candidate], most: int | None) -> bool:
    return most is not None and len(chosen) >= most


def _same(one: str, other: str) -> bool:
    first, second = set(fold(one).split()), set(fold(other).split())
    figures = [{word for word in each if any(map(str.isdigit, word))} for each in (first, second)]
    if all(figures) and figures[0] != figures[1]:
        return False
    return len(first & second) >= SAME * max(1, min(len(first), len(second)))


def _quotes(chosen: Sequence[_Candidate]) -> list[QuotedSentence]:
    quotes: list[QuotedSentence] = []
    named: set[tuple[str, int]] = set()
    for each in chosen:
        passage, score, columns = each.passage, min(1.0, max(0.0, each.score)), each.quote.columns
        said: list[Quotable | Sentence] = [each.quote]
        if columns and (passage.item_id, columns.start) not in named:
            named.add((passage.item_id, columns.start))
            said.insert(0, columns)
        quotes += [QuotedSentence(passage.number, passage.item_id, it.text, it.start, it.end, score) for it in said]
    return quotes


_NO_TIME = message("models.extractive.no_time")


def _by_words(what: Words) -> Words:
    return message("models.extractive.by_words", what=what)
