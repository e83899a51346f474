"""Decides when the first line of an answer in prose may be *Found*: takes features; returns the share that is right.

The weights were fitted on questions with gold that no rule was written for; see "Certainty of prose" in
``docs/specification.md``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.figures.tables.confidence import HIGH

FOUND = HIGH
"""Certainty from which a first line is *Found*; below it, the line is only the *closest match*."""


def certainty(reasons: Mapping[str, float], weights: Mapping[str, float], bias: float) -> float:
    """Returns a certainty in 0..1 by logistic regression; features that ``weights`` do not name are ignored."""
    margin = bias + sum(weight * reasons.get(name, 0.0) for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, margin))))
