"""Answers without a language model: the sentences that answer, word for word.

A sentence is scored by four things, each 0..1: the share of the question's words it holds (rarer words among the
candidates count more), the same share together with its neighbours, its closeness in meaning, and the score of its
passage beside the best one. What the title and the heading of a passage already say is nearly granted to all its
sentences, so the other words of the question decide between them. A sentence that holds the kind of thing asked for
(a number, a date, a name) gets a little more.

The weights were fitted on one half of the paragraphs of HeQ (every other one): those under which the sentences that
hold the answer are the likeliest first ones (a softmax over the candidates of a question), rounded. The confidence and
the strengths below which nothing is shown come from the same half and from questions asked without the article that
answers them. ``benchmarks/answers.py`` reports on that half, on the other and on all.
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
"""Nine do as well as all on HeQ, and twelve fit the time."""
FOREIGN_EMBEDDED = 18
"""More, because words cannot choose among sentences in another language than the question's."""
BATCH = 6
"""Sentences embedded at once: few, so that those before a deadline are not lost with those after it."""
SECONDS = 1.2
"""Most time for comparing meanings, whatever the deadline leaves: an answer should be there in 1.5 s."""
LONGEST = 400
"""Characters of a sentence that are embedded; quoted is all of it."""

WORDS, NEIGHBOURS, MEANING, PASSAGE = 0.18, 0.11, 0.25, 0.46
EXPECTED = 0.11
FRAGMENT = 0.1
"""Taken from lines that are no sentence."""
GRANTED = 0.7
"""How far a title or a heading speaks for the sentences under it."""

_FEWEST = 3
"""Sentences among which a word can be rare."""

FOREIGN = 0.16
"""Added to the meaning of a sentence in another language: there the cosines of texts that belong together are lower."""
MISSED = 0.1
"""Taken from the support of a sentence without the kind of thing that is asked for."""
ABSTAIN_BELOW = 0.36
ABSTAIN_BY_WORDS_BELOW = 0.15
"""Where meanings could not be compared."""
FURTHER = 0.4
"""Of that, what sentences after the first must have: they may rest on it."""
SAME = 0.8
"""Share of common words from which two quotations say the same."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnswerPassage:
    """A passage under its citation number, best passages first.

    ``score`` is comparable between the passages of one question. Without any, place ``n`` counts as 1/sqrt(n), about
    what the pipeline gives it on HeQ. ``title``, ``filename`` and ``section`` say what the passage is about; they are
    never quoted. ``outcomes`` is the factor by which past answers raise or lower it, and with it each of its sentences;
    ``precedence`` puts them before (1) or behind (-1) those of all others.
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
    """At most so many sentences in all, of one source, and of one passage; where each passage is to speak, however
    little of an answer it holds."""

    total: int
    of_source: int | None = None
    of_passage: int | None = None


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
    """``confidence`` in 0..1; ``abstained`` when it is too low to show anything.

    The row that names the columns of a quoted table row precedes it in ``sentences``.
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
        """How well the sentence supports an answer, in 0..1, whatever its rank."""
        if self.foreign and self.meaning is not None:
            return self.meaning
        support = self.words if self.meaning is None else 0.2 * self.words + 0.8 * self.meaning
        return max(0.0, support - MISSED * self.missed)

    @property
    def relevance(self) -> float:
        """By which sentences are chosen before anything is learned.

        Words speak for a meaning that is not known, and meaning for foreign words.
        """
        by_words = (WORDS * self.words + NEIGHBOURS * self.nearby) / (WORDS + NEIGHBOURS)
        meaning = by_words if self.meaning is None else self.meaning
        if self.foreign:
            by_words = meaning
        relevance = (WORDS + NEIGHBOURS) * by_words + MEANING * meaning + PASSAGE * self.relative
        return relevance + EXPECTED * self.expected - (FRAGMENT if self.quote.fragment else 0.0)

    @property
    def score(self) -> float:
        """By which sentences are chosen."""
        return self.relevance * self.passage.outcomes


class ExtractiveAnswerer:
    """Quotes; ``embeddings`` may be missing, then words alone decide. ``seconds``: most time for meanings."""

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
        """At most ``limit`` sentences (and the columns of quoted rows), the best first."""
        candidates = await asyncio.to_thread(_candidates, question, language, passages[:PASSAGES_READ])
        if not candidates:
            return ExtractiveAnswer([], 0.0, abstained=True)
        spread = Spread(limit) if isinstance(limit, int) else limit
        skipped = await self._compare(question, _most_promising(candidates, spread), candidates, deadline)
        ranked = sorted(candidates, key=_best_first)
        # What is known not to answer makes nobody sure of the others.
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
        """Set ``meaning`` of the ``best`` of the candidates; the reason when some of that was left out."""
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
    """Set ``meaning`` from the first on, batch by batch while time is left; how many got one."""
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
    """The best by words; where each source may speak for itself, the best of each before more of one."""
    ranked = sorted(candidates, key=_best_first)
    if spread.of_source is not None:
        ranked = _by_turns(ranked, spread.of_source)
    native = [each for each in ranked if not each.foreign][: max(SENTENCES_EMBEDDED, 2 * spread.total)]
    foreign = [each for each in ranked if each.foreign][:FOREIGN_EMBEDDED]
    return sorted([*native, *foreign], key=_best_first)


def _by_turns(ranked: Sequence[_Candidate], of_source: int) -> list[_Candidate]:
    """So many of each source first, then the others; the best first in both."""
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
    """1.0 for each term that ``text`` holds."""
    folded = fold(text)
    return np.array([float(covers(term, folded)) for term in terms])


def _weigh_words(candidates: Sequence[_Candidate], terms: int) -> None:
    """Set ``words`` and ``nearby``: shares of the question, each word by its rarity among the candidates."""
    if not candidates or not terms:
        return
    held = np.array([each.held for each in candidates])
    frequency = (held > 0).sum(axis=0)
    # One or two candidates say nothing of rarity: their own words would count for less than those they lack.
    weights = np.log1p((max(len(candidates), _FEWEST) - frequency + 0.5) / (frequency + 0.5))
    total = float(weights.sum()) or math.inf
    for index, each in enumerate(candidates):
        beside = candidates[max(0, index - 1) : index + 2]
        neighbours = [other.held for other in beside if _adjoin(each, other)]
        each.words = float(each.held @ weights) / total
        each.nearby = float(np.max(neighbours, axis=0) @ weights) / total


def _adjoin(one: _Candidate, other: _Candidate) -> bool:
    """Whether both stand in one paragraph: clauses, list items and rows beside each other say different things."""
    first, second = sorted((one.quote, other.quote), key=lambda quote: quote.start)
    return one.passage is other.passage and "\n" not in one.passage.text[first.end : second.start]


def _best_first(each: _Candidate) -> tuple[int, float, int, int]:
    return -each.passage.precedence, -each.score, each.place, each.quote.start


def _distinct(ranked: Sequence[_Candidate], spread: Spread) -> list[_Candidate]:
    """Sentences of two sources that say the same are two witnesses where each source may speak for itself."""
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
