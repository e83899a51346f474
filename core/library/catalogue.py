"""Stores the catalogue of documents: one entry per document, found by user and scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.library.intelligence.records import UNDER_WAY
from core.library.records import UNREAD, Document, DocumentState, Metadata
from core.store.items import LIBRARY
from core.store.parsed_rows import ParsedRows
from core.store.repeated_reads import RepeatedReads
from core.store.scope import GroupOf, no_group
from core.store.truth import Change, Filter, Json, Sorted, Truth
from core.store.typed_collection import TypedCollection, TypedRecords, readable_records, records_of

VISIBLE: tuple[DocumentState, ...] = ("pending", "processing", "completed", "failed", "cancelled")
LIVE: tuple[DocumentState, ...] = ("pending", "processing", "completed")


def no_document() -> PalimpsestError:
    return fail("not_found", "library.catalogue.no_document")


def not_yours() -> PalimpsestError:
    return fail("validation", "library.catalogue.not_yours")


class Catalogue:
    """Reads and changes catalogue entries; every method is limited to the given user's data.

    ``readable`` and ``seen`` return what the user may read, including documents that their group shares. All other
    methods return only the user's own documents, which they may change.
    """

    def __init__(self, truth: Truth, clock: Clock, group_of: GroupOf = no_group) -> None:
        self._group_of = group_of
        self._parsed = ParsedRows(Document)
        self._truth = truth
        self._clock = clock
        self._of_all = TypedCollection(truth.collection("documents"), Document)
        self._repeated: RepeatedReads[Document] = RepeatedReads(self._of_all.rows)

    async def ensure(self) -> None:
        await self._of_all.rows.ensure(
            sort=[
                Sorted(("user_id", "scope", "state")),
                Sorted(("user_id", "sha256")),
                Sorted(("user_id", "text_sha256")),
                Sorted(("user_id", "filename")),
                Sorted(("org_id", "state")),
                Sorted(("state", "updated_at")),
                Sorted(("state", "has_all_vectors")),
                Sorted(("state", "extraction.state")),
            ]
        )

    async def add(self, document: Document) -> None:
        await self._of(document.user_id).put(document)

    async def get(self, user_id: str, document_id: str) -> Document:
        """One of the user's own documents. Raises ``PalimpsestError``: "not_found" if there is no such document or it
        is deleted; "validation" if it belongs to another user who shares it."""
        document = await self.find(user_id, document_id)
        if document is None or document.state == "deleted":
            await self.readable(user_id, document_id)
            raise not_yours()
        return document

    async def readable(self, user_id: str, document_id: str) -> Document:
        """One of the user's own documents, or one shared with their group. Raises ``PalimpsestError`` (not found)."""
        document = await self.find_readable(user_id, document_id)
        if document is None or document.state == "deleted":
            raise no_document()
        return document

    async def find_readable(self, user_id: str, document_id: str) -> Document | None:
        """As ``readable``, including deleted documents."""
        return await self._seen(user_id).get(document_id)

    async def seen(
        self, user_id: str, *, scope: str | None = None, states: Sequence[DocumentState] = VISIBLE
    ) -> list[Document]:
        """All documents that the user may read, newest first."""
        key = (user_id, self._group_of(user_id), scope, tuple(states))
        return await self._repeated.read(
            key, lambda: self._seen(user_id).find(_standing(scope, states), sort=[("added_at", -1)])
        )

    async def find(self, user_id: str, document_id: str) -> Document | None:
        """The entry, whether deleted or not."""
        return await self._of(user_id).get(document_id)

    async def all(
        self, user_id: str, *, scope: str | None = None, states: Sequence[DocumentState] = VISIBLE
    ) -> list[Document]:
        """All of the user's documents, newest first."""
        return await self._of(user_id).find(_standing(scope, states), sort=[("added_at", -1)])

    async def shared(self, user_id: str) -> list[Document]:
        """The user's own documents that are shared with any group, including deleted ones."""
        return await self._of(user_id).find({"org_id": {"$ne": None}})

    async def twin(self, user_id: str, scope: str, sha256: str) -> Document | None:
        """The document with the same bytes, unless it failed, or was cancelled or deleted."""
        return await self._of(user_id).first({"scope": scope, "sha256": sha256, "state": {"$in": list(LIVE)}})

    async def failed_twin(self, user_id: str, scope: str, sha256: str) -> Document | None:
        """The document with the same bytes whose reading failed or was cancelled."""
        return await self._of(user_id).first({"scope": scope, "sha256": sha256, "state": {"$in": list(UNREAD)}})

    async def same_text(self, document: Document) -> Document | None:
        """Another document with the same text but different bytes, unless it failed, or was cancelled or deleted."""
        same = {"scope": document.scope, "text_sha256": document.text_sha256, "state": {"$in": list(LIVE)}}
        return await self._of(document.user_id).first({**same, "_id": {"$ne": document.id}})

    async def has_others_of(self, document: Document) -> bool:
        """Whether the owner has another document, deleted or not, with the same bytes."""
        others = {"sha256": document.sha256, "_id": {"$ne": document.id}}
        return await self._of(document.user_id).first(others) is not None

    async def namesake(self, user_id: str, scope: str, filename: str) -> Document | None:
        """The document with the same filename, unless it failed, or was cancelled or deleted."""
        return await self._of(user_id).first({"scope": scope, "filename": filename, "state": {"$in": list(LIVE)}})

    async def successor(self, user_id: str, document_id: str) -> Document | None:
        """The document that replaced another one, deleted or not."""
        return await self._of(user_id).first({"replaces": document_id, "state": {"$in": [*LIVE, "deleted"]}})

    async def change(
        self, user_id: str, document_id: str, *, among: Sequence[DocumentState] = VISIBLE, **fields: object
    ) -> Document:
        """Set top-level fields (models are stored as JSON) if the document's state is in ``among``. A job that ends
        late therefore cannot revive a deleted document. Raises ``PalimpsestError`` (not found)."""
        among_these = {"state": {"$in": list(among)}}
        changed = await self._of(user_id).update(document_id, self._change_of(fields), where=among_these)
        if changed is None:
            raise no_document()
        return changed

    async def assign(self, document: Document, job_id: str, **fields: object) -> Document | None:
        """Give a document its next job and set ``fields`` as ``change`` does. Does nothing if its state or job has
        changed, so if two processes request a reading, only one starts it."""
        unchanged: Json = {"state": document.state, "job_id": document.job_id}
        change = self._change_of({**fields, "job_id": job_id})
        return await self._of(document.user_id).update(document.id, change, where=unchanged)

    def _change_of(self, fields: Mapping[str, object]) -> Change:
        if fields.keys() & {"chunks", "embedded", "without_vectors"}:
            fields = {"has_all_vectors": False, **fields}
        partial = Document.model_construct(**fields).model_dump(  # type: ignore[arg-type]
            mode="json", include=set(fields), warnings=False
        )
        return Change(set={**partial, "updated_at": self._clock()})

    async def unseen_failures(self, user_id: str) -> list[Document]:
        """The library's documents that could not be read and whose failure the owner has not seen yet, newest first."""
        failed = await self.all(user_id, scope=LIBRARY, states=("failed",))
        return [document for document in failed if document.failed_unseen]

    async def note_failures_seen(self, user_id: str) -> None:
        """Record that the user has seen all current failures. This does not count as a change to the documents."""
        for document in await self.unseen_failures(user_id):
            seen = Change(set={"seen_failure": document.run_id})
            await self._of(user_id).update(document.id, seen, where={"state": "failed"})

    async def amend(self, user_id: str, document_id: str, change: Callable[[Metadata], Metadata]) -> Document:
        """Replace the metadata with the result of ``change``. If two calls run at the same time, the later one starts
        from the earlier one's result. Raises ``PalimpsestError`` (not found)."""
        while True:
            known = await self.get(user_id, document_id)
            metadata = change(known.metadata).model_dump(mode="json")
            amended = await self._of(user_id).update(
                document_id,
                Change(set={"metadata": metadata, "updated_at": self._clock()}),
                if_version=known.version,
                where={"state": {"$in": list(VISIBLE)}},
            )
            if amended is not None:
                return amended

    async def known(self, document_ids: Sequence[str]) -> set[str]:
        """Across all users: the ids in this list that have an entry that is not deleted (maintenance)."""
        among = {"_id": {"$in": list(document_ids)}, "state": {"$in": list(VISIBLE)}}
        return {str(row["_id"]) for row in await self._of_all.rows.find(among, fields=["_id"])}

    async def forget(self, user_id: str, document_id: str) -> None:
        """Remove the entry."""
        await self._of(user_id).rows.delete({"_id": document_id})

    async def withdraw(self, user_id: str, document_id: str) -> None:
        """Remove an entry whose file could not be stored, unless another process received the same file and is reading
        it."""
        await self._of(user_id).rows.delete({"_id": document_id, "job_id": None})

    async def deleted_before(self, moment: float) -> list[Document]:
        """Across all users: deleted entries that can no longer be restored (maintenance)."""
        return await self._of_all.find({"state": "deleted", "updated_at": {"$lt": moment}})

    async def unfinished(self, moment: float) -> list[Document]:
        """Across all users: completed documents that lack some vectors and have not changed since ``moment``
        (maintenance).

        Documents that turn out to have all vectors are marked as complete, and are checked again when their counts
        change.
        """
        lacking = {"state": "completed", "has_all_vectors": {"$in": [False, None]}, "updated_at": {"$lte": moment}}
        documents = await self._of_all.find(lacking)
        for whole in [each for each in documents if each.embedded >= each.with_vectors]:
            where = {"state": "completed", "embedded": whole.embedded, "chunks": whole.chunks}
            await self._of_all.update(whole.id, Change(set={"has_all_vectors": True}), where=where)
        return [document for document in documents if document.embedded < document.with_vectors]

    async def latest(self, most: int) -> list[Document]:
        """Across all users: the completed documents that changed last, latest first (maintenance)."""
        return await self._of_all.find({"state": "completed"}, sort=[("updated_at", -1)], limit=most)

    async def completed_besides(self, document_ids: Iterable[str], most: int) -> list[Document]:
        """Across all users: completed documents other than these, latest first (maintenance)."""
        others = {"state": "completed", "_id": {"$nin": sorted(document_ids)}}
        return await self._of_all.find(others, sort=[("updated_at", -1)], limit=most)

    async def extracting(self, user_id: str | None) -> list[Document]:
        """Documents whose findings are being extracted or wait for it; with ``None``, of all users (maintenance)."""
        documents = self._of_all if user_id is None else self._of(user_id)
        return await documents.find({"state": "completed", "extraction.state": {"$in": list(UNDER_WAY)}})

    async def unextracted(self, most: int, besides: Iterable[str] = ()) -> list[Document]:
        """Across all users: published documents without extracted findings, except those with these digests
        (maintenance)."""
        never = {"state": "completed", "scope": LIBRARY, "extraction": None, "sha256": {"$nin": sorted(besides)}}
        return await self._of_all.find(never, limit=most)

    async def half_extracted(self, moment: float, tries: int, most: int) -> list[Document]:
        """Across all users: documents whose extraction failed before ``moment``, fewer than ``tries`` times
        (maintenance)."""
        failed = {
            "state": "completed",
            "scope": LIBRARY,
            "extraction.state": "incomplete",
            "extraction.attempts": {"$lt": tries},
            "extraction.at": {"$lt": moment},
        }
        return await self._of_all.find(failed, limit=most)

    async def busy(self, moment: float) -> list[Document]:
        """Across all users: documents that are queued or being read and have not changed since ``moment``
        (maintenance)."""
        return await self._of_all.find({"state": {"$in": ["pending", "processing"]}, "updated_at": {"$lte": moment}})

    async def forget_vectors(self) -> None:
        """Across all users: mark all documents as having no vectors, because the index that held them is gone
        (maintenance)."""
        await self._of_all.rows.update_where(
            {"embedded": {"$gt": 0}}, Change(set={"embedded": 0, "has_all_vectors": False})
        )

    def _seen(self, user_id: str) -> TypedRecords[Document]:
        return readable_records(self._truth, user_id, self._group_of(user_id), "documents", Document, self._parsed)

    def _of(self, user_id: str) -> TypedCollection[Document]:
        return records_of(self._truth, user_id, "documents", Document, self._parsed)


def _standing(scope: str | None, states: Sequence[DocumentState]) -> Filter:
    filter_: dict[str, object] = {"state": {"$in": list(states)}}
    return filter_ if scope is None else {**filter_, "scope": scope}
