"""Loads the shipped weights of the circumstances of a message (docs/specification.md, "Routes").

They are fitted on messages written by hand, on top of the probabilities of a text model that was fitted without the
messages of the same author.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.graph.understanding.destinations.circumstances import NAMES, Circumstances
from core.graph.understanding.destinations.examples import KINDS, Kind
from core.graph.understanding.intent.logistic_regression import Floats

FILE = Path(__file__).with_name("circumstances.npz")


@dataclass(frozen=True)
class CircumstanceWeights:
    """``shifts`` (circumstances, kinds) are log odds; ``trust`` is the factor of the text's log odds."""

    shifts: Floats
    trust: float

    def scores(self, seen: Circumstances) -> dict[Kind, float]:
        """Returns the log odds that the circumstances add to each kind."""
        return {kind: float(shift) for kind, shift in zip(KINDS, seen.numbers @ self.shifts, strict=True)}


@cache
def shipped() -> CircumstanceWeights | None:
    """Returns the weights, or ``None`` if the file is missing or was made for other circumstances."""
    if not FILE.exists():
        return None
    with np.load(FILE, allow_pickle=False) as kept:
        if tuple(kept["names"]) != NAMES or tuple(kept["kinds"]) != KINDS:
            return None
        return CircumstanceWeights(kept["shifts"].astype(np.float32), float(kept["trust"]))


def save(weights: CircumstanceWeights) -> None:
    """Saves the weights in half precision (16 bits)."""
    np.savez_compressed(
        FILE,
        names=np.array(NAMES),
        kinds=np.array(KINDS),
        shifts=weights.shifts.astype(np.float16),
        trust=np.array(weights.trust),
    )
