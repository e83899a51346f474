"""Finds sentences relevant to a question and computes their features, each in 0..1.

Besides the features of :mod:`core.models.extractive` (words by rarity, neighbours, embeddings, passage), there are some
that distinguish an answer from a sentence on the same subject: the question's names and numbers, its word order, and
how little else the sentence says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.list_continuation import with_their_lists
from core.answering.prose.question import ProseQuestion
from core.answering.prose.tokens import Term, Token, term_matches, tokens
from core.figures.records import TextEvidence
from core.language.cache_sizes import TEXTS
from core.language.detection import detect
from core.language.foreign_terms import word_count
from core.models.expectations import Expectation
from core.models.quotable import Quotable, quotables
from core.words import Language

Floats = NDArray[np.float64]
Row = tuple[float, ...]

_PASSAGES = 800
"""Number of passages whose sentences and tokens are cached: about forty megabytes."""
PASSAGES_READ = 12
FOREIGN_PASSAGES_READ = 24
"""Number of passages used if the question is in another language; it is higher, since the search then ranks them less
reliably."""
_ROW = re.compile(r"\s\|\s|\t")
"""Matches table rows, which are handled as tables."""
GRANTED = 0.7
"""Weight of a match in a title or heading, which counts for the sentences below it."""
_FEWEST = 3
_FEWEST_WORDS = 5
_ENDS = (".", "\u3002")
_DISTANCE = 3.0

WITNESSES = (
    "words", "nearby", "order", "names", "bare", "expected", "passage", "opening", "rarest", "fragment", "short",
    "meaning",
)  # fmt: skip


@dataclass
class Statement:
    """A sentence of ``passage`` as quoted in ``quote``; ``match[i][j]`` says how well token ``j`` matches question term
    ``i``.

    ``held`` is the best match of each term, ``granted`` are the matches from titles and headings; ``witnesses`` are the
    features by name.
    """

    passage: TextEvidence
    quote: Quotable
    tokens: Sequence[Token]
    match: Floats
    granted: Floats
    language: Language = "en"
    witnesses: dict[str, float] = field(default_factory=dict)
    score: float = 0.0

    def __post_init__(self) -> None:
        self.text = self.quote.text
        self.held: Floats = self.match.max(axis=1, initial=0.0)


def statements(question: ProseQuestion, passages: Sequence[TextEvidence]) -> tuple[list[Statement], Floats]:
    """Returns the sentences of the first passages, and each question term's weight (they sum to 1)."""
    return all_statements(question, _passages_to_read(question, passages))


def all_statements(question: ProseQuestion, passages: Sequence[TextEvidence]) -> tuple[list[Statement], Floats]:
    """Returns the sentences of all passages, and each question term's weight (they sum to 1)."""
    found: list[Statement] = []
    expectation, matches = Expectation(question.text), _Matches(question.terms)
    best = max((passage.score for passage in passages), default=0.0)
    for place, passage in enumerate(passages):
        heading = " ".join((passage.origin.title, *passage.origin.names, *passage.origin.periods, *passage.path))
        language = _language_of(passage.text)
        granted = matches.of(tokens(heading)).max(axis=1, initial=0.0) * GRANTED
        for quote, words in _quotes(passage.text, (passage.origin.title, *passage.path[-1:])):
            if passage.is_table and quote.fragment:
                continue
            each = Statement(passage, quote, words, matches.of(words), granted, language)
            each.witnesses["expected"] = 0.5 + 0.5 * (expectation.met(quote.text) - expectation.missed(quote.text))
            each.witnesses["passage"] = passage.score / best if best > 0 else (1 + place) ** -0.5
            found.append(each)
    weights = _weights(question, found)
    for index, each in enumerate(found):
        _witness(question, each, found[max(0, index - 2) : index + 3], weights)
    return found, weights


def _passages_to_read(question: ProseQuestion, passages: Sequence[TextEvidence]) -> Sequence[TextEvidence]:
    """Returns the first passages that contain a sentence; more of them if most are in another language than the
    question."""
    written = [passage for passage in passages if not passage.is_table or _holds_a_sentence(passage.text)]
    first = written[:PASSAGES_READ]
    foreign = sum(_language_of(passage.text) != question.language for passage in first)
    return written[:FOREIGN_PASSAGES_READ] if 2 * foreign > len(first) else first


_language_of = lru_cache(maxsize=TEXTS)(detect)


