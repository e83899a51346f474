"""Decides whether a question asks the same as one whose right answer is known.

Rules come first: both name the same numbers, codes and relative periods, ask for the same kind of thing, and the known
value is of that kind. Then a logistic regression compares them by meaning. It also compares with the passage that holds
the value: two wordings of one question are nearest to the same sentence, neighbouring questions rarely are (see
docs/specification.md, "Corrections").
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.language.entities.facts import facts
from core.language.entities.numerals import IN_DAYS
from core.language.entities.relative_periods import relative_periods_in
from core.language.hebrew import related
from core.language.normalisation import fold
from core.memory.corrections.records import Correction, Pin
from core.memory.corrections.store import wording
from core.memory.outcomes.question_similarity import Question, by_words
from core.models.embeddings import Calibration, Matrix
from core.store.index import Vector

Families = Callable[[str], frozenset[str]]
"""Takes a question; returns what it asks for: date, time, number, share, person, place, reason, yesno, when."""

STANDING_WEIGHTS = (11.1, -4.8, -17.6, 1.08, 3.45, -4.73, -4.33)
"""Weights if the pinned sentence was compared with all others: of the cosine, the common wording and terms as before,
of the lead of its score, of not being among the compared sentences, and of the state of the closest sentence; then the
constant."""
STANDING_SAME = -0.6
"""Minimum log-odds in that case."""
WORST, BEST = -4.0, 2.0
"""Limits of the lead of the score of a pinned sentence."""
NEAREST = 1.4
"""Maximum cosine on the calibrated range in that case."""
STANDING_CONTRAST = 0.35
"""As ``MOST_CONTRAST`` in that case."""
WEIGHTS = (6.16, -2.06, -1.42, 9.0, -0.12, 2.83, -3.51)
"""Weights of the features in the order of ``features``, then the constant."""
SAME = 1.0
"""Minimum log-odds that two questions ask the same."""
LEAST_NEAR = 0.3
"""Minimum calibrated cosine for a closer comparison."""
MOST_CONTRAST = 0.2
"""Maximum squared share of common wording if each question has a word that the other
lacks ("the first year", "the third")."""
MARGIN, MOST_MARGIN = -0.06, 0.04
"""Limits of the lead in cosine of the sentence with the value."""
UNKNOWN_MARGIN, UNKNOWN_SCORE = -0.02, 1.0
"""Values of a passage that is too short to compare."""
LEAST_SENTENCES = 3

_WITH_DIGITS = re.compile(r"(?<!\w)\w*\d\w*(?:[-./]\w+)*")
_LETTER = re.compile(r"[^\W\d_]")
_EMPTY_BRACKETS = re.compile(r"\(\s*\)")
_COMPATIBLE = (frozenset({"when", "date"}), frozenset({"when", "time"}), frozenset({"when", "reason"}),
               frozenset({"when", "yesno"}), frozenset({"number", "share"}))  # fmt: skip
_EARLIER = frozenset({"last", "before", "year ago"})


@dataclass(frozen=True)
class Sentences:
    """The sentences of a passage as vectors, each with the sentence before it; ``place`` is the index of the one with
    the value, ``usual`` the mean direction of sentences in its language."""

    joined: Matrix
    place: int
    usual: Vector


@dataclass(frozen=True)
class Standing:
    """How a pinned sentence ranks among all sentences that are closest to a question: ``lead`` is by how much its
    score is above the best other one (negative if below), ``None`` if it is not among them; ``state`` is that of the
    closest sentence (1 found, 0.5 closest match, 0 not found)."""

    lead: float | None
    state: float


Standings = Callable[[Sequence[Pin]], Awaitable[Sequence[Standing | None]]]


@dataclass(frozen=True)
class Asked:
    """A question for comparison; ``vector`` is the embedding of its ``bare`` text."""

    text: str
    vector: Vector | None
    families: frozenset[str]

    @cached_property
    def bare(self) -> str:
        return without_codes(self.text)

    @cached_property
    def figures(self) -> frozenset[str]:
        """Its numbers, years and codes."""
        return frozenset(_WITH_DIGITS.findall(fold(self.text)))

    @cached_property
    def periods(self) -> frozenset[tuple[str, str]]:
        """Its relative periods, such as a year ago."""
        found = relative_periods_in(self.text)
        return frozenset((each.unit, "earlier" if each.step in _EARLIER else each.step) for each in found)

    @cached_property
    def words(self) -> Question:
        return Question(self.bare, self.vector)


def without_codes(question: str) -> str:
    """The question without file names and codes, which would make all questions about one document similar.

    >>> without_codes("Where did it happen? (report_20080102X.pdf)")
    'Where did it happen?'
    """
    text = _WITH_DIGITS.sub(lambda found: "" if _LETTER.search(found.group()) else found.group(), question)
    return " ".join(_EMPTY_BRACKETS.sub("", text).split())


def repeated(question: str, known: Sequence[Correction]) -> Correction | None:
    """The newest correction of the question in the same words."""
    asked = wording(question)
    return next((each for each in known if wording(each.question) == asked), None)


def may_ask_same(asked: Asked, other: Asked, value: str, pinned: str = "") -> bool:
    """Whether no rule tells the two questions apart; ``value`` is the answer to ``other``, which the sentence
    ``pinned`` holds. A rewording may add figures of that sentence."""
    added = asked.figures - other.figures
    if not other.figures <= asked.figures or not added <= set(_WITH_DIGITS.findall(fold(pinned))):
        return False
    if asked.periods != other.periods:
        return False
    return _go_together(asked.families, other.families) and _may_answer(value, asked.families)


def nearness(asked: Asked, other: Asked, calibration: Calibration) -> float | None:
    """The cosine of two questions on the calibrated range, which it may exceed; ``None`` if one has no vector."""
    if asked.vector is None or other.vector is None or asked.vector.shape != other.vector.shape:
        return None
    return (float(np.dot(asked.vector, other.vector)) - calibration.low) / (calibration.high - calibration.low)


def same_words(asked: Asked, other: Asked) -> bool:
    """Whether both have the same content words; decides without an embedding model."""
    return set(asked.words.content) == set(other.words.content) and asked.families == other.families


def odds(asked: Asked, other: Asked, near: float, sentences: Sentences | None, width: float) -> float:
    """The log-odds that the two questions ask the same; minus infinity if their words contrast. ``sentences`` are those
    of the passage with the value."""
    found = features(asked, other, near, sentences, width)
    if found[1] > MOST_CONTRAST or _is_reordered(asked.words.content, other.words.content):
        return -math.inf
    return float(np.dot(WEIGHTS, (*found, 1.0)))


def standing_odds(asked: Asked, other: Asked, near: float, standing: Standing) -> float:
    """The log-odds that the two questions ask the same, less the minimum, if the pinned sentence was compared with all
    others: the sentence of a neighbouring question usually leads by itself, and that of the same question is close
    behind, or nothing answers."""
    shared, contrast = by_words(asked.words, other.words)
    if contrast > STANDING_CONTRAST or _is_reordered(asked.words.content, other.words.content):
        return -math.inf
    absent = standing.lead is None
    lead = WORST if standing.lead is None else min(BEST, max(WORST, standing.lead))
    found = (min(NEAREST, near), shared, contrast, lead, float(absent), standing.state, 1.0)
    return float(np.dot(STANDING_WEIGHTS, found)) - STANDING_SAME


def features(asked: Asked, other: Asked, near: float, sentences: Sentences | None, width: float) -> tuple[float, ...]:
    """The cosine, the squared share of common wording (if each has a word that the other lacks), the share of common
    terms, and three of the sentence with the value: its lead, its standard score in its passage, and its cosine above
    that of usual sentences on the calibrated range of this ``width``."""
    shared, contrast = by_words(asked.words, other.words)
    lead, score, above = UNKNOWN_MARGIN, UNKNOWN_SCORE, 0.0
    if sentences is not None and asked.vector is not None:
        cosines = sentences.joined @ asked.vector
        value = float(cosines[sentences.place])
        above = (value - float(np.dot(sentences.usual, asked.vector))) / width
        if len(cosines) >= LEAST_SENTENCES:
            lead = _lead(cosines, sentences.place)
            score = (value - float(cosines.mean())) / max(float(cosines.std()), 1e-6)
    limited = min(MOST_MARGIN, max(MARGIN, lead)), min(3.0, max(-1.0, score))
    return near, contrast, shared, *limited, above


def _lead(cosines: Vector, place: int) -> float:
    """By how much the sentence at ``place`` is nearer than all others."""
    return float(cosines[place] - np.delete(cosines, place).max())


def _is_reordered(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both have the same content words in another order: "the box without the battery"."""
    if len(one) != len(other) or len(one) < 2:
        return False
    places = [next((at for at, word in enumerate(other) if word == own or related(word, own)), -1) for own in one]
    return -1 not in places and places != sorted(places)


def _go_together(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other or one & other:
        return True
    return any(frozenset({a, b}) in _COMPATIBLE for a in one for b in other)


def _may_answer(value: str, families: frozenset[str]) -> bool:
    """Whether a value is of a kind that is asked for: an amount answers no "when"."""
    found = facts(f"is {value}")
    dated, counted = bool(found.dates or found.clocks), bool(found.numbers)
    timed = any(number.unit in IN_DAYS or number.unit == "working day" for number in found.numbers)
    bare = any(number.unit not in IN_DAYS for number in found.numbers)
    fits = {
        "number": counted and bare,
        "share": not counted or any(number.unit == "percent" or number.value % 1 for number in found.numbers),
        "date": dated,
        "time": counted or dated,
        "person": bool(_LETTER.search(value)),
        "place": bool(_LETTER.search(value)),
        "when": dated or timed or not counted,
    }
    return not families or any(fits.get(family, True) for family in families)
