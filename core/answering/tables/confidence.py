"""How sure an answer from a table is: what speaks for it → the share of such answers that are right.

A logistic regression over the reasons, fitted by ``benchmarks.tatqa --fit``; its coefficients are in
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
"""From here on nine of ten answers are right."""
DOUBTFUL: float = _fitted().doubtful
"""Below it an answer says that it may be another."""


def sureness_of(reasons: Mapping[str, float]) -> float:
    """0..1; reasons that the fit does not know count nothing."""
    fitted = _fitted()
    log_odds = fitted.bias + sum(weight * reasons.get(name, 0.0) for name, weight in fitted.weights.items())
    return 1.0 / (1.0 + exp(-log_odds))
