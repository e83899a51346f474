"""Decides whether a question asks the same as one whose right answer is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.normalisation import fold
from core.memory.corrections.records import Correction
from core.memory.corrections.store import wording
from core.memory.outcomes.examples import unpacked
from core.memory.outcomes.question_similarity import Question, similarity
from core.models.embeddings import Calibration
from core.store.index import Vector

SAME = 0.9
"""Minimum certainty that two questions ask the same."""

_WITH_DIGITS = re.compile(r"[^\W_]*\d[^\W_]*(?:[-./][^\W_]+)*")


def repeated(question: str, known: Sequence[Correction]) -> Correction | None:
    """The newest correction of the question in the same words."""
    asked = wording(question)
    return next((each for each in known if wording(each.question) == asked), None)


def reworded(
    question: str, vector: Vector | None, known: Sequence[Correction], calibration: Calibration | None
) -> Correction | None:
    """The correction of the question that asks the same in other words."""
    asked, figures = Question(question, vector), _figures(question)
    scored = []
    for each in known:
        if _figures(each.question) != figures:
            continue
        other = Question(each.question, unpacked(each.vector) if each.vector else None)
        if vector is None or other.vector is None:
            certainty = float(set(asked.content) == set(other.content))
        else:
            certainty = similarity(asked, other, calibration)
        scored.append((certainty, each))
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= SAME else None


def _figures(question: str) -> frozenset[str]:
    """The numbers, years and codes of a question."""
    return frozenset(_WITH_DIGITS.findall(fold(question)))
