"""The catalogue of documents: one entry each, found by user and scope."""

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
    """Every method is bound to the user it is called for. ``readable`` and ``seen`` tell what they may read, the
    published documents of their group included; all others tell of their own documents, which they may change."""

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
        """Raises ``PalimpsestError`` (not found), for a deleted one too; "validation" for one that is somebody else's
        and may be read."""
        document = await self.find(user_id, document_id)
        if document is None or document.state == "deleted":
            await self.readable(user_id, document_id)
            raise not_yours()
        return document

    async def readable(self, user_id: str, document_id: str) -> Document:
        """An own one, or one published to their group. Raises ``PalimpsestError`` (not found)."""
        document = await self.find_readable(user_id, document_id)
        if document is None or document.state == "deleted":
            raise no_document()
        return document

    async def find_readable(self, user_id: str, document_id: str) -> Document | None:
        """``readable``, deleted or not."""
        return await self._seen(user_id).get(document_id)

    async def seen(
        self, user_id: str, *, scope: str | None = None, states: Sequence[DocumentState] = VISIBLE
    ) -> list[Document]:
        """What they may read, newest first."""
        key = (user_id, self._group_of(user_id), scope, tuple(states))
        return await self._repeated.read(
            key, lambda: self._seen(user_id).find(_standing(scope, states), sort=[("added_at", -1)])
        )

    async def find(self, user_id: str, document_id: str) -> Document | None:
        """The entry, deleted or not."""
        return await self._of(user_id).get(document_id)

    async def all(
        self, user_id: str, *, scope: str | None = None, states: Sequence[DocumentState] = VISIBLE
    ) -> list[Document]:
        """Newest first."""
        return await self._of(user_id).find(_standing(scope, states), sort=[("added_at", -1)])

    async def shared(self, user_id: str) -> list[Document]:
        """Those of their own that a group may read, whichever it is; deleted ones, too."""
        return await self._of(user_id).find({"org_id": {"$ne": None}})

    async def twin(self, user_id: str, scope: str, sha256: str) -> Document | None:
        """The live document with the same bytes."""
        return await self._of(user_id).first({"scope": scope, "sha256": sha256, "state": {"$in": list(LIVE)}})

    async def failed_twin(self, user_id: str, scope: str, sha256: str) -> Document | None:
        """The document with the same bytes whose reading failed or was cancelled."""
        return await self._of(user_id).first({"scope": scope, "sha256": sha256, "state": {"$in": list(UNREAD)}})

    async def same_text(self, document: Document) -> Document | None:
        """Another live document that says the same in other bytes."""
        same = {"scope": document.scope, "text_sha256": document.text_sha256, "state": {"$in": list(LIVE)}}
        return await self._of(document.user_id).first({**same, "_id": {"$ne": document.id}})

    async def has_others_of(self, document: Document) -> bool:
        """Whether another document of its owner, deleted or not, has the same bytes."""
        others = {"sha256": document.sha256, "_id": {"$ne": document.id}}
        return await self._of(document.user_id).first(others) is not None

    async def namesake(self, user_id: str, scope: str, filename: str) -> Document | None:
        """The live document with the same filename."""
        return await self._of(user_id).first({"scope": scope, "filename": filename, "state": {"$in": list(LIVE)}})

    async def successor(self, user_id: str, document_id: str) -> Document | None:
        """The document that took the place of another, deleted or not."""
        return await self._of(user_id).first({"replaces": document_id, "state": {"$in": [*LIVE, "deleted"]}})

    async def change(
        self, user_id: str, document_id: str, *, among: Sequence[DocumentState] = VISIBLE, **fields: object
    ) -> Document:
        """Set top-level fields (models are stored as JSON) of a document whose state is ``among`` these: a job that
        ends late brings nothing back from the dead. Raises ``PalimpsestError`` (not found)."""
        among_these = {"state": {"$in": list(among)}}
        changed = await self._of(user_id).update(document_id, self._change_of(fields), where=among_these)
        if changed is None:
            raise no_document()
        return changed

    async def assign(self, document: Document, job_id: str, **fields: object) -> Document | None:
        """Give a document its next job and set ``fields`` as ``change`` does; nothing where its state or its job is
        another one by now, so of two processes that would have it read one does."""
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
        """What of the library could not be read and its owner has not been shown yet, the newest first."""
        failed = await self.all(user_id, scope=LIBRARY, states=("failed",))
        return [document for document in failed if document.failed_unseen]

    async def note_failures_seen(self, user_id: str) -> None:
        """The person has been shown all that there are now; that is no change of the documents."""
        for document in await self.unseen_failures(user_id):
            seen = Change(set={"seen_failure": document.run_id})
            await self._of(user_id).update(document.id, seen, where={"state": "failed"})

    async def amend(self, user_id: str, document_id: str, change: Callable[[Metadata], Metadata]) -> Document:
        """Replace the metadata by what ``change`` makes of it. When two do so at once, the later one is made of what
        the earlier one has written. Raises ``PalimpsestError`` (not found)."""
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
        """Of all users: which of these ids have an entry that is not deleted (maintenance)."""
        among = {"_id": {"$in": list(document_ids)}, "state": {"$in": list(VISIBLE)}}
        return {str(row["_id"]) for row in await self._of_all.rows.find(among, fields=["_id"])}

    async def forget(self, user_id: str, document_id: str) -> None:
        """Remove the entry itself."""
        await self._of(user_id).rows.delete({"_id": document_id})

    async def withdraw(self, user_id: str, document_id: str) -> None:
        """Remove an entry whose file could not be kept, unless another process was given it again and has it read."""
        await self._of(user_id).rows.delete({"_id": document_id, "job_id": None})

    async def deleted_before(self, moment: float) -> list[Document]:
        """Of all users: tombstones whose time to be undone is over (maintenance)."""
        return await self._of_all.find({"state": "deleted", "updated_at": {"$lt": moment}})

    async def unfinished(self, moment: float) -> list[Document]:
        """Of all users: completed documents without all their vectors, unchanged since ``moment`` (maintenance).

        Those that turn out to have all are noted as such, and are read again when their counts change."""
        lacking = {"state": "completed", "has_all_vectors": {"$in": [False, None]}, "updated_at": {"$lte": moment}}
        documents = await self._of_all.find(lacking)
        for whole in [each for each in documents if each.embedded >= each.with_vectors]:
            where = {"state": "completed", "embedded": whole.embedded, "chunks": whole.chunks}
            await self._of_all.update(whole.id, Change(set={"has_all_vectors": True}), where=where)
        return [document for document in documents if document.embedded < document.with_vectors]

    async def latest(self, most: int) -> list[Document]:
        """Of all users: the completed documents that changed last, the latest first (upkeep)."""
        return await self._of_all.find({"state": "completed"}, sort=[("updated_at", -1)], limit=most)

    async def extracting(self, user_id: str | None) -> list[Document]:
        """Those that are being read out, or wait for it; of all users with ``None`` (maintenance)."""
        documents = self._of_all if user_id is None else self._of(user_id)
        return await documents.find({"state": "completed", "extraction.state": {"$in": list(UNDER_WAY)}})

    async def unextracted(self, most: int, besides: Iterable[str] = ()) -> list[Document]:
        """Of all users: published documents that were never read out, but for those of these digests (maintenance)."""
        never = {"state": "completed", "scope": LIBRARY, "extraction": None, "sha256": {"$nin": sorted(besides)}}
        return await self._of_all.find(never, limit=most)

    async def half_extracted(self, moment: float, tries: int, most: int) -> list[Document]:
        """Of all users: those whose reading out failed before ``moment``, fewer than ``tries`` times (maintenance)."""
        failed = {
            "state": "completed",
            "scope": LIBRARY,
            "extraction.state": "incomplete",
            "extraction.attempts": {"$lt": tries},
            "extraction.at": {"$lt": moment},
        }
        return await self._of_all.find(failed, limit=most)

    async def busy(self, moment: float) -> list[Document]:
        """Of all users: waiting or being read, and unchanged since ``moment`` (maintenance)."""
        return await self._of_all.find({"state": {"$in": ["pending", "processing"]}, "updated_at": {"$lte": moment}})

    async def forget_vectors(self) -> None:
        """Of all users: no document has vectors any more, because the index that held them is gone (maintenance)."""
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