@lru_cache(maxsize=_PASSAGES)
def _quotes(passage: str, headings: tuple[str, ...]) -> tuple[tuple[Quotable, tuple[Token, ...]], ...]:
    """Returns the sentences of a passage that are not table rows, each with its tokens."""
    quotes = with_their_lists(passage, quotables(passage, headings))
    return tuple((each, tokens(each.text)) for each in quotes if not each.columns and not _ROW.search(each.text))


@lru_cache(maxsize=TEXTS)
def _holds_a_sentence(text: str) -> bool:
    """Returns whether a passage contains a line that is a sentence: a table's passage may start with the paragraphs
    before the table."""
    lines = (line.strip() for line in text.split("\n") if not _ROW.search(line))
    return any(line.endswith(_ENDS) and word_count(line) >= _FEWEST_WORDS for line in lines)


class _Matches:
    """Matches tokens with the terms of one question; each distinct word is compared only once."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = terms
        self._signs: Row = (0.0,) * len(terms)
        self._rows: dict[str, Row] = {}

    def of(self, words: Sequence[Token]) -> Floats:
        """Returns one row for each term, one column for each token."""
        if not self._terms or not words:
            return np.zeros((len(self._terms), len(words)))
        rows = [self._row(token) if token.word else self._signs for token in words]
        return np.array(rows, dtype=np.float64).T

    def _row(self, token: Token) -> Row:
        row = self._rows.get(token.text)
        if row is None:
            row = self._rows[token.text] = term_matches(self._terms, token)
        return row


def _weights(question: ProseQuestion, found: Sequence[Statement]) -> Floats:
    """Returns the weight of each question term: its rarity among the sentences, times its own weight."""
    if not question.terms:
        return np.zeros(0)
    count = max(len(found), _FEWEST)
    frequency = np.sum([each.held >= 0.5 for each in found], axis=0) if found else np.zeros(len(question.terms))
    rarity = np.log1p((count - frequency + 0.5) / (frequency + 0.5))
    weights = rarity * np.array([term.weight for term in question.terms])
    total = float(weights.sum())
    return weights / total if total else np.full(len(question.terms), 1 / len(question.terms))


def _witness(question: ProseQuestion, each: Statement, beside: Sequence[Statement], weights: Floats) -> None:
    witnesses = each.witnesses
    own = np.maximum(each.held, each.granted)
    near = [other.held for other in beside if other.passage is each.passage]
    witnesses["bare"] = float(each.held @ weights)
    witnesses["words"] = float(own @ weights)
    witnesses["nearby"] = float(np.maximum(own, 0.9 * np.max(near, axis=0, initial=0.0)) @ weights) if near else 0.0
    exact = [index for index, term in enumerate(question.terms) if term.exact]
    witnesses["names"] = float(own[exact].mean()) if exact else 0.5
    witnesses["order"] = _order(each, weights)
    witnesses["opening"] = _opening(each)
    witnesses["rarest"] = float(own[int(weights.argmax())]) if len(weights) else 0.0
    witnesses["fragment"] = float(each.quote.fragment)
    witnesses["short"] = math.exp(-len(each.tokens) / 40)
    witnesses["meaning"] = 0.0


def _order(each: Statement, weights: Floats) -> float:
    """Returns the share of the question's words that the sentence contains in the same order and close together,
    0..1."""
    if len(weights) < 2:
        return each.witnesses["bare"]
    places: list[list[int]] = [[] for _ in weights]
    for row, column in zip(*(found.tolist() for found in np.nonzero(each.match >= 0.5)), strict=True):
        places[row].append(column)
    gained = total = 0.0
    for index in range(len(weights) - 1):
        weight = float(weights[index] + weights[index + 1])
        total += weight
        first, second = places[index], places[index + 1]
        if first and second:
            gaps = [later - earlier for later in second for earlier in first]
            nearest = min(map(abs, gaps)) * 1.5
            nearest = min(nearest, min((gap for gap in gaps if gap > 0), default=nearest))
            gained += weight * math.exp(-(nearest - 1) / _DISTANCE)
    return gained / total if total else 0.0


def _opening(each: Statement) -> float:
    """Returns 1 if the sentence starts with words of the question."""
    words = [column for column, token in enumerate(each.tokens) if token.word and not token.stop][:2]
    return float(each.match[:, words].max(axis=0, initial=0.0).mean()) if words else 0.0
