"""Caches embeddings by model and normalised text."""

from __future__ import annotations

import base64
import hashlib
import logging
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from core.clock import DAY, Clock
from core.coordination.shared_vectors import SharedVectors
from core.errors import explain
from core.language.normalisation import normalise
from core.models.embeddings import EmbeddingIdentity, Embeddings, Matrix

log = logging.getLogger(__name__)

Kind = Literal["query", "passage"]
Json = dict[str, JsonValue]

EMBEDDING_CACHE = "embedding_cache"
"""The record store's collection of cached vectors, indexed by ``used_at``."""
REFRESH = DAY
"""Minimum number of seconds between two writes of the time of last use."""


class Memory(Protocol):
    """The methods that the cache needs from a collection of the record store."""

    async def find(self, filter: Mapping[str, object] | None = None) -> list[Json]: ...

    async def upsert_many(self, documents: Sequence[Json]) -> None: ...

    async def delete(self, filter: Mapping[str, object]) -> int: ...


class CachedEmbeddings:
    """Calls ``inner`` only for texts whose vectors are not cached; vectors not used for ``days`` days are deleted.

    The normalised text is the one that is embedded, because otherwise the vector shared by two spellings would depend
    on which came first. Vectors are stored as float16 (cosines change by less than 1e-3) in base64. If the cache fails,
    it is skipped.
    The cache ``shared`` between processes is read before the record store and holds the same vectors.
    """

    def __init__(
        self, inner: Embeddings, truth: Memory, clock: Clock, days: float = 7.0, shared: SharedVectors | None = None
    ) -> None:
        self._inner = inner
        self._truth = truth
        self._clock = clock
        self._seconds = days * DAY
        self._shared = shared

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._inner.identity

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unpacked vector: shape (dimension,), unit length."""
        text = normalise(text)
        key = _key(self.identity, "query", text)
        known = await self._recall([key])
        if key in known:
            return known[key]
        vector = await self._inner.embed_query(text)
        await self._remember({key: vector})
        return _kept(vector)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Vectors of shape (texts, dimension), each row of unit length; equal texts are embedded once."""
        keyed = [(_key(self.identity, "passage", text), text) for text in map(normalise, texts)]
        vectors = await self._recall([key for key, _ in keyed])
        missing = {key: text for key, text in keyed if key not in vectors}
        if missing:
            rows = await self._inner.embed_passages(list(missing.values()))
            fresh = dict(zip(missing, rows, strict=True))
            await self._remember(fresh)
            vectors |= {key: _kept(row) for key, row in fresh.items()}
        empty = np.empty((0, self.identity.dimension), dtype=np.float32)
        return np.stack([vectors[key] for key, _ in keyed]) if keyed else empty

    async def accept(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Store vectors that come with the workbench, keyed by :func:`passage_key`; those of another model are never
        used."""
        known = await self._recall_of_truth(list(vectors))
        await self._write({key: vector for key, vector in vectors.items() if key not in known})

    async def purge(self) -> int:
        """Delete vectors that were not used for ``days``; returns how many."""
        return await self._truth.delete({"used_at": {"$lt": self._clock() - self._seconds}})

    async def forget(self, texts: Sequence[str]) -> None:
        """Delete the vectors of removed passages; if this fails, :meth:`purge` deletes them later."""
        keys = [passage_key(self.identity, text) for text in texts]
        if self._shared:
            await self._shared.forget(self.identity.model, keys)
        try:
            await self._truth.delete({"_id": {"$in": keys}})
        except Exception as error:
            log.warning("vectors stay in the embedding cache: %s", explain(error).category)

    async def _recall(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        if self._shared is None:
            return await self._recall_of_truth(keys)
        known = await self._shared.recall(self.identity.model, keys)
        rest = [key for key in keys if key not in known]
        kept = await self._recall_of_truth(rest) if rest else {}
        await self._shared.remember(self.identity.model, kept)
        return known | kept

    async def _remember(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        if self._shared:
            await self._shared.remember(self.identity.model, {key: _kept(each) for key, each in vectors.items()})
        await self._write(vectors)

    async def _recall_of_truth(self, keys: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        now = self._clock()
        try:
            found = await self._truth.find({"_id": {"$in": list(dict.fromkeys(keys))}})
            alive = [each for each in found if now - _used_at(each) <= self._seconds]
            stale = [each for each in alive if now - _used_at(each) >= REFRESH]
            await self._truth.upsert_many([{**each, "used_at": now} for each in stale])
            return {str(each["_id"]): restored(str(each["vector"])) for each in alive}
        except Exception as error:
            log.warning("the embedding cache could not be read: %s", explain(error).category)
            return {}

    async def _write(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        now = self._clock()
        records: list[Json] = [
            {"_id": key, "model": self.identity.model, "vector": _packed(vector), "used_at": now}
            for key, vector in vectors.items()
        ]
        try:
            await self._truth.upsert_many(records)
        except Exception as error:
            log.warning("the embedding cache could not be written: %s", explain(error).category)


def passage_key(identity: EmbeddingIdentity, text: str) -> str:
    """The cache key of a passage's vector."""
    return _key(identity, "passage", normalise(text))


def _key(identity: EmbeddingIdentity, kind: Kind, text: str) -> str:
    head = f"{identity.model}\0{identity.dimension}\0{kind}\0"
    return hashlib.sha256((head + text).encode("utf-8", "replace")).hexdigest()


def _used_at(record: Json) -> float:
    value = record["used_at"]
    return float(value) if isinstance(value, int | float) else 0.0


def _packed(vector: NDArray[np.float32]) -> str:
    return base64.b64encode(vector.astype("<f2").tobytes()).decode("ascii")


def _kept(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector as the cache will return it, so that the first caller gets the same one as later callers."""
    return restored(_packed(vector))


def restored(packed: str) -> NDArray[np.float32]:
    """A cached vector with unit length restored: half precision changes the length slightly."""
    vector = np.frombuffer(base64.b64decode(packed), dtype="<f2").astype(np.float32)
    unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return unit
