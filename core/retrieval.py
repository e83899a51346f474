"""Builds what a search needs, and knows what of it is missing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from core.clock import Clock
from core.errors import PalimpsestError, explain
from core.health import Part
from core.language.terms import index_terms
from core.library.catalogue import LIVE, Catalogue
from core.library.records import Document
from core.memory.items import ITEMS, MemoryItems
from core.models.build import build_embeddings, build_reranker
from core.models.embeddings import Embeddings
from core.resilience import CircuitBreaker, Dependency
from core.search.documents import DocumentSearch
from core.search.lanes import Dependencies
from core.search.local_bm25 import LocalBm25Cache
from core.search.pipeline import SearchPipeline
from core.search.request import SearchRequest
from core.settings import Settings
from core.store.index import Schema, SchemaMismatchError
from core.store.items import MemoryItem
from core.store.open import open_index
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Truth
from core.words import Words

log = logging.getLogger(__name__)

FALLBACK_DEPTH = 4
"""Scopes are filtered after the fallback, so it looks deeper."""

INDEXED = ("user_id", "tier", "status", "scope", "document_id", "conversation_id", "tags")


class Retrieval:
    """The index, the embedding model, the pipeline over them, and the items they find."""

    def __init__(self, settings: Settings, truth: Truth, clock: Clock) -> None:
        self._settings = settings
        self._truth = truth
        self.index = open_index(settings)
        self.embeddings: Embeddings | None = (
            build_embeddings(settings, truth.collection("embedding_cache"), clock) if settings.dense_enabled else None
        )
        self.dense_off: Words | None = None if settings.dense_enabled else _SWITCHED_OFF
        self.dependencies = self._dependencies()
        self._catalogue = Catalogue(truth, clock)
        self._bm25 = LocalBm25Cache()
        self.items = MemoryItems(truth, self.index, self.embeddings, clock)
        self._index_problem: Words | None = None
        self.documents = self._document_search()

    def _dependencies(self) -> Dependencies:
        limits, breakers = self._settings.deadlines, self._settings.breakers

        def dependency(name: str, seconds: float) -> Dependency:
            return Dependency(name, seconds, CircuitBreaker(breakers.failures, breakers.cooldown))

        return Dependencies(
            dense=dependency("Search by meaning", limits.dense),
            lexical=dependency("Search by words", limits.lexical),
            embeddings=dependency("The embedding model", limits.embed_query),
            reranker=dependency("The cross-encoder", limits.rerank),
            truth=dependency("The document store", limits.truth),
        )

    def _document_search(self) -> DocumentSearch:
        pipeline = SearchPipeline(
            self.index,
            self.embeddings,
            build_reranker(self._settings),
            self.items.load,
            self._search_truth,
            self.dependencies,
            self._settings.search,
            self.dense_off,
        )
        return DocumentSearch(pipeline, self._visible, self._settings.mode, self._settings.search)

    async def start(self) -> None:
        """Open the index; a mismatch or an unreachable server switches stages off and says so."""
        await self.items.ensure()
        if self.embeddings is not None:
            await self._try_embeddings(self.embeddings)
        # Also when meaning is switched off: the index must fit when it is switched on again.
        identity = (self.embeddings or build_embeddings(self._settings)).identity
        schema = Schema(model=identity.model, dimension=identity.dimension, indexed_fields=INDEXED)
        try:
            await self.index.start(schema)
        except SchemaMismatchError as error:
            log.error("search by meaning is off: %s", error)
            self.dense_off = _mismatch(str(error))
        except PalimpsestError as error:
            log.error("the index cannot be opened: %s", error)
            self._index_problem = error.problem.what
        else:
            await self._refill()
        self.documents = self._document_search()

    async def _refill(self) -> None:
        """An index that was thrown away is filled again: by words in the next upkeep, by meaning in new jobs."""
        try:
            if await self.items.index_is_lost():
                log.warning("the index is empty: it is filled again from the truth")
                await self._catalogue.forget_vectors()
                await self.items.forget_index()
        except PalimpsestError:
            log.warning("whether the index is complete could not be seen", exc_info=True)

    async def _try_embeddings(self, embeddings: Embeddings) -> None:
        try:
            await embeddings.embed_query("ready?")
        except Exception as error:
            log.error("search by meaning is off: %s", error)
            self.dense_off = explain(error).what

    async def stop(self) -> None:
        await self.index.stop()

    async def parts(self) -> list[Part]:
        """Health of both lanes and of the cross-encoder."""
        return [await self._words_part(), self._meaning_part()]

    async def _words_part(self) -> Part:
        name = Words(en="Search by words", he="חיפוש לפי מילים")
        if self._index_problem is None and await self.index.healthy():
            return Part(name=name, state="green", meaning=Words(en="Works.", he="פועל."))
        meaning = Words(
            en="The index does not answer; the text itself is searched, which is slower.",
            he="האינדקס אינו משיב; החיפוש נעשה בטקסט עצמו, והוא איטי יותר.",
        )
        return Part(name=name, state="amber", meaning=meaning)

    def _meaning_part(self) -> Part:
        name = Words(en="Search by meaning", he="חיפוש לפי משמעות")
        if self.dense_off:
            return Part(name=name, state="amber", meaning=self.dense_off)
        if self.dependencies.embeddings.breaker.state != "closed" or self.dependencies.dense.breaker.state != "closed":
            meaning = Words(
                en="It failed several times and is being left alone for a moment.", he="נכשל כמה פעמים ומושבת לרגע."
            )
            return Part(name=name, state="amber", meaning=meaning)
        return Part(name=name, state="green", meaning=Words(en="Works.", he="פועל."))

    async def _visible(self, user_id: str, scopes: Sequence[str]) -> Sequence[Document]:
        return [
            document for scope in scopes for document in await self._catalogue.all(user_id, scope=scope, states=LIVE)
        ]

    async def _search_truth(self, request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
        """BM25 over the truth itself, for when the index does not answer; made anew when something has changed."""
        collection = ScopedTruth(self._truth, request.user_id).collection(ITEMS)
        allowed = await _of_documents(collection, request.document_ids)
        scores: dict[str, float] = {}
        for tier in request.tiers:
            filter_: dict[str, object] = {"tier": tier, "status": "active"}
            newest = await collection.find(filter_, sort=[("timestamps.updated_at", -1)], limit=1)
            changed = MemoryItem.model_validate(newest[0]).timestamps.updated_at if newest else 0.0
            version = (await collection.count(filter_), changed)
            load = partial(_load_terms, collection, filter_)
            local = await self._bm25.get(request.user_id, tier, version, load)
            hits = await asyncio.to_thread(local.search, terms, depth * FALLBACK_DEPTH, allowed)
            scores.update({hit.id: hit.score for hit in hits})
        return sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: depth * FALLBACK_DEPTH]


async def _of_documents(collection: Collection, document_ids: Sequence[str] | None) -> list[str] | None:
    if document_ids is None:
        return None
    rows = await collection.find({"document_id": {"$in": list(document_ids)}}, fields=["_id"])
    return [str(row["_id"]) for row in rows]


async def _load_terms(collection: Collection, filter_: dict[str, object]) -> list[tuple[str, list[str]]]:
    items = [MemoryItem.model_validate(row) for row in await collection.find(filter_)]
    return await asyncio.to_thread(
        lambda: [(item.id, index_terms(item.searched_text, item.language)) for item in items]
    )


_SWITCHED_OFF = Words(en="Search by meaning is switched off in the settings.", he="החיפוש לפי משמעות כבוי בהגדרות.")


def _mismatch(detail: str) -> Words:
    return Words(
        en=f"The stored vectors belong to another model, so documents are searched by words only. {detail}",
        he=f"הווקטורים השמורים שייכים למודל אחר, ולכן החיפוש הוא לפי מילים בלבד. {detail}",
    )
