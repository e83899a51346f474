"""Loads the shipped weights of the destinations, and applies them to a message (docs/specification.md, "Routes")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.graph.understanding.destinations.examples import KINDS, Kind
from core.graph.understanding.intent.logistic_regression import Floats, Weights, load

FILE = Path(__file__).with_name("weights.npz")
TOOLS_FILE = Path(__file__).with_name("tools.npz")


@dataclass(frozen=True)
class DestinationWeights:
    """``weights`` have the classes ``KINDS``. ``tools``: for each tool in the examples, the vector of its name and the
    mean of its messages, without the common part of all texts."""

    weights: Weights
    tools: dict[str, tuple[Floats, Floats]]

    def kinds(self, text: str, vector: Floats) -> dict[Kind, float]:
        """Returns the probability of each kind; they sum to 1."""
        return {kind: float(share) for kind, share in zip(KINDS, self.weights.shares(text, vector), strict=True)}

    def without_common(self, vector: Floats) -> Floats:
        found: Floats = vector - self.weights.centre
        return found


@cache
def shipped() -> DestinationWeights | None:
    """Returns the weights, or ``None`` if a file is missing or was made for other features."""
    weights = load(FILE, KINDS) if FILE.exists() and TOOLS_FILE.exists() else None
    if weights is None:
        return None
    with np.load(TOOLS_FILE, allow_pickle=False) as kept:
        tools = {
            str(name): (named.astype(np.float32), mean.astype(np.float32))
            for name, named, mean in zip(kept["names"], kept["named"], kept["means"], strict=True)
        }
    return DestinationWeights(weights, tools)
