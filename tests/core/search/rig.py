"""A test library of a few items with all parts that a search uses; each part can be made to fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.ids import point_id
from core.language.terms import index_terms
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.models.reranker import Reranker
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.search.local_bm25 import LocalBm25
from core.search.pipeline import SearchPipeline
from core.search.request import SearchRequest
from core.search.retrievers import Dependencies
from core.setting_groups import Search
from core.store.index import Hit, SparseVector, Vector, Where
from core.store.items import LIBRARY, Book, ItemSource, MemoryItem, Place, Timestamps
from core.words import Words


def make_item(
    number: int,
    text: str,
    *,
    document: str | None = "doc",
    filename: str = "notes.txt",
    embedded: bool = True,
    **fields: object,
) -> MemoryItem:
    """``make_item(3, "text", document="doc", status="active")``: the third passage of a document."""
    book = Book(book_id=document or "", title=filename, filename=filename, chunk_index=number, page=number + 1)
    values: dict[str, object] = {
        "_id": f"mem_{number:032x}",
        "user_id": "ada",
        "tier": "books",
        "text": text,
        "document_id": document,
        "source": ItemSource(type="document", book=book if document else None),
        "timestamps": Timestamps(created_at=0.0, updated_at=0.0),
        "place": Place(episode=document, order=number),
        "indexed": True,
        "embedded": embedded,
    }
    return MemoryItem.model_validate({**values, **fields})


@dataclass
class Rig:
    """An index, an embedding model, a record store and a cross-encoder over ``items``; set ``broken`` to make some
    fail.

    ``cosines`` gives the vector search score of an item id for any question; without it an item has no vector.
    """

    items: list[MemoryItem] = field(default_factory=list)
    cosines: dict[str, float] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    seen: list[Where] = field(default_factory=list)
    languages: frozenset[str] = frozenset({"en", "he"})
    reranker: Reranker | None = None
    dense_off: Words | None = None
    settings: Search = field(default_factory=Search)

    # -- the index ---------------------------------------------------------------------------

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        self._use("index", where)
        ranked = sorted(self.cosines.items(), key=lambda pair: -pair[1])[:limit]
        return [Hit(point_id(identifier), cosine) for identifier, cosine in ranked]

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        self._use("index", where)
        from core.search.sparse_vectors import document_vector

        asked = dict(zip(vector.indices, vector.values, strict=True))
        hits = []
        for item in self.items:
            held = document_vector(index_terms(item.searched_text, item.language), 200.0)
            score = sum(asked.get(i, 0.0) * value for i, value in zip(held.indices, held.values, strict=True))
            if score > 0:
                hits.append(Hit(point_id(item.id), score))
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    # -- the embedding model -----------------------------------------------------------------

    @property
    def identity(self) -> EmbeddingIdentity:
        return EmbeddingIdentity("test", 4, Calibration(0.0, 1.0), self.languages)

    async def embed_query(self, text: str) -> Vector:
        self._use("embeddings")
        return np.ones(4, dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        raise NotImplementedError

    # -- the record store --------------------------------------------------------------------

    async def load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        self._use("truth")
        return [item for item in self.items if item.id in set(ids)]

    async def search_truth(self, request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
        self._use("fallback")
        local = LocalBm25([(item.id, index_terms(item.searched_text, item.language)) for item in self.items])
        return [(hit.id, hit.score) for hit in local.search(terms, depth)]

    def _use(self, part: str, where: Where | None = None) -> None:
        if where is not None:
            self.seen.append(where)
        if part in self.broken:
            raise ConnectionError(part)

    # -- all parts together ------------------------------------------------------------------

    def pipeline(self) -> SearchPipeline:
        names = ("dense", "lexical", "embeddings", "reranker", "truth")
        dependencies = Dependencies(**{name: Dependency(name, 1.0, CircuitBreaker()) for name in names})
        return SearchPipeline(
            self,  # type: ignore[arg-type]  # the two queries are all that a search asks of an index
            self,
            self.reranker,
            self.load,
            self.search_truth,
            dependencies,
            self.settings,
            self.dense_off,
        )


def ask(text: str, **fields: object) -> SearchRequest:
    values: dict[str, object] = {"user_id": "ada", "limit": 10, "tiers": ("books",), "scopes": (LIBRARY,)}
    return SearchRequest(text=text, **{**values, **fields})  # type: ignore[arg-type]
