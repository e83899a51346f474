"""Builds retrieval from settings, record store and documents: index, embeddings, items, and their search pipeline.

It knows which of these services are unavailable, reports it, and uses them again when they are available.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

from core.clock import Clock
from core.coordination.shared_vectors import SharedVectors
from core.errors import PalimpsestError, explain
from core.ids import NewId, new_id
from core.language.terms import index_terms
from core.memory.items.embedding import Embedder
from core.memory.items.index_writer import IndexWriter
from core.memory.items.reading import ITEMS, PASSAGES
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.consistency import Consistency, ConsistencyReport
from core.memory.maintenance.last_done import Done, LastDone
from core.memory.maintenance.metrics import Metrics
from core.memory.maintenance.reindex import Progress, Reindex, ReindexState
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.ranking.profiles import documents_profile_of
from core.messages import message
from core.models.build import build_embeddings, build_reranker
from core.models.embedding_cache import EMBEDDING_CACHE, CachedEmbeddings
from core.models.embeddings import Calibration, Embeddings
from core.models.precedence import EmbeddingsFirst, QuestionPrecedence
from core.question.known_entities import KnownDocument
from core.records.findings import FINDINGS
from core.resilience.dependencies import CircuitBreaker, Deadline, Dependency
from core.resilience.health import Part
from core.resilience.read_only import ReadOnly
from core.runs.scheduler import Idle
from core.search.documents.full_text import TextSearch
from core.search.documents.rows import RowFinder
from core.search.documents.search import DocumentQuery, DocumentSearch, DocumentSearchResult
from core.search.local_bm25 import LocalBm25Cache
from core.search.pipeline import CurrentPipeline, SearchPipeline
from core.search.request import SearchRequest
from core.search.retrievers import Dependencies
from core.setting_groups import ModeName
from core.settings import Settings
from core.store.holding import Holder
from core.store.index import Schema, SchemaMismatchError, Vector
from core.store.items import FINDINGS_SCOPES, MemoryItem
from core.store.open import open_index
from core.store.scope import GroupOf, ReadableCollection, no_group, readable_rows
from core.store.truth import Sorted, Truth
from core.words import Words

log = logging.getLogger(__name__)

WRITE_SECONDS = 10.0
"""Time limit in seconds for writing one batch to the index; a batch that takes longer is left to the next repair."""
BACKGROUND_SECONDS = 60.0
"""Time limit in seconds for embedding one batch that no user waits for; the models limit each of their own calls."""
FALLBACK_DEPTH = 4
"""Factor on the number of candidates from the fallback search, because their scope is filtered only afterwards."""

NUMBERS = ("created_at", "score")
INDEXED = ("user_id", "org_id", "tier", "status", "scope", "document_id", "conversation_id", "tags")


class SearchableDocuments(Protocol):
    """The document catalogue's methods that retrieval calls."""

    async def visible(self, user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]: ...

    async def note_pending(self, user_id: str, document_id: str, pending: int) -> None:
        """Record how many of the document's passages wait for a vector."""

    async def forget_vectors(self) -> None: ...


