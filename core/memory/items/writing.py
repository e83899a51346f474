"""Writes items; all writes go through here: first the record store, then the index, then the mark that it is indexed.

After a crash an item may still have ``indexed`` or ``embedded`` set to false; ``repair`` finishes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.clock import Clock
from core.errors import PalimpsestError, explain
from core.ids import point_id
from core.memory.items.document_steps import document_ids, document_steps, in_steps
from core.memory.items.index_writer import IndexWriter, payload_of, points_of, vector_hash
from core.memory.items.reading import ITEMS, ItemReader
from core.memory.items.vector_marks import VECTOR_HASH, WITHOUT_VECTOR, forget_vectors, given_mark
from core.models.embeddings import Embeddings, Matrix
from core.records.findings import FindingKind
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.changes import touched
from core.store.index import Index
from core.store.items import MemoryItem, Status
from core.store.scope import GroupOf, no_group
from core.store.truth import Change, Collection, Delete, Filter, Json, Sorted, Truth, Update, Upsert
from core.store.typed_collection import TypedCollection, stored

log = logging.getLogger(__name__)

REPAIR_BATCH = 256
_NOT_INDEXED = Change(set={"indexed": False, "embedded": False})
PAYLOAD_FIELDS = frozenset({"org_id", "tier", "status", "scope", "tags"})
"""Fields that may change and that the index uses in filters."""
REMEMBERED: tuple[Tier, ...] = ("working", "history", "patterns", "memory_bank")
"""Tiers whose vectors the embedder computes; passages get theirs from their documents' jobs."""


class NoVectorsError(PalimpsestError):
    """The embedding model is not available now; the record store and the index may be available."""


async def _vectors(embeddings: Embeddings, items: Sequence[MemoryItem]) -> Matrix:
    try:
        return await embeddings.embed_passages([each.embedded_text for each in items])
    except Exception as error:
        raise NoVectorsError(explain(error), str(error)) from error


