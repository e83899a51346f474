"""Provides the library to the pages: submit, watch, read, retry, delete and restore documents."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.clock import Clock
from core.ids import NewId
from core.language.detection import detect
from core.language.normalisation import fold
from core.library.burials import Burials
from core.library.catalogue import LIVE, Catalogue, no_document
from core.library.contents import Contents
from core.library.correction import corrected
from core.library.identity.names import words_of
from core.library.intake.containers import Containers
from core.library.intake.records import Unpacked
from core.library.intake.submission import PageSource, Submission, Submissions
from core.library.intelligence.records import UNDER_WAY
from core.library.recognition.kept_pages import RecognisedPages
from core.library.records import (
    NOTHING_READ,
    Choice,
    CorrectedField,
    Document,
    DocumentState,
    RemovedDocument,
    can_retry,
)
from core.library.refusals import being_read, not_read_yet, same_text, still_busy
from core.library.removed_documents import RemovedDocuments
from core.library.structure.records import Outline
from core.library.tables.packing import rows_from
from core.library.tables.records import Row, Table
from core.library.upkeep import LibraryMaintenance
from core.library.viewing.passages import own_texts
from core.memory.items.reading import MOST_OF_DOCUMENT
from core.memory.items.writing import MemoryItems
from core.reading_settings import ReadingOptions
from core.records.findings import FINDINGS
from core.runs.jobs import JobQueue
from core.runs.ledger import RunLedger
from core.settings import Settings
from core.store.files import FileStore
from core.store.items import LIBRARY, MemoryItem
from core.store.mutual_exclusion import MutualExclusion
from core.store.truth import Filter

_NO_PAGE = PageSource()
MOST_OF_TABLE = 500
"""Number of passages that are searched for the row of a cell."""


class PassageContext(BaseModel):
    """A passage with the text before and after it in its document."""

    document: Document
    item: MemoryItem
    before: str = ""
    after: str = ""


@dataclass
class Library:
    """Manages a user's documents. Every method is limited to the given user's data.

    >>> [document.metadata.title for document in run(workbench.library.find("ada", "lease"))]
    ['Lease of a workshop']
    """

    catalogue: Catalogue
    items: MemoryItems
    contents: Contents
    departures: RemovedDocuments
    files: FileStore
    ledger: RunLedger
    reading: JobQueue
    recognising: JobQueue
    embedding: JobQueue
    extracting: JobQueue
    pages: RecognisedPages
    clock: Clock
    new_id: NewId
    settings: Settings
    turns: MutualExclusion
    """One lock per user who adds documents, so that no document is added twice."""
    published: Callable[[Document], Awaitable[None]]
    """A function that is called with each document that is moved into the library."""

    def __post_init__(self) -> None:
        self._submissions = Submissions(self)
        self._containers = Containers(self)
        self.upkeep = LibraryMaintenance(self)
        self.burials = Burials(self.items)

    async def submit(
        self,
        user_id: str,
        path: Path,
        filename: str,
        *,
        scope: str = LIBRARY,
        choice: Choice = "ask",
        source: PageSource = _NO_PAGE,
        move: bool = False,
    ) -> Submission:
        """Keep a copy of the file at ``path`` and start reading it in the background. ``move`` removes the file then.

        If the same bytes belong to a document whose reading failed, that document is read again. ``source``: the
        address and time of a web page.

        Raises:
            PalimpsestError: the file is larger than allowed, or empty.
        """
        return await self._submissions.submit(user_id, path, filename, scope, choice, source, move)

    async def unpack(
        self,
        user_id: str,
        path: Path,
        filename: str,
        *,
        scope: str = LIBRARY,
        choice: Choice = "keep_both",
        most: int | None = None,
    ) -> Unpacked | None:
        """Submit each file of a container (such as ZIP); ``None`` for any other file. The file at ``path`` is kept.

        Args:
            choice: what to do with a file whose name is taken; with ``ask`` both are kept.
            most: the maximum number of documents to add; the others are listed as left out.

        Raises:
            PalimpsestError: the container is damaged, empty or too large. Nothing was added then.
        """
        return await self._containers.unpack(user_id, path, filename, scope, choice, most)

    async def enqueue(self, document: Document) -> Document:
        """Queue the document for reading."""
        return await self.begin(self.reading, document, "pending", problem=None, extraction=None, recognition=None)

    async def begin(self, queue: JobQueue, document: Document, state: DocumentState, **fields: object) -> Document:
        """Create a run and a job for a document. The document names both before the job can start. If another process
        has just started one, returns the document in the state that it left."""
        owner, name, scope = document.user_id, document.filename, document.scope
        conversation = None if scope == LIBRARY else scope
        run = await self.ledger.start(owner, "ingestion", name, conversation_id=conversation, language=detect(name))
        job_id = self.new_id("job")
        changed = await self.catalogue.assign(document, job_id, state=state, run_id=run.id, **fields)
        if changed is None:
            changed = await self.catalogue.get(document.user_id, document.id)
            # Our own change looks like another process's if the first reply was lost and the attempt is repeated.
            if changed.job_id != job_id:
                await self.ledger.forget(document.user_id, [run.id])
                return changed
        size = document.size if queue is self.reading else document.vectors_size
        await queue.submit(document.user_id, document.id, run.id, job_id, size=size)
        return changed

    async def prefer(self, user_id: str, document_ids: Sequence[str]) -> int:
        """Read and embed these documents before all others; returns how many of them were waiting."""
        queues = (self.reading, self.recognising, self.embedding)
        return sum([await queue.prefer(user_id, document_ids) for queue in queues])

    async def find(self, user_id: str, search: str = "", *, conversation_id: str | None = None) -> list[Document]:
        """The published documents, including their group's, and those attached to the conversation, newest first.

        Each word of ``search`` must be in the document's title, filename, organisations, periods, kind, author or
        keywords.
        """
        wanted = fold(search).split()
        seen = (LIBRARY, conversation_id)
        documents = await self.catalogue.seen(user_id)
        found = [each for each in documents if each.scope in seen]
        return [each for each in found if all(word in _searchable_text(each) for word in wanted)] if wanted else found

    async def attached(self, user_id: str, conversation_id: str) -> list[Document]:
        """The documents that only this conversation may read, in the order they were attached."""
        return (await self.catalogue.all(user_id, scope=conversation_id))[::-1]

    async def publish(self, user_id: str, document_id: str, *, choice: Choice = "ask") -> Submission:
        """Move a conversation's document into the library; its vectors move with it.

        Publishing twice changes nothing. A document in the library with the same bytes or the same name is reported as
        by ``submit``.

        Raises:
            PalimpsestError: there is no such document, or its text has not been read.
        """
        document = await self.catalogue.get(user_id, document_id)
        if document.scope == LIBRARY:
            return Submission(status="accepted", document=document)
        done = await self.turns.run(user_id, partial(self._publish, user_id, document_id, choice))
        if done.status == "accepted":
            await self.published(done.document)
        return done

    async def _publish(self, user_id: str, document_id: str, choice: Choice) -> Submission:
        document = await self.catalogue.get(user_id, document_id)
        if document.scope == LIBRARY:
            return Submission(status="accepted", document=document)
        if not document.is_stored:
            raise not_read_yet(document)
        twin = await self.catalogue.twin(user_id, LIBRARY, document.sha256)
        if twin:
            return Submission(status="duplicate", document=twin)
        namesake = await self.catalogue.namesake(user_id, LIBRARY, document.filename)
        if namesake and choice == "ask":
            return Submission(status="namesake", document=namesake)
        # Passages first: if this is interrupted, the document is still attached and can be published again.
        await self.items.move_document(user_id, document.id, LIBRARY)
        replaces = namesake.id if namesake and choice == "replace" else None
        published = await self.catalogue.change(user_id, document.id, scope=LIBRARY, replaces=replaces)
        if namesake and choice == "replace":
            await self.delete(user_id, namesake.id)
        return Submission(status="accepted", document=await self._note_same_text(published))

    async def _note_same_text(self, document: Document) -> Document:
        twin = await self.catalogue.same_text(document)
        if twin is None:
            return document
        notes = [*document.notes, same_text(twin)]
        return await self.catalogue.change(document.user_id, document.id, notes=notes)

    async def get(self, user_id: str, document_id: str) -> Document:
        """A document that the user may read. Raises ``PalimpsestError`` when there is no such document."""
        return await self.catalogue.readable(user_id, document_id)

    async def correct(self, user_id: str, document_id: str, field: CorrectedField, value: str) -> Document:
        """Store a person's correction of a document's metadata; no later reading changes it.

        Sources show a new title immediately. Vectors are not changed: the context that is put in front of a passage for
        embedding is from its first reading.

        Raises:
            PalimpsestError: there is no such document, or ``value`` is no title, kind, period or date.
        """
        saved = await self.catalogue.amend(user_id, document_id, lambda known: corrected(known, field, value))
        if field == "title":
            await self.items.retitle_document(user_id, document_id, saved.metadata.title)
        return saved

    async def outline(self, user_id: str, document_id: str) -> Outline:
        """The sections of a document. Raises ``PalimpsestError`` when there is no such document."""
        document = await self.get(user_id, document_id)
        return await self.contents.outline(document.user_id, document_id)

    async def tables(self, user_id: str, document_id: str) -> list[Table]:
        """A document's tables in reading order. Raises ``PalimpsestError`` when there is no such document."""
        document = await self.get(user_id, document_id)
        return await self.contents.tables(document.user_id, document_id)

    async def table(self, user_id: str, document_id: str, number: int) -> Table:
        """One table of a document. Raises ``PalimpsestError`` when there is no such document or table."""
        document = await self.get(user_id, document_id)
        return await self.contents.table(document.user_id, document_id, number)

    async def table_rows(
        self, user_id: str, document_id: str, number: int, first: int, most: int
    ) -> tuple[Table, list[Row]]:
        """A table with at most ``most`` of its rows, starting at ``first``. Raises as ``table`` does."""
        table = await self.table(user_id, document_id, number)
        return table, await asyncio.to_thread(rows_from, table, first, most)

    async def chunks(self, user_id: str, document_id: str, most: int = MOST_OF_DOCUMENT) -> list[MemoryItem]:
        """The first ``most`` passages of a document in reading order: all of them, except for a very long table."""
        document = await self.get(user_id, document_id)
        return await self.items.of_document(document.user_id, document_id, most)

    async def passages(self, user_id: str, document_id: str, item_ids: Sequence[str]) -> list[MemoryItem]:
        """The passages of a document with these ids, in any order."""
        document = await self.get(user_id, document_id)
        return [item for item in await self.items.load(document.user_id, item_ids) if item.document_id == document_id]

    async def text(self, user_id: str, document_id: str) -> str:
        """A document's full text as it was read. Raises ``PalimpsestError`` when there is no such document."""
        return "\n\n".join(own_texts(await self.chunks(user_id, document_id)))

    async def surroundings(self, user_id: str, item_id: str) -> PassageContext:
        """A passage with its neighbours. For a finding, the passage from which it was extracted. Raises
        ``PalimpsestError`` when it or its document is gone."""
        item = await self.items.readable(user_id, item_id)
        if item and item.kind in FINDINGS and item.source.chunk_id and item.status == "active":
            item = await self.items.readable(user_id, item.source.chunk_id)
        if item is None or item.document_id is None or item.status != "active":
            raise no_document()
        document = await self.get(user_id, item.document_id)
        order = item.place.order
        chunks = await self.items.at(document.user_id, document.id, (order - 1, order + 1))
        before, after = chunks.get(order - 1), chunks.get(order + 1)
        return PassageContext(
            document=document, item=item, before=before.text if before else "", after=after.text if after else ""
        )

    async def passages_of_table(self, user_id: str, document_id: str, table: int) -> list[MemoryItem]:
        """The first passages that show rows of the document's table number ``table``, in reading order."""
        document = await self.get(user_id, document_id)
        shown: Filter = {"source.book.table": table}
        return await self.items.of_document(document.user_id, document_id, MOST_OF_TABLE, shown)

    async def cancel(self, user_id: str, document_id: str) -> None:
        """Cancel the reading of a document and remove what was stored of it."""
        document = await self.catalogue.get(user_id, document_id)
        if document.state in ("pending", "processing"):
            await self._cancel_job(document)

    async def _cancel_job(self, document: Document) -> None:
        if document.job_id:
            for queue in (self.reading, self.recognising, self.embedding):
                await queue.cancel(document.job_id)
        if document.extraction and document.extraction.job_id and document.extraction.state in UNDER_WAY:
            await self.extracting.cancel(document.extraction.job_id)

    async def retry(self, user_id: str, document_id: str) -> Document:
        """Read a failed or cancelled document again."""
        document = await self.catalogue.get(user_id, document_id)
        if not can_retry(document):
            raise still_busy(document)
        await self.pages.forget_wordless(user_id, document.sha256)
        return await self.enqueue(document)

    async def read_again(self, user_id: str, document_id: str, options: ReadingOptions) -> Document:
        """Read a document again from its file, with the owner's reading settings; corrected fields stay.

        The previous text remains searchable until the new reading starts.

        Raises:
            PalimpsestError: there is no such document, or it is being read now.
        """
        document = await self.catalogue.get(user_id, document_id)
        if document.state in ("pending", "processing"):
            raise being_read(document)
        await self._cancel_job(document)
        again: dict[str, Any] = {**NOTHING_READ, "reading": options, "problem": None, "extraction": None}
        return await self.begin(self.reading, document, "pending", **again)

    async def delete(self, user_id: str, document_id: str) -> None:
        """Hide a document from all readers immediately; it is physically removed when it can no longer be restored."""
        document = await self.catalogue.get(user_id, document_id)
        deleted = await self.catalogue.change(user_id, document.id, state="deleted")
        await self._cancel_job(deleted)
        await self.burials.bury(deleted)

    async def delete_scope(self, user_id: str, conversation_id: str) -> list[str]:
        """Delete all documents attached to a conversation; returns their ids, which ``undelete`` can restore for a
        while."""
        attached = [] if conversation_id == LIBRARY else await self.attached(user_id, conversation_id)
        for document in attached:
            await self.delete(user_id, document.id)
        return [document.id for document in attached]

    async def undelete(self, user_id: str, document_id: str) -> Document:
        """Undo a deletion while the document's files still exist."""
        document = await self.catalogue.find(user_id, document_id)
        if document is None or document.state != "deleted":
            raise no_document()
        await self.burials.settle(document.id)
        if document.problem:
            return await self.catalogue.change(user_id, document.id, among=("deleted",), state="failed")
        if not document.is_stored or document.recognition:
            return await self.enqueue(document)
        await self.items.revive_document(user_id, document.id)
        if document.embedded < document.with_vectors:
            return await self.begin(self.embedding, document, "completed")
        return await self.catalogue.change(user_id, document.id, among=("deleted",), state="completed")

    async def busy(self, user_id: str) -> list[Document]:
        """All documents that are queued or being read, in the library and in every conversation."""
        return await self.catalogue.all(user_id, states=("pending", "processing"))

    async def departure(self, user_id: str, document_id: str) -> RemovedDocument | None:
        """What happened to a removed document; ``None`` if it still exists."""
        return await self.departures.of(user_id, document_id)

    async def unseen_failures(self, user_id: str) -> list[Document]:
        """The documents that could not be read and whose failure the owner has not seen yet, newest first."""
        return await self.catalogue.unseen_failures(user_id)

    async def note_failures_seen(self, user_id: str) -> None:
        """Record that the user has seen all current failures."""
        await self.catalogue.note_failures_seen(user_id)

    async def searchable_share(self, user_id: str, conversation_id: str | None = None) -> float:
        """Share of the conversation's documents that is searchable already; 1.0 when nothing is being read."""
        documents = await self.find(user_id, conversation_id=conversation_id)
        live = [document for document in documents if document.state in LIVE]
        found = [document for document in live if document.state == "completed" or document.is_stored]
        return len(found) / len(live) if live else 1.0


def _searchable_text(document: Document) -> str:
    about = document.metadata
    return fold(" ".join([words_of(document), about.author or "", *about.keywords_en, *about.keywords_he]))
