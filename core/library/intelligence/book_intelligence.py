"""Provides the extraction of findings to the pages and maintenance: start, stop, list findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.language.detection import detect
from core.library.catalogue import Catalogue
from core.library.intelligence.extraction import parts_to_read
from core.library.intelligence.parts import tokens_of
from core.library.intelligence.reading import ModelReader, PartReader
from core.library.intelligence.records import UNDER_WAY, Estimate, Extraction
from core.library.records import Document
from core.memory.items.writing import MemoryItems
from core.records.findings import FINDINGS, Category, FindingKind
from core.runs.jobs import JobQueue
from core.runs.ledger import RunLedger
from core.setting_groups import BookIntelligence as Constants
from core.store.items import LIBRARY, MemoryItem

AGAIN_SECONDS = 3_600.0
"""Time after which an incomplete extraction is tried again."""
MOST_TRIES = 3
LEFT_ALONE_SECONDS = 60.0
AT_ONCE = 50
"""Maximum number of documents that one maintenance run starts."""


@dataclass
class BookIntelligence:
    """Starts and stops extractions and lists findings. ``configured`` tells whether there is a chat model now. Files in
    ``ready_made`` (by digest) are only sent to the model when a person starts it."""

    _catalogue: Catalogue
    _items: MemoryItems
    _ledger: RunLedger
    _queue: JobQueue
    _model: ModelReader
    _reader: PartReader
    _configured: Callable[[], bool]
    _clock: Clock
    _new_id: NewId
    _settings: Constants
    _ready_made: frozenset[str] = frozenset()

    @property
    def configured(self) -> bool:
        """Whether there is a language model for the extraction."""
        return self._configured()

    async def begin(self, user_id: str, document_id: str) -> Document:
        """Start extracting findings from a published document in the background; does nothing if that is already
        running.

        Raises:
            PalimpsestError: there is no such document or no model, or the document is not published or not read yet.
        """
        document = await self._catalogue.get(user_id, document_id)
        if not self.configured:
            raise fail("validation", "library.intelligence.no_model")
        if document.scope != LIBRARY or document.state != "completed":
            raise fail("validation", "library.intelligence.not_published", filename=document.filename)
        return document if is_under_way(document) else await self._begin(document, attempts=1)

    async def _begin(self, document: Document, attempts: int) -> Document:
        """Create the job. The document refers to it before it can start."""
        run = await self._ledger.start(
            document.user_id, "ingestion", document.filename, language=detect(document.filename)
        )
        job_id = self._new_id("job")
        extraction = Extraction(
            job_id=job_id,
            run_id=run.id,
            found=document.extraction.found if document.extraction else {},
            attempts=attempts,
            at=self._clock(),
        )
        changed = await self._catalogue.change(
            document.user_id, document.id, among=("completed",), extraction=extraction
        )
        await self._queue.submit(document.user_id, document.id, run.id, job_id, size=document.vectors_size)
        return changed

    async def cancel(self, user_id: str, document_id: str) -> None:
        """Stop the extraction; findings so far are kept."""
        document = await self._catalogue.get(user_id, document_id)
        if is_under_way(document) and document.extraction and document.extraction.job_id:
            await self._queue.cancel(document.extraction.job_id)

    async def findings(
        self, user_id: str, document_id: str, kinds: Sequence[FindingKind] = (), categories: Sequence[Category] = ()
    ) -> list[MemoryItem]:
        """The document's findings in reading order; without a kind or category, all of them."""
        document = await self._catalogue.readable(user_id, document_id)
        wanted: dict[str, object] = {
            "document_id": document_id,
            "kind": {"$in": list(kinds or FINDINGS)},
            "status": "active",
        }
        if categories:
            wanted["tags"] = {"$in": list(categories)}
        return await self._items.find(document.user_id, wanted, sort=[("place.order", 1)])

    async def counts(self, user_id: str) -> tuple[dict[str, int], dict[str, int]]:
        """The number of findings in all documents, by kind and by category."""
        active = {"kind": {"$in": list(FINDINGS)}, "status": "active"}
        return (
            await self._items.count_by(user_id, "kind", active),
            await self._items.count_by(user_id, "tags", active),
        )

    async def estimate(self, user_id: str, document_id: str) -> Estimate | None:
        """The estimated cost of an extraction; ``None`` if it cannot be started now."""
        document = await self._catalogue.get(user_id, document_id)
        if not self.configured or document.scope != LIBRARY or document.state != "completed":
            return None
        passages = await self._items.of_document(user_id, document_id)
        try:
            parts, _ = await parts_to_read(passages, self._model, self._reader, self._settings)
            tokens = sum(tokens_of(item) for part in parts for item in part)
            return Estimate(calls=len(parts), tokens=tokens, model=self._model.id)
        except PalimpsestError:
            return None

    async def under_way(self, user_id: str) -> list[Document]:
        """The user's documents with a running or waiting extraction."""
        return await self._catalogue.extracting(user_id)

    # -- automatic -------------------------------------------------------------------------

    async def consider(self, document: Document) -> None:
        """Start an extraction for a document that is now published and read, if automatic extraction is on."""
        if self._wants(document):
            await self._begin(document, attempts=1)

    def _wants(self, document: Document) -> bool:
        return (
            self._settings.enabled
            and self.configured
            and document.extraction is None
            and document.scope == LIBRARY
            and document.state == "completed"
            and document.sha256 not in self._ready_made
        )

    async def catch_up(self) -> None:
        """For all users (maintenance): restart extractions that a crash left without a job. If automatic extraction is
        on, also start documents that were published before that or before a model was configured, and retry failures
        after a while."""
        await self.resume(LEFT_ALONE_SECONDS)
        if self._settings.enabled and self.configured:
            for document in await self._catalogue.unextracted(AT_ONCE, self._ready_made):
                await self.consider(document)
            for document in await self._catalogue.half_extracted(self._clock() - AGAIN_SECONDS, MOST_TRIES, AT_ONCE):
                tried = document.extraction.attempts if document.extraction else 0
                await self._begin(document, attempts=tried + 1)

    async def resume(self, quiet_seconds: float = LEFT_ALONE_SECONDS) -> None:
        """For all users (maintenance): restart extractions that a crash left without a job. One that started within
        ``quiet_seconds`` is skipped: another process may be about to create its job."""
        jobs = {job.id for job in await self._queue.unfinished()}
        moment = self._clock() - quiet_seconds
        for document in await self._catalogue.extracting(None):
            extraction = document.extraction
            if extraction and extraction.job_id not in jobs and extraction.at <= moment:
                await self._begin(document, attempts=extraction.attempts)


def is_under_way(document: Document) -> bool:
    return document.extraction is not None and document.extraction.state in UNDER_WAY