class Retrieval:
    """The index, the embedding model, the items, and the pipeline that searches them.

    >>> found = run(workbench.retrieval.find_passages("ada", "monthly rent", "enhanced"))
    >>> [source.title for source in found.sources]
    ['Lease of a workshop']
    """

    def __init__(
        self,
        settings: Settings,
        truth: Truth,
        documents: SearchableDocuments,
        clock: Clock,
        identifiers: NewId = new_id,
        metrics: Metrics | None = None,
        idle: Idle | None = None,
        shared: SharedVectors | None = None,
        group_of: GroupOf = no_group,
        read_only: ReadOnly | None = None,
        rows: RowFinder | None = None,
    ) -> None:
        self._group_of = group_of
        self._settings = settings
        self._truth = truth
        self._clock = clock
        self.metrics = metrics or Metrics()
        self.last_done = LastDone(truth)
        self.index = open_index(settings, read_only)
        self.questions = QuestionPrecedence()
        """A lock held while a question is answered; passages are not embedded during this time."""
        self.embeddings: Embeddings | None = (
            build_embeddings(settings, truth.collection(EMBEDDING_CACHE), clock, self.questions, shared)
            if settings.dense_enabled
            else None
        )
        # Check this even when semantic search is switched off, because the index must fit when it is switched on again.
        identity = (self.embeddings or build_embeddings(settings)).identity
        self.schema = Schema(identity.model, identity.dimension, indexed_fields=INDEXED, indexed_numbers=NUMBERS)
        self._mismatch: Words | None = None
        self._model_problem: Words | None = None
        self._index_problem: Words | None = None
        self.dependencies = self._dependencies()
        self._searchable = documents
        self._bm25 = LocalBm25Cache()
        self._build_items(identifiers, idle)
        self.pipeline = CurrentPipeline(self._pipeline, self.questions)
        self._followed = self._switches()
        profile = documents_profile_of(settings.memory, OutcomeExamples(truth), self.calibration)
        self.documents = DocumentSearch(self.pipeline, self._visible, settings.mode, settings.search, profile, rows)

    def _build_items(self, identifiers: NewId, idle: Idle | None) -> None:
        """Build the items, and the services that keep their index copies and vectors up to date."""
        settings = self._settings
        self.points = IndexWriter(self.index, self._dependency("Writing to the index", WRITE_SECONDS))
        self.items = MemoryItems(
            self._truth, self.index, self.embeddings, self._clock, self.points, settings.memory, self._group_of
        )
        self.text = TextSearch(
            self.index, self.items.load, self._search_truth, self.dependencies.lexical, self._group_of
        )
        background = self._dependency("Vectors of memories", BACKGROUND_SECONDS)
        self.embedder = Embedder(
            self.items, self.embeddings, background, settings.jobs.embed_batch, lambda: self.dense_off is None
        )
        self._consistency = Consistency(self._truth, self.points, self._clock, idle)
        self.reindexing = Reindex(
            self._truth,
            self.points,
            self._consistency,
            self.embeddings,
            background,
            self.schema,
            self.fits,
            self.renew,
            self._clock,
            identifiers,
            settings.memory,
            Holder(identifiers("owner"), settings.jobs.lease, self._clock) if settings.mongodb_uri else None,
        )

    async def find_passages(self, user_id: str, text: str, mode: ModeName) -> DocumentSearchResult:
        """Find library passages relevant to ``text``; no answer is generated, and nothing is remembered."""
        limit = Deadline(self._settings.deadlines.retrieval)
        return await self.documents.find(DocumentQuery(user_id, text, mode), limit)

    @property
    def calibration(self) -> Calibration | None:
        """The calibrated range of the embedding model's cosines, if there is a model."""
        return self.embeddings.identity.calibration if self.embeddings else None

    @property
    def dense_off(self) -> Words | None:
        """Why semantic search is off; ``None`` when it is on."""
        switched_off = None if self._settings.dense_enabled else _SWITCHED_OFF
        return switched_off or self._mismatch or self._model_problem

    def fits(self) -> bool:
        """Whether the index was made for the configured model."""
        return self._mismatch is None

    @property
    def embeddings_first(self) -> Embeddings | None:
        """The embedding model for answering questions; it has priority over background embedding."""
        return EmbeddingsFirst(self.embeddings, self.questions) if self.embeddings else None

    def _dependency(self, name: str, seconds: float) -> Dependency:
        return Dependency(name, seconds, CircuitBreaker.of(self._settings.breakers), self.metrics.observe)

    def _dependencies(self) -> Dependencies:
        limits = self._settings.deadlines
        return Dependencies(
            dense=self._dependency("Search by meaning", limits.dense),
            lexical=self._dependency("Search by words", limits.lexical),
            embeddings=self._dependency("The embedding model", limits.embed_query),
            reranker=self._dependency("The cross-encoder", limits.rerank),
            truth=self._dependency("The document store", limits.truth),
        )

    def _pipeline(self) -> SearchPipeline:
        return SearchPipeline(
            self.index,
            self.embeddings,
            build_reranker(self._settings),
            self.items.load,
            self._search_truth,
            self.dependencies,
            self._settings.search,
            self.dense_off,
            self.items.around,
            touch=self.embedder.prefer,
            group_of=self._group_of,
        )

    async def start(self) -> None:
        """Open the index. If it does not fit the model or cannot be reached, the affected search stages are switched
        off and reported."""
        await self.items.ensure()
        await self._truth.collection(EMBEDDING_CACHE).ensure(sort=[Sorted(("used_at",))])
        await self.renew()
        if self._mismatch is None and self._index_problem is None:
            await self._refill()
        await self.embedder.start()

    async def renew(self) -> None:
        """Check again which model the index was made for and whether the model answers; searches adapt immediately."""
        model_problem = await self._try_embeddings(self.embeddings) if self.embeddings else None
        mismatch, index_problem = await self._open_index()
        self._model_problem, self._mismatch, self._index_problem = model_problem, mismatch, index_problem
        self.pipeline.renew()
        self.embedder.wake()

    def follow_settings(self) -> None:
        """Apply changed settings to searches."""
        if self._followed != (switches := self._switches()):
            self._followed = switches
            self.pipeline.renew()
            self.embedder.wake()

    def _switches(self) -> tuple[bool, bool]:
        return self._settings.dense_enabled, self._settings.rerank_enabled

    async def _open_index(self) -> tuple[Words | None, Words | None]:
        """Open the index; returns the model it was made for if it is another one, and the reason if it cannot be
        opened."""
        try:
            await self.index.start(self.schema)
        except SchemaMismatchError as error:
            log.error("search by meaning is off: %s", error)
            return message("retrieval.mismatch", detail=str(error)), None
        except PalimpsestError as error:
            log.error("the index cannot be opened: %s", error)
            return None, error.problem.what
        return None, None

    async def keep_up(self) -> None:
        """Runs every half minute: retries unavailable services, refills an index that was deleted, embeds waiting
        items, and deletes unused cached vectors."""
        index_is_there = await self.index.healthy()
        if self._index_problem or self._model_problem or not index_is_there:
            await self.renew()
        if not index_is_there and self._mismatch is None and self._index_problem is None:
            await self._refill()
        self.embedder.wake()
        if isinstance(self.embeddings, CachedEmbeddings):
            await self.embeddings.purge()

    async def check(self, *, dry_run: bool = False, vectors: bool = True) -> ConsistencyReport:
        """Compare record store and index and repair the index.

        Raises:
            PalimpsestError: the index is not available.
        """
        if not await self.index.healthy():
            await self.renew()
        if not dry_run:
            await self.items.repair()
        model = self.schema.model if self.fits() else None
        report = await self._consistency.check(model, dry_run=dry_run, vectors=vectors)
        for user_id, document_id in sorted(report.documents):
            await self.recount(user_id, document_id)
        self.metrics.count("repairs", report.repaired)
        done = Done(at=self._clock(), looked_at=report.checked, found=report.differences, changed=report.repaired)
        await self.last_done.note("check", done)
        self.embedder.wake()
        return report

    async def rebuild(self, progress: Progress | None = None) -> ReindexState:
        """``Reindex.run``, with its duration measured."""

        def count_batch(state: ReindexState) -> None:
            self.metrics.count("reindex_batches")
            if progress:
                progress(state)

        return await self.reindexing.run(count_batch)

    async def recount(self, user_id: str, document_id: str) -> None:
        """Count a document's missing vectors, so that library maintenance can see them."""
        pending = await self.items.count_pending_vectors(user_id, document_id)
        await self._searchable.note_pending(user_id, document_id, pending)

    async def _refill(self) -> None:
        """Refill a deleted index: the next maintenance run restores the keyword data, new jobs restore the vectors."""
        try:
            if await self.items.index_is_lost():
                log.warning("the index is empty: it is filled again from the truth")
                await self._searchable.forget_vectors()
                await self.items.forget_index()
        except PalimpsestError:
            log.warning("whether the index is complete could not be seen", exc_info=True)

    async def accept_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors that already exist; those of another model are never used."""
        if isinstance(self.embeddings, CachedEmbeddings):
            await self.embeddings.accept(vectors)

    async def _try_embeddings(self, embeddings: Embeddings) -> Words | None:
        try:
            await embeddings.embed_query("ready?")
        except Exception as error:
            log.error("search by meaning is off: %s", error)
            return explain(error).what
        return None

    async def stop(self) -> None:
        await self.embedder.stop()
        await self.index.stop()

    async def parts(self) -> list[Part]:
        """Health of keyword search, semantic search and the cross-encoder."""
        return [await self._words_part(), await self._meaning_part()]

    async def _words_part(self) -> Part:
        name = message("retrieval.search_words")
        if self._index_problem is None and await self.index.healthy():
            return Part(name=name, state="green", meaning=message("retrieval.works"))
        meaning = message("retrieval.index_answer_text_itself_searched")
        return Part(name=name, state="amber", meaning=meaning, warning="index_away")

    async def _meaning_part(self) -> Part:
        name = message("retrieval.search_meaning")
        if not self._settings.dense_enabled:
            return Part(name=name, state="amber", meaning=_SWITCHED_OFF, warning="meaning_switched_off")
        if self.dense_off:
            return Part(name=name, state="amber", meaning=self.dense_off, warning="meaning_off")
        if self.dependencies.embeddings.breaker.state != "closed" or self.dependencies.dense.breaker.state != "closed":
            meaning = message("retrieval.failed_several_times_being_left")
            return Part(name=name, state="amber", meaning=meaning, warning="meaning_off")
        if await self.items.some_pending_vector():
            meaning = message("retrieval.some_without_vector")
            return Part(name=name, state="amber", meaning=meaning, warning="vectors_missing")
        return Part(name=name, state="green", meaning=message("retrieval.reranking_works"))

    async def _visible(self, user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]:
        return await self.dependencies.truth.attempt(lambda: self._searchable.visible(user_id, scopes))

    async def _search_truth(self, request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
        """BM25 search over the record store, used when the index does not answer; its word index is rebuilt after
        changes."""
        self.metrics.count("fallbacks")
        collection = readable_rows(self._truth, ITEMS, request.user_id, request.org_id)
        allowed = await _of_documents(collection, request.document_ids)
        scores: dict[str, float] = {}
        for tier in request.tiers:
            filter_: dict[str, object] = {"tier": tier, "status": "active"}
            if tier == "books":
                # Word frequencies are counted only over the searched items: passages, or findings extracted from them.
                filter_ |= {"kind": {"$in": list(FINDINGS)}} if set(request.scopes) <= FINDINGS_SCOPES else PASSAGES
            newest = await collection.find(filter_, sort=[("timestamps.updated_at", -1)], limit=1)
            changed = MemoryItem.model_validate(newest[0]).timestamps.updated_at if newest else 0.0
            version = (await collection.count(filter_), changed)
            load = partial(_load_terms, collection, filter_)
            local = await self._bm25.get(request.user_id, tier, version, load, org_id=request.org_id)
            hits = await asyncio.to_thread(local.search, terms, depth * FALLBACK_DEPTH, allowed)
            scores.update({hit.id: hit.score for hit in hits})
        return sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: depth * FALLBACK_DEPTH]


async def _of_documents(collection: ReadableCollection, document_ids: Sequence[str] | None) -> list[str] | None:
    if document_ids is None:
        return None
    rows = await collection.find({"document_id": {"$in": list(document_ids)}}, fields=["_id"])
    return [str(row["_id"]) for row in rows]


async def _load_terms(collection: ReadableCollection, filter_: dict[str, object]) -> list[tuple[str, list[str]]]:
    items = [MemoryItem.model_validate(row) for row in await collection.find(filter_)]
    return await asyncio.to_thread(
        lambda: [(item.id, index_terms(item.searched_text, item.language)) for item in items]
    )


_SWITCHED_OFF = message("retrieval.switched_off")
