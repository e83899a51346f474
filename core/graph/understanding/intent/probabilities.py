"""Estimates intent probabilities with the embedding model; returns none if there is no embedding.

Users never wait long for the estimate: if the embedding model is missing, still starting, or not the one that the
weights belong to, only the rules decide.
"""

from __future__ import annotations

import logging

from core.graph.understanding.intent.examples import Wish
from core.graph.understanding.intent.logistic_regression import Floats, Weights, shipped
from core.graph.understanding.mentions import mentions
from core.language.normalisation import normalise
from core.models.embeddings import Embeddings
from core.resilience.dependencies import Dependency

log = logging.getLogger(__name__)

MOST_KEPT = 64
"""Number of texts whose vectors are kept: one message is read by several parts, and the tools stay the same."""
PATIENCE = 0.5
"""Maximum wait for an embedding in seconds; it takes ten milliseconds once the model is loaded."""


class Estimator:
    """Applies the shipped weights to vectors from ``embeddings``."""

    def __init__(
        self, embeddings: Embeddings | None, weights: Weights | None = None, seconds: float = PATIENCE
    ) -> None:
        self._embeddings = embeddings
        self._weights = weights or shipped()
        self._dependency = Dependency("The embedding model", seconds)
        self._kept: dict[str, Floats] = {}

    @property
    def doubt(self) -> float:
        """The probability below which the user is asked."""
        return self._weights.doubt if self._weights else 1.0

    def forget(self) -> None:
        """Drops the vectors that were kept."""
        self._kept.clear()

    async def estimate(self, text: str) -> dict[Wish, float] | None:
        """Returns the probabilities of all intents; none without an embedding from the weights' model."""
        weights, spoken = self._weights, spoken_text(text)
        vector = await self.vector_for(weights, spoken)
        return weights.likelihoods(spoken, vector) if weights is not None and vector is not None else None

    async def vector_for(self, weights: Weights | None, text: str) -> Floats | None:
        """Returns the embedding of ``text``, if it comes in time and from the model of ``weights``; the latest ones are
        kept."""
        embeddings = self._embeddings
        if embeddings is None or weights is None or not weights.fits(embeddings.identity) or not text:
            return None
        if (kept := self._kept.get(text)) is not None:
            return kept
        try:
            vector = await self._dependency.attempt(lambda: embeddings.embed_query(text))
        except Exception:
            log.info("what is wanted is read by rules alone", exc_info=True)
            return None
        if len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[text] = vector
        return vector


def spoken_text(text: str) -> str:
    """Returns ``text`` with mentions replaced by their names, in natural wording."""
    for each in reversed(mentions(text)):
        text = f"{text[: each.start]}{each.name}{text[each.end :]}"
    return normalise(text).strip()
