"""Calls a cross-encoder service: Text Embeddings Inference, or an API like Cohere's or Jina's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue, SecretStr

from core.batches import batches
from core.messages import message
from core.models.endpoint import Endpoint, list_in, object_in

Shape = Literal["tei", "cohere", "jina"]

BATCH = 32
"""The most texts that Text Embeddings Inference accepts in one call by default."""
SERVICE = message("models.rerank_endpoint.service")


class EndpointReranker:
    """A cross-encoder service. Each call has a timeout of ``seconds`` and no retry, because results can also be used
    without re-ranking.

    Scores within 0..1 are used as they are (TEI is asked for probabilities; Cohere and Jina give them). If a service
    ever answers outside 0..1, its scores are logits: from then on each score ``s`` is mapped to ``1 / (1 + exp(-s))``.
    """

    def __init__(
        self, url: str, shape: Shape, model: str = "", key: SecretStr | None = None, seconds: float = 4.0
    ) -> None:
        self._shape: Shape = shape
        self._model = model
        self._endpoint = Endpoint(SERVICE, url, key, seconds, retries=0)
        self._logits = False

    @property
    def model(self) -> str:
        return self._model or f"{self._shape} reranker"

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One relevance in 0..1 per passage, in the order of the passages.

        Raises:
            PalimpsestError: the service cannot be reached, is too slow, refuses, fails or omits passages.
        """
        raw: list[float] = []
        for batch in batches(passages, BATCH):
            raw += await self._raw(query, batch)
        self._logits = self._logits or any(not 0.0 <= score <= 1.0 for score in raw)
        return [_logistic(score) for score in raw] if self._logits else raw

    async def close(self) -> None:
        await self._endpoint.close()

    async def _raw(self, query: str, passages: list[str]) -> list[float]:
        answer = await self._endpoint.post("/rerank", self._request(query, passages))
        try:
            by_index = _scores_by_index(answer)
            ordered = [by_index[position] for position in range(len(passages))]
        except (KeyError, TypeError, ValueError) as error:
            raise self._endpoint.failed("server", "the answer does not have the expected shape") from error
        if not all(map(math.isfinite, ordered)):
            raise self._endpoint.failed("server", "a score is not finite")
        return ordered

    def _request(self, query: str, passages: list[str]) -> dict[str, JsonValue]:
        texts: list[JsonValue] = [*passages]
        if self._shape == "tei":
            return {"query": query, "texts": texts, "raw_scores": False, "truncate": True}
        body: dict[str, JsonValue] = {
            "model": self._model,
            "query": query,
            "documents": texts,
            "top_n": len(passages),
        }
        return body if self._shape == "cohere" else {**body, "return_documents": False}


def _scores_by_index(answer: JsonValue) -> dict[int, float]:
    """TEI answers with a plain list, the others under ``results``; raises KeyError, TypeError or ValueError."""
    entries = map(object_in, list_in(answer["results"] if isinstance(answer, dict) else answer))
    return {int(str(each["index"])): float(str(each.get("relevance_score", each.get("score")))) for each in entries}


def _logistic(score: float) -> float:
    """The logistic function, written so that no score overflows."""
    return 0.5 * (1.0 + math.tanh(score / 2.0))
