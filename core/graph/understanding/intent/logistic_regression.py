"""Computes the probability of each intent from a message and its embedding, with multinomial logistic regression.

The weights are trained only on the examples of ``data/`` (`python -m benchmarks.intent_weights`) and ship with the
product, so that nothing has to be computed before the first message. They belong to one embedding model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.graph.understanding.intent.examples import WISHES, Wish
from core.graph.understanding.intent.features import EVIDENCE, evidence, terms
from core.models.embeddings import EmbeddingIdentity

Floats = NDArray[np.float32]
FILE = Path(__file__).with_name("weights.npz")

MEANING_SCALE = 0.5
TERMS_SCALE = 8.0
EVIDENCE_SCALE = 2.0
"""Scale of each group of features, which sets how strongly the penalty of the regression limits its weights; chosen by
cross-validation on the examples."""


@dataclass(frozen=True)
class Weights:
    """The trained weights. ``meaning`` has shape (dimension, intents), for vectors shifted by ``centre`` (dimension,)
    and scaled by ``spread``; ``counted`` (terms, intents) in the order of ``index``; ``ruled`` (evidence, intents);
    ``bias`` (intents,). ``examples``: hash of the training examples. ``doubt``: probability below which the user is
    asked.
    """

    model: str
    examples: str
    centre: Floats
    spread: float
    meaning: Floats
    index: dict[str, int]
    counted: Floats
    ruled: Floats
    bias: Floats
    doubt: float

    def fits(self, identity: EmbeddingIdentity) -> bool:
        """Returns whether the embeddings are from the model with which the weights were trained."""
        return identity.model == self.model and identity.dimension == len(self.centre)

    def likelihoods(self, text: str, vector: Floats) -> dict[Wish, float]:
        """Returns the probabilities of all intents; see ``shares``."""
        return {wish: float(share) for wish, share in zip(WISHES, self.shares(text, vector), strict=True)}

    def shares(self, text: str, vector: Floats) -> Floats:
        """Returns the probabilities of all classes, which sum to 1. ``vector``: the embedding of ``text``, shape
        (dimension,)."""
        scores = self.bias + scaled_meaning(vector, self.centre, self.spread) @ self.meaning
        known = [self.index[each] for each in terms(text) if each in self.index]
        if known:
            scores = scores + self.counted[known].sum(axis=0) * (TERMS_SCALE / np.sqrt(len(known)))
        scores = scores + EVIDENCE_SCALE * evidence(text) @ self.ruled
        shares = np.exp(scores - scores.max())
        found: Floats = shares / shares.sum()
        return found


def scaled_meaning(vectors: Floats, centre: Floats, spread: float) -> Floats:
    """Centres vectors on the examples' mean and scales each dimension to about ``MEANING_SCALE``; the shape stays the
    same."""
    scaled: Floats = (vectors - centre) * np.float32(MEANING_SCALE / spread)
    return scaled


@cache
def shipped() -> Weights | None:
    """Returns the shipped weights, or ``None`` if the file is missing or was made for other features."""
    return load(FILE) if FILE.exists() else None


def load(file: Path, classes: Sequence[str] = WISHES) -> Weights | None:
    """Loads weights; ``None`` if they are for other ``classes`` or features."""
    with np.load(file, allow_pickle=False) as kept:
        names = [str(each) for each in kept["terms"]]
        if tuple(kept["wishes"]) != tuple(classes) or tuple(kept["evidence"]) != EVIDENCE:
            return None
        return Weights(
            model=str(kept["model"]),
            examples=str(kept["examples"]),
            centre=kept["centre"].astype(np.float32),
            spread=float(kept["spread"]),
            meaning=kept["meaning"].astype(np.float32),
            index={name: at for at, name in enumerate(names)},
            counted=kept["counted"].astype(np.float32),
            ruled=kept["ruled"].astype(np.float32),
            bias=kept["bias"].astype(np.float32),
            doubt=float(kept["doubt"]),
        )


def save(weights: Weights, file: Path, classes: Sequence[str] = WISHES) -> None:
    """Saves the weights in half precision (16 bits); the lost digits do not affect decisions."""
    np.savez_compressed(
        file,
        wishes=np.array(classes),
        evidence=np.array(EVIDENCE),
        model=np.array(weights.model),
        examples=np.array(weights.examples),
        centre=weights.centre.astype(np.float32),
        spread=np.array(weights.spread),
        meaning=weights.meaning.astype(np.float16),
        terms=np.array(list(weights.index)),
        counted=weights.counted.astype(np.float16),
        ruled=weights.ruled.astype(np.float16),
        bias=weights.bias.astype(np.float32),
        doubt=np.array(weights.doubt),
    )
