"""Defines the common interface of embedding models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import PalimpsestError, Problem
from core.messages import message
from core.words import Words

Matrix = NDArray[np.float32]
"""An array of shape (texts, dimension) with rows of unit length."""
REMEDY = message("models.unavailable.remedy")


@dataclass(frozen=True)
class Calibration:
    """Calibrates a model's cosines: texts with cosine ``low`` are unrelated, with ``high`` certainly related.

    Both are measured per model; see ``benchmarks/calibrate.py``.
    """

    low: float
    high: float

    def strength(self, cosine: float) -> float:
        """A cosine, scaled to 0..1."""
        return min(1.0, max(0.0, (cosine - self.low) / (self.high - self.low)))


@dataclass(frozen=True)
class EmbeddingIdentity:
    """Properties of the model that must not change while an index exists. ``languages``: the languages for which its
    results are useful."""

    model: str
    dimension: int
    calibration: Calibration
    languages: frozenset[str] = frozenset({"en", "he"})


class Embeddings(Protocol):
    @property
    def identity(self) -> EmbeddingIdentity: ...

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unpacked vector: shape (dimension,), unit length."""

    async def embed_passages(self, texts: Sequence[str]) -> Matrix: ...


class EmbeddingsUnavailableError(Exception):
    """No embedding model is available; ``str()`` gives the reason. Search then works only by keyword."""


class EmbeddingsRefusedError(EmbeddingsUnavailableError, PalimpsestError):
    """The embedding model is missing or is not the one the index was made with."""

    def __init__(self, why: Words, detail: str, remedy: Words = REMEDY) -> None:
        what = message("models.unavailable.init")
        super().__init__(Problem(category="validation", what=what, why=why, remedy=remedy), detail)
