"""Ranks the units of one document by how well they answer a question: takes question and units; returns ranked units.

A unit is compared by the question's words (rare ones count more), by its label and the headings above it, by the kind
of value that is asked for, and by embeddings. All features are in 0..1, except ``value``, which is negative if the
asked kind of value is missing.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from core.answering.prose.asked_values import (
    MEASURE,
    SAID,
    VALUED,
    actor_match,
    asks_for_measure,
    counted_match,
    organisations_named,
    value_match,
)
from core.answering.prose.document_units import Unit, is_unfinished
from core.answering.prose.question import ProseQuestion, read_question
from core.answering.prose.tokens import Term, term_matches, tokens
from core.figures.records import Similar
from core.language.cache_sizes import TEXTS
from core.language.vocabulary import phrase_of

Floats = NDArray[np.float64]

COMPARED = 16
"""Number of units compared by embeddings at a time; the most promising ones first, since time may run out."""
BATCHES = 5
LONGEST = 256
"""Characters of a unit that are compared."""
LONG = 400
"""Characters from which a labelled text is too long to be a value."""
ASIDE = 0.4
"""Weight of words in brackets, which only explain the words before them."""
INNER, OUTER = 0.8, 0.4
"""Weights of a match in the heading directly above a unit, and in those above that."""
WEIGHTS = {
    "words": 1.0, "label": 0.9, "label_kind": 0.5, "value": 0.4, "meaning": 0.9, "lead": 0.12, "option": 0.8,
    "rarest": 0.35, "short": 0.1, "long": -0.7, "heading": -0.15, "empty": -0.3, "exact": 0.5, "counted": 0.5,
    "names": 1.1, "total": 0.5, "asked": 0.3, "other_label": -0.3, "actor": 0.5, "unfinished": -0.6,
}  # fmt: skip
_LEAD = 15.0
_OPEN = frozenset({"yesno", "reason", "purpose", "condition", "method"})
_BRACKETS = re.compile(r"(?:(?<!\s)\s+)?\(([^()]*)\)")
_OR = phrase_of("answering/prose.spans.or")
_CHOICE = re.compile(
    rf"(?<![\w/-])(?<!,\s)(?P<list>(?:[\w/-]+,\s+)*[\w/-]+)\s+(?:or|{_OR})\s+(?P<last>[\w/-]+)(?:\s*[?؟]+)?\s*$"
)
_CLAUSES = re.compile(r"(?:(?<!\s)\s+)?(?:[&/,]|\band\b|\bor\b)\s*")
_WHICH = frozenset({"which", "what", "whose"})
_OTHER_COUNT = 0.5
_OTHER_VALUE = 0.15
_MOST_OPTIONS = 8
_EXACT = 0.9
_TOTAL = re.compile(phrase_of("answering/prose.document.total"), re.IGNORECASE)


@dataclass(frozen=True)
class DocumentQuestion:
    """A question to one document. ``terms`` are its words without the options, ``weights`` their weights in the
    question; ``options`` are the answers between which it lets choose; ``asked`` is the phrase after "which"."""

    prose: ProseQuestion
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    options: tuple[str, ...]
    asked: tuple[str, ...]

    @property
    def bare(self) -> str:
        """The question without words in brackets."""
        return _BRACKETS.sub("", self.prose.text)

    @property
    def kind(self) -> str:
        """The kind of value that is asked for, or else the kind of question."""
        kinds = self.prose.kinds
        if kinds[0] in _OPEN:
            return kinds[0]
        found = next((kind for kind in kinds if kind in VALUED), kinds[0])
        return MEASURE if found not in VALUED and asks_for_measure(self.prose) else found


@dataclass
class RankedUnit:
    """A unit with its score and features; ``held``: the match of each term in the unit itself, ``granted``: also in the
    headings above it."""

    unit: Unit
    held: Floats
    granted: Floats
    reasons: dict[str, float] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return sum(WEIGHTS[name] * value for name, value in self.reasons.items())


@lru_cache(maxsize=256)
def read_document_question(prose: ProseQuestion) -> DocumentQuestion:
    """Returns the question with its options, and with less weight for words in brackets."""
    text = prose.text
    options = _options(text, prose.kinds)
    bare = _BRACKETS.sub("", text)
    main = {token.base for token in tokens(bare) if token.word}
    chosen = {token.base for option in options for token in tokens(option)}
    kept = [term for term in prose.terms if term.base not in chosen]
    short = {token.base for aside in _BRACKETS.findall(text) if aside.isupper() for token in tokens(aside)}
    weights = tuple(term.weight * (1.0 if term.base in main | short else ASIDE) for term in kept)
    return DocumentQuestion(prose, tuple(kept), weights, options, _asked_nouns(bare))


def _options(text: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """Returns the options that a question names: in brackets ("(low, medium, high)"), or at the end of a yes/no
    question ("is it red or blue?")."""
    for aside in _BRACKETS.findall(text):
        parts = [part.strip() for part in aside.split(",")]
        if 3 <= len(parts) <= _MOST_OPTIONS and all(0 < len(part.split()) <= 2 for part in parts):
            return tuple(parts)
    match = _CHOICE.search(_BRACKETS.sub("", text)) if kinds[0] == "yesno" else None
    if match is None:
        return ()
    return (*(part.strip() for part in match["list"].split(",")), match["last"])


def _asked_nouns(text: str) -> tuple[str, ...]:
    """Returns the words of the phrase after "which" or "what": "statistical", "power" of "what statistical power"."""
    words = [token for token in tokens(text) if token.word]
    for place, token in enumerate(words):
        if token.folded in _WHICH:
            return tuple(other.base for other in takewhile(lambda other: not other.stop, words[place + 1 :]))
    return ()


async def rank_units(
    question: DocumentQuestion, units: Sequence[Unit], similar: Similar | None = None
) -> list[RankedUnit]:
    """Returns the units, best first; ``similar`` compares the most promising ones by embeddings."""
    found = await asyncio.to_thread(_compared_by_words, question, units)
    found.sort(key=lambda ranked: -ranked.score)
    if similar is not None:
        for start in range(0, COMPARED * BATCHES, COMPARED):
            batch = found[start : start + COMPARED]
            likeness = await similar(
                _BRACKETS.sub("", question.prose.text), [_compared_text(ranked.unit) for ranked in batch]
            )
            for ranked, like in zip(batch, likeness, strict=True):
                ranked.reasons["meaning"] = like
    return sorted(found, key=lambda ranked: (-ranked.score, ranked.unit.order))


def _compared_text(unit: Unit) -> str:
    heading = unit.headings[-1] if unit.headings and unit.kind != "heading" else ""
    return f"{heading}: {unit.line}"[:LONGEST] if heading else unit.line[:LONGEST]


def _compared_by_words(question: DocumentQuestion, units: Sequence[Unit]) -> list[RankedUnit]:
    terms = question.terms
    found = [
        RankedUnit(unit, held := _match(terms, f"{unit.label} {unit.words}"), _granted(terms, unit, held))
        for unit in units
    ]
    weights = _rarity(question, found)
    for ranked in found:
        unit = ranked.unit
        ranked.options = _matched_options(question.options, unit)
        counted = counted_match(question.prose, question.kind, unit)
        value = value_match(question.prose, question.kind, _holding(unit, units))
        if question.kind == "count":
            # A number that counts other things is no answer yet.
            value = counted if counted >= SAID else min(value, _OTHER_COUNT)
        # A label that names what is asked counts little if its value is of another kind.
        label = _label_match(question, unit) * (_OTHER_VALUE if value < 0 else 1.0)
        rarest = float(ranked.granted[int(weights.argmax())]) if len(weights) else 0.0
        kind = _kind_of_label(unit.label) if unit.label and question.kind in VALUED else ""
        ranked.reasons = {
            "words": float(ranked.granted @ weights),
            "rarest": rarest * (_OTHER_VALUE if value < 0 else 1.0),
            "asked": _asked(question, ranked) * (_OTHER_VALUE if value < 0 else 1.0),
            "label": label,
            "exact": float(label >= _EXACT and _is_asked_label(question, unit.label)),
            "label_kind": float(kind == question.kind and value > 0),
            "other_label": float(kind in VALUED and kind != question.kind),
            "counted": counted,
            "total": float(question.kind == "count" and value > 0 and bool(_TOTAL.search(unit.text))),
            "names": organisations_named(question.prose, question.kind, unit),
            "actor": actor_match(question.prose, question.kind, unit),
            "value": value,
            "lead": 1 / (1 + unit.order / _LEAD),
            "option": float(len(ranked.options) == 1),
            "short": 1 / (1 + len(unit.text) / 200),
            "long": float(bool(unit.label) and len(unit.text) > LONG),
            "heading": float(unit.kind == "heading" and not question.options),
            "empty": float(unit.empty),
            "unfinished": float(is_unfinished(unit.text)),
        }
    return found


def _holding(unit: Unit, units: Sequence[Unit]) -> Unit:
    """Returns the unit that holds the value: for a heading, the one below it."""
    below = units[unit.order + 1 : unit.order + 2] if unit.kind == "heading" else ()
    return below[0] if below and below[0].kind != "heading" else unit


def _match(terms: Sequence[Term], text: str) -> Floats:
    words = [token for token in _tokens(text) if token.word]
    if not terms or not words:
        return np.zeros(len(terms))
    best: Floats = np.array([term_matches(terms, token) for token in words]).max(axis=0)
    return best


_tokens = lru_cache(maxsize=TEXTS)(tokens)


def _granted(terms: Sequence[Term], unit: Unit, held: Floats) -> Floats:
    above = unit.headings[:-1] if unit.kind == "heading" else unit.headings
    granted = held
    for depth, heading in enumerate(reversed(above)):
        granted = np.maximum(granted, _match(terms, heading) * (INNER if depth == 0 else OUTER))
    return granted


def _rarity(question: DocumentQuestion, found: Sequence[RankedUnit]) -> Floats:
    """Returns the weight of each term: its rarity in the document times its weight in the question. They sum to 1 if
    all terms are rare, and to less if the document repeats them."""
    if not question.terms:
        return np.zeros(0)
    frequency = np.sum([ranked.held >= SAID for ranked in found], axis=0) if found else np.zeros(len(question.terms))
    count = max(len(found), 2)
    rarity = np.log1p(count / np.maximum(frequency, 1.0))
    weights: Floats = rarity / math.log1p(count) * np.array(question.weights)
    return weights / sum(question.weights)


def _label_match(question: DocumentQuestion, unit: Unit) -> float:
    """Returns how well a label names what is asked: the share of its words that the question contains; each part of a
    joined label ("date & time") may match by itself."""
    if not unit.label or not question.terms:
        return 0.0
    label = _BRACKETS.sub("", unit.label)
    parts = [label] if " of " in label else [label, *_CLAUSES.split(label)]
    return max(_precision(question, part) * (1.0 if part == label else 0.9) for part in parts)


def _precision(question: DocumentQuestion, label: str) -> float:
    words = [token for token in _tokens(label) if token.word and not token.stop]
    if not words:
        return 0.0
    aside = [weight / term.weight for term, weight in zip(question.terms, question.weights, strict=True)]
    matches = np.array([term_matches(question.terms, token) for token in words]) * np.array(aside)
    return float(matches.max(axis=1).mean())


@lru_cache(maxsize=4096)
def _kind_of_label(label: str) -> str:
    """Returns the kind of value that a label announces: that of the question "which …?"."""
    words = " ".join(token.folded for token in tokens(_BRACKETS.sub("", label)) if token.word)
    return read_question(f"which {words}?", "en").main


def _is_asked_label(question: DocumentQuestion, label: str) -> bool:
    """Returns whether the words of a label are words of the question outside brackets, among them the noun asked
    for."""
    own = {token.base for token in _tokens(_BRACKETS.sub("", label)) if token.word and not token.stop}
    main = {term.base for term, weight in zip(question.terms, question.weights, strict=True) if weight >= term.weight}
    return bool(own) and own <= main and (not question.asked or not own.isdisjoint(question.asked))


def _asked(question: DocumentQuestion, ranked: RankedUnit) -> float:
    """Returns how well the unit and its headings contain the phrase after "which": its last word that the document
    may contain counts."""
    places = [place for place, term in enumerate(question.terms) if term.base in question.asked]
    return float(ranked.granted[places[-1]]) if places else 0.0


def _matched_options(options: Sequence[str], unit: Unit) -> tuple[str, ...]:
    """Returns the options that a unit names, without those that are part of a longer one that it names."""
    if not options:
        return ()
    text = [token.base for token in _tokens(f"{unit.label} {unit.text}") if token.word]
    named = [(option, [token.base for token in tokens(option) if token.word]) for option in options]
    found = [(option, words) for option, words in named if _contains(text, words)]
    return tuple(
        option
        for option, words in found
        if not any(len(others) > len(words) and _contains(others, words) for _, others in found)
    )


def _contains(text: Sequence[str], words: Sequence[str]) -> bool:
    size = len(words)
    return size > 0 and any(list(text[place : place + size]) == list(words) for place in range(len(text) - size + 1))