class MemoryItems(ItemReader):
    """Writes and reads items; callers get items, never raw rows."""

    def __init__(
        self,
        truth: Truth,
        index: Index,
        embeddings: Embeddings | None,
        clock: Clock,
        points: IndexWriter | None = None,
        settings: Memory | None = None,
        group_of: GroupOf = no_group,
    ) -> None:
        super().__init__(truth, clock, settings or Memory(), group_of)
        self._everyones = TypedCollection(truth.collection(ITEMS), MemoryItem)
        self._index = index
        self.points = points or IndexWriter(index)
        self._embeddings = embeddings
        self._repairing = asyncio.Lock()
        self.giving = asyncio.Lock()
        """A lock, held from the selection of passages without vectors until they have them, so that no other task
        computes the same vectors."""
        self._listeners: list[Callable[[str], None]] = []

    def subscribe(self, listener: Callable[[str], None]) -> None:
        """Call ``listener`` with the user's id after each write of items."""
        self._listeners.append(listener)

    def _notify_listeners(self, user_id: str) -> None:
        for listener in self._listeners:
            listener(user_id)

    async def ensure(self) -> None:
        await self._everyones.rows.ensure(
            sort=[
                Sorted(("tier", "status", "user_id")),
                Sorted(("org_id", "tier", "status")),
                Sorted(("document_id", "place.order")),
                Sorted(("document_id", "embedded", "place.order")),
                Sorted(("indexed",)),
                Sorted(("status", "timestamps.expires_at")),
                Sorted(("synced",)),
                Sorted(("user_id", "place.episode", "place.order")),
                Sorted(("embedded", "tier")),
                Sorted((VECTOR_HASH,)),
                Sorted(("user_id", "tier", "timestamps.updated_at")),
                Sorted(("user_id", "tier", "status", "timestamps.created_at")),
                Sorted(("user_id", "status", "timestamps.updated_at")),
            ]
        )

    # -- writing ---------------------------------------------------------------------------

    async def add(self, user_id: str, items: Sequence[MemoryItem]) -> None:
        """Store items and make them findable by keyword; adding the same ids again overwrites them.

        Raises:
            PalimpsestError: the index is not available, so a book's passages cannot be found yet. Other items are
            stored anyway, and ``repair`` makes them findable.
        """
        fresh = [item.model_copy(update={"indexed": False, "embedded": item.unembedded}) for item in items]
        hidden = all(item.status == "pending" for item in fresh)
        await self._of(user_id).rows.bulk([Upsert(stored(item)) for item in fresh], whole=not hidden)
        self._notify_listeners(user_id)
        await self._index_or_leave(fresh)

    async def _index_or_leave(self, items: Sequence[MemoryItem]) -> None:
        try:
            await self._index_items([item.id for item in items])
        except Exception:
            if any(item.tier not in REMEMBERED for item in items):
                raise
            log.warning("%d items wait for the next repair", len(items), exc_info=True)

    async def _index_items(self, ids: Sequence[str]) -> None:
        async with self.points.writing:
            items = await self._read_items(ids)
            await self.points.put(await points_of(items))
            now = self._clock()
            known: Json = {"indexed": True, "synced": True, "embedding.last_indexed_at": now}
            marks = [Update(item.id, Change(set={**known, "embedded": item.unembedded})) for item in items]
            await self._everyones.rows.bulk(marks, whole=False)

    async def _read_items(self, ids: Sequence[str]) -> list[MemoryItem]:
        """Current items of any user, for maintenance and for items that were just written."""
        return await self._everyones.find({"_id": {"$in": list(ids)}})

    async def revise(self, item: MemoryItem) -> MemoryItem:
        """Replace an item and its text: the new text can be found by keyword immediately, by semantic search soon
        after.

        Raises:
            DuplicateError: another writer changed the item, so the caller must read it again and repeat the change.
        """
        fresh = item.model_copy(update={"indexed": False, "embedded": item.unembedded, "version": item.version + 1})
        await self._of(item.user_id).rows.upsert(stored(fresh), where={"version": item.version})
        self._notify_listeners(item.user_id)
        await self._index_or_leave([fresh])
        return fresh

    async def change(
        self, user_id: str, item_id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> MemoryItem | None:
        """Change any field except the text; vectors are kept.

        Readers see the change immediately, because they check the record store. The index is updated afterwards;
        ``repair`` repeats updates that it missed.

        Returns:
            The current item; ``None`` if it does not match ``where`` and ``if_version``.
        """
        indexed = not PAYLOAD_FIELDS.isdisjoint(touched(change))
        marks = {"synced": False} if indexed else {}
        change = replace(change, set={"timestamps.updated_at": self._clock(), **(change.set or {}), **marks})
        item = await self._of(user_id).update(item_id, change, if_version=if_version, where=where)
        if item is None:
            return None
        self._notify_listeners(user_id)
        if indexed:
            try:
                await self._sync([item.id])
            except Exception:
                log.warning("the index was not told about %s", item.id, exc_info=True)
        return item

    async def change_exchanges(self, user_id: str, message_ids: Sequence[str], status: Status) -> None:
        """Change the status of the exchanges that belong to these answers."""
        other: Status = "active" if status == "archived" else "archived"
        stored = {"kind": "exchange", "status": other, "source.message_id": {"$in": list(message_ids)}}
        for item in await self.find(user_id, stored) if message_ids else []:
            await self.change(user_id, item.id, Change(set={"status": status}), where={"status": other})

    async def _sync(self, ids: Sequence[str]) -> None:
        async with self.points.writing:
            items = await self._read_items(ids)
            for item in items:
                await self.points.tell([point_id(item.id)], payload_of(item))
            read = [(item.id, {"timestamps.updated_at": item.timestamps.updated_at}) for item in items]
            await self._everyones.rows.bulk(
                [Update(each, Change(set={"synced": True}), as_read) for each, as_read in read], whole=False
            )

    async def embed_pending(self, user_id: str, document_id: str, limit: int) -> int:
        """Embed up to ``limit`` passages of a document; returns how many were written.

        Raises:
            NoVectorsError: the embedding model gave none.
            PalimpsestError: the record store or the index is not available now.
        """
        if self._embeddings is None:
            return 0
        await self._index_missing(self._of(user_id).rows, {"document_id": document_id})
        async with self.giving:
            items = await self.pending_vectors(user_id, document_id, limit)
            if items:
                await self.set_vectors(items, await _vectors(self._embeddings, items))
            return len(items)

    async def pending_vectors(
        self,
        user_id: str | None,
        document_id: str | None,
        limit: int,
        tiers: Sequence[Tier] | None = None,
        kinds: Sequence[FindingKind] = (),
    ) -> list[MemoryItem]:
        """Items that are findable by keyword and wait for their vector, in reading order; ``user_id=None`` (all users)
        is only for maintenance."""
        items = self._of(user_id) if user_id is not None else self._everyones
        wanted: dict[str, object] = {**WITHOUT_VECTOR, "indexed": True}
        if document_id is not None:
            wanted["document_id"] = document_id
        if tiers is not None:
            wanted["tier"] = {"$in": list(tiers)}
        if kinds:
            wanted["kind"] = {"$in": list(kinds)}
        return await items.find(wanted, sort=[("document_id", 1), ("place.order", 1)], limit=limit)

    async def some_pending_vector(self) -> bool:
        """Whether any user's item waits for its vector."""
        wanted: Filter = {**WITHOUT_VECTOR, "indexed": True}
        return bool(await self._truth.collection(ITEMS).find(wanted, limit=1, fields=["_id"]))

    async def pending_among(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The items in ``ids`` that wait for a vector, in the order of ``ids``."""
        wanted: Filter = {**WITHOUT_VECTOR, "indexed": True, "_id": {"$in": list(ids)}}
        found = {item.id: item for item in await self._of(user_id).find(wanted)}
        return [found[identifier] for identifier in ids if identifier in found]

    async def set_vectors(self, items: Sequence[MemoryItem], vectors: Matrix) -> None:
        """Write the dense vectors of ``items`` (``vectors[i]`` is that of ``items[i].embedded_text``).

        An item whose text was written again at the same time keeps waiting for the new text's vector.
        """
        if self._embeddings is None:
            return
        identity = self._embeddings.identity
        given = {item.id: (vector_hash(item, ""), vector) for item, vector in zip(items, vectors, strict=True)}
        async with self.points.writing:
            same = [item for item in await self._read_items(list(given)) if given[item.id][0] == vector_hash(item, "")]
            await self.points.give({point_id(item.id): given[item.id][1] for item in same})
            await self._everyones.rows.bulk([given_mark(item, identity) for item in same], whole=False)

    async def activate_document(self, user_id: str, document_id: str) -> None:
        """Make all passages of a document visible, in one step unless it is very long."""
        await self._set_status(user_id, document_id, ("pending",), "active")

    async def bury_document(self, user_id: str, document_id: str) -> None:
        """Hide a document from all readers immediately; the index is updated afterwards, and may miss it."""
        if not await self._set_status(user_id, document_id, ("pending", "active"), "deleted"):
            return
        try:
            await self._tell_index(user_id, document_id, "deleted")
        except Exception:
            log.warning("the index was not told about %s", document_id, exc_info=True)

    async def revive_document(self, user_id: str, document_id: str) -> None:
        """Undo ``bury_document``. The index is updated first, because otherwise searches might never return the
        document again.

        Raises:
            PalimpsestError: the index is not available now; nothing has changed.
        """
        await self._tell_index(user_id, document_id, "active")
        await self._set_status(user_id, document_id, ("deleted",), "active")

    async def move_document(self, user_id: str, document_id: str, scope: str) -> None:
        """Move a document's passages and their vectors to another scope; ``repair`` repeats index updates that
        failed."""
        await self._place_document(user_id, document_id, "scope", scope)

    async def give_document_group(self, user_id: str, document_id: str, group: str | None) -> None:
        """Let the users of ``group`` read a document; with ``None``, only its owner can."""
        await self._place_document(user_id, document_id, "org_id", group)

    async def _place_document(self, user_id: str, document_id: str, field: str, value: str | None) -> None:
        items = self._of(user_id).rows
        await items.update_where({"document_id": document_id}, Change(set={field: value, "synced": False}))
        self._notify_listeners(user_id)
        rows = await items.find({"document_id": document_id}, fields=["_id"])
        try:
            async with self.points.writing:
                await self.points.tell([point_id(str(row["_id"])) for row in rows], {field: value})
                await items.update_where({"document_id": document_id, field: value}, Change(set={"synced": True}))
        except Exception:
            log.warning("the index was not told where %s is now", document_id, exc_info=True)

    async def retitle_document(self, user_id: str, document_id: str, title: str) -> None:
        """Change the document's title in its passages; their vectors are kept."""
        named = Change(set={"source.book.title": title})
        await self._of(user_id).rows.update_where({"document_id": document_id}, named)
        self._notify_listeners(user_id)

    async def remove_document(self, user_id: str, document_id: str, which: Filter | None = None) -> None:
        """Permanently remove the items of a document, or only those that ``which`` matches. Readers no longer see them;
        they are deleted from the stores now or, at the latest, by ``repair``.

        They are marked with ``expires_at``, so that neither ``revive_document`` nor importing the document again
        restores them.
        """
        for step in await document_steps(self._of(user_id).rows, document_id):
            await self.remove(user_id, {**(which or {}), **step})

    async def remove(self, user_id: str, which: Filter) -> None:
        """Permanently remove these items. Readers no longer see them; they are deleted from the stores now or, at the
        latest, by ``repair``."""
        now, items = self._clock(), self._of(user_id).rows
        gone = Change(set={"status": "deleted", "timestamps.expires_at": now, "timestamps.updated_at": now})
        await items.update_where(which, gone)
        self._notify_listeners(user_id)
        try:
            await self._sweep(items, which)
        except Exception:
            log.warning("points of what was removed stay until the next repair", exc_info=True)

    # -- repairing -------------------------------------------------------------------------

    async def repair(self) -> int:
        """Finish what a crash interrupted, for all users (maintenance); returns how many items were changed.

        Raises:
            PalimpsestError: the index is not available now.
        """
        everyone = self._everyones.rows
        repaired = 0
        while indexed := await self._index_missing(everyone, {}):
            repaired += indexed
        while rows := await everyone.find({"synced": False, "indexed": True}, fields=["_id"], limit=REPAIR_BATCH):
            await self._sync([str(row["_id"]) for row in rows])
            repaired += len(rows)
        return repaired + await self._sweep(everyone, {})

    async def index_is_lost(self) -> bool:
        """Whether the index is empty although the record store has items (maintenance)."""
        if not await self._everyones.rows.find({"indexed": True}, fields=["_id"], limit=1):
            return False
        points, _ = await self._index.scroll(None, 1)
        return not points

    async def forget_index(self) -> int:
        """Mark all items as not indexed, so that ``repair`` writes them to the index; returns how many."""
        return await self._everyones.rows.update_where({"indexed": True}, _NOT_INDEXED)

    async def _index_missing(self, items: Collection, which: Filter) -> int:
        """Write a batch of missing items to the index; returns how many. Only one caller may run at a time, because
        writing a point again removes a vector that another caller has just added."""
        async with self._repairing:
            missing = {"indexed": False, "status": {"$in": ["active", "archived"]}, **which}
            rows = await items.find(missing, fields=["_id"], limit=REPAIR_BATCH)
            if rows:
                await self._index_items([str(row["_id"]) for row in rows])
            return len(rows)

    async def _sweep(self, items: Collection, which: Filter) -> int:
        """Permanently delete what ``remove_document`` has marked; returns how many items."""
        marked: Filter = {"status": "deleted", "timestamps.expires_at": {"$lte": self._clock()}}
        swept = 0
        while rows := await items.find({**which, **marked}, limit=REPAIR_BATCH):
            gone = [MemoryItem.model_validate(row) for row in rows]
            ids = [item.id for item in gone]
            async with self.points.writing:
                await self.points.remove([point_id(identifier) for identifier in ids])
                await items.bulk([Delete(identifier, where=marked) for identifier in ids], whole=False)
                # Items that still exist were stored again during the deletion, and their new points have just been
                # deleted.
                await items.update_where({"_id": {"$in": ids}}, _NOT_INDEXED)
            await forget_vectors(self._everyones.rows, self._embeddings, gone)
            swept += len(ids)
        return swept

    async def _set_status(self, user_id: str, document_id: str, old: Sequence[Status], new: Status) -> int:
        """Change the status; returns how many items were changed."""
        rows, changed = self._of(user_id).rows, 0
        change = Change(set={"status": new, "timestamps.updated_at": self._clock()})
        for step in await document_steps(rows, document_id):
            changed += await rows.update_where(
                {**step, "status": {"$in": list(old)}, "timestamps.expires_at": None}, change
            )
        self._notify_listeners(user_id)
        return changed

    async def _tell_index(self, user_id: str, document_id: str, status: Status) -> None:
        for ids in in_steps(await document_ids(self._of(user_id).rows, document_id)):
            await self.points.tell(list(map(point_id, ids)), {"status": status})
