"""Computes the certainty of an answer from a table: takes features; returns the share of such answers that are correct.

Uses a logistic regression over the features, trained by ``benchmarks.tatqa --fit``; its coefficients are in
``sureness.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import exp
from pathlib import Path

from pydantic import BaseModel

from core.parsed_yaml import parse_yaml


class _Fitted(BaseModel, extra="forbid", frozen=True):
    high: float
    doubtful: float
    bias: float
    weights: dict[str, float]


@cache
def _fitted() -> _Fitted:
    return _Fitted.model_validate(parse_yaml(Path(__file__).with_name("sureness.yaml").read_text("utf-8")))


HIGH: float = _fitted().high
"""Minimum certainty at which nine of ten answers are correct."""
DOUBTFUL: float = _fitted().doubtful
"""Certainty below which an answer carries a warning."""


def sureness_of(reasons: Mapping[str, float]) -> float:
    """Returns the certainty, 0..1; features unknown to the model are ignored."""
    fitted = _fitted()
    log_odds = fitted.bias + sum(weight * reasons.get(name, 0.0) for name, weight in fitted.weights.items())
    return 1.0 / (1.0 + exp(-log_odds))
