"""Stores mentions and concepts, and finds the texts of the graph: memory bank facts and passages of published books."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from collections.abc import Collection as Some
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter

from core.batches import batches
from core.knowledge.content_graph import Source
from core.knowledge.extraction.known_entities import Known
from core.knowledge.known_documents import KnownDocuments
from core.knowledge.records import CONCEPTS, MENTIONS, ConceptRow, Mention
from core.memory.items.reading import ITEMS
from core.records.memory_meta import Tier
from core.store.filters import lookup, number_at
from core.store.items import LIBRARY, MemoryItem
from core.store.repeated_reads import RepeatedReads
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Delete, Filter, Json, Sorted, Truth
from core.store.typed_collection import pages, records_of, stored

READ: tuple[Tier, ...] = ("memory_bank", "books")
RELATED: tuple[Tier, ...] = (*READ, "patterns")
"""Tiers whose texts a model reads; it also extracts relations from patterns that outcomes have proven."""
R = TypeVar("R", bound=BaseModel)
BATCH = 500
PAGE = 1_000
QUIET = 60.0
"""Seconds after which no unfinished write can still appear with an earlier time."""

_MENTIONS, _CONCEPTS = TypeAdapter(list[Mention]), TypeAdapter(list[ConceptRow])

_FIELDS = ("tier", "status", "scope", "document_id", "quality", "timestamps", "source.conversation_id")


@dataclass(frozen=True)
class Stamp:
    """A version of the graph's texts: it differs after any change to them, by any process."""

    counts: tuple[int, ...]
    newest: tuple[float, ...]

    @property
    def living(self) -> int:
        return sum(self.counts)


class ContentStore:
    """Stores the content graph's records; each method works for one user."""

    def __init__(self, truth: Truth, tiers: Sequence[Tier] = READ) -> None:
        self._truth = truth
        self._tiers = tuple(tiers)
        self._stamps: RepeatedReads[Stamp] = RepeatedReads(truth.collection(ITEMS))
        self._documents = KnownDocuments(truth)

    async def ensure(self) -> None:
        await self._documents.ensure()
        await self._truth.collection(MENTIONS).ensure(sort=[Sorted(("user_id", "item_id"))])
        await self._truth.collection(CONCEPTS).ensure(sort=[Sorted(("user_id", "kind"))])

    @property
    def is_shared(self) -> bool:
        """Whether other processes write to the record store too."""
        return self._truth.collection(ITEMS).version is None

    async def stamp(self, user_id: str) -> Stamp:
        """The current stamp; if anything was written since the last one, this takes two index queries per tier."""
        return (await self._stamps.read(user_id, partial(self._read_stamp, user_id)))[0]

    async def _read_stamp(self, user_id: str) -> list[Stamp]:
        items = self._collection(user_id, ITEMS)
        counts, newest = [], []
        for tier in self._tiers:
            counts.append(await items.count({"tier": tier, "status": "active"}))
            last = await items.find(
                {"tier": tier}, sort=[("timestamps.updated_at", -1)], limit=1, fields=["timestamps.updated_at"]
            )
            newest.append(number_at(last[0], "timestamps.updated_at") if last else 0.0)
        return [Stamp(tuple(counts), tuple(newest))]

    def quiet(self, before: Stamp | None, stamp: Stamp, now: float) -> frozenset[Tier]:
        """Tiers without a change since the stamp ``before``: their part of the stamp is the same, and any later write
        has a later time than their newest text."""
        if before is None:
            return frozenset()
        looks, looked = (zip(each.counts, each.newest, strict=True) for each in (stamp, before))
        return frozenset(
            tier
            for tier, look, earlier in zip(self._tiers, looks, looked, strict=True)
            if look == earlier and look[1] < now - QUIET
        )

    async def sources(
        self, user_id: str, since: Stamp | None = None, but: Some[Tier] = ()
    ) -> tuple[list[Source], list[str], list[str]]:
        """Three results: existing texts, ids of passages whose documents belong to a conversation, and ids of removed
        texts. With ``since``, only texts changed since then; tiers in ``but`` are left out."""
        alive: list[Source] = []
        private: list[str] = []
        gone: list[str] = []
        for tier, newest in zip(self._tiers, since.newest if since else self._tiers, strict=True):
            if tier in but:
                continue
            changed = {"timestamps.updated_at": {"$gte": newest}} if since else {"status": "active"}
            async for page in self._pages(user_id, ITEMS, {"tier": tier, **changed}, _FIELDS):
                for row in page:
                    if row.get("status") != "active":
                        gone.append(str(row["_id"]))
                    elif tier == "books" and row.get("scope") != LIBRARY:
                        private.append(str(row["_id"]))
                    else:
                        alive.append(_source(row, tier))
        return alive, private, gone

    async def items(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The items among ``ids`` that still exist, with their texts."""
        return await self._among(user_id, ITEMS, MemoryItem, "_id", ids, {"status": "active"})

    async def texts_of(self, user_id: str, document_id: str) -> list[tuple[str, float]]:
        """The texts of a document's passages, each with the time of its last change."""
        which = {"document_id": document_id, "tier": "books", "status": "active"}
        found: list[tuple[str, float]] = []
        async for page in self._pages(user_id, ITEMS, which, ("text", "timestamps.updated_at")):
            found += [(str(row["text"]), number_at(row, "timestamps.updated_at")) for row in page]
        return found

    async def mentions(self, user_id: str, item_ids: Sequence[str] | None = None) -> list[Mention]:
        """All mentions, or those of the given texts."""
        if item_ids is not None:
            return await self._among(user_id, MENTIONS, Mention, "item_id", item_ids)
        return await self._all(user_id, MENTIONS, _MENTIONS)

    async def mentioned(self, user_id: str) -> list[tuple[str, str]]:
        """The ids of all mentions, each with the id of its text."""
        found: list[tuple[str, str]] = []
        async for page in self._pages(user_id, MENTIONS, fields=("item_id",)):
            found += [(str(row["_id"]), str(row["item_id"])) for row in page]
        return found

    async def concepts(self, user_id: str, ids: Sequence[str] | None = None) -> list[ConceptRow]:
        """All concepts, or the given ones."""
        if ids is not None:
            return await self._among(user_id, CONCEPTS, ConceptRow, "_id", ids)
        return await self._all(user_id, CONCEPTS, _CONCEPTS)

    async def known(self, user_id: str) -> Known:
        """The companies and periods in the records of the user's documents."""
        return await self._documents.of(user_id)

    async def keep(self, user_id: str, concepts: Sequence[ConceptRow], mentions: Sequence[Mention]) -> None:
        """Store concepts and mentions. Concepts are written first, so that a mention never refers to a missing one."""
        if concepts:
            await self._collection(user_id, CONCEPTS).upsert_many([stored(each) for each in concepts])
        if mentions:
            await self._collection(user_id, MENTIONS).upsert_many([stored(each) for each in mentions])

    async def forget(self, user_id: str, mention_ids: Sequence[str], concept_ids: Sequence[str]) -> None:
        await self._collection(user_id, MENTIONS).bulk([Delete(each) for each in mention_ids], whole=False)
        await self._collection(user_id, CONCEPTS).bulk([Delete(each) for each in concept_ids], whole=False)

    async def users(self) -> list[str]:
        """All users who have texts (for maintenance)."""
        return sorted(await self._truth.collection(ITEMS).count_by("user_id", {"tier": {"$in": list(self._tiers)}}))

    async def _all(self, user_id: str, name: str, records: TypeAdapter[list[R]]) -> list[R]:
        found: list[R] = []
        async for page in self._pages(user_id, name):
            found += await asyncio.to_thread(records.validate_python, page)
        return found

    async def _among(
        self, user_id: str, name: str, model: type[R], field: str, values: Sequence[str], also: Json | None = None
    ) -> list[R]:
        """Records whose ``field`` has one of the ``values``; these may be many."""
        found: list[R] = []
        for batch in batches(values, BATCH):
            which = {field: {"$in": batch}, **(also or {})}
            found += await records_of(self._truth, user_id, name, model).find(which)
        return found

    def _pages(
        self, user_id: str, name: str, which: Filter | None = None, fields: Sequence[str] | None = None
    ) -> AsyncIterator[list[Json]]:
        return pages(self._collection(user_id, name), PAGE, which, fields=fields)

    def _collection(self, user_id: str, name: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(name)


def fingerprint(text: str) -> str:
    """A hash of the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _source(row: Json, tier: Tier) -> Source:
    conversation, document = lookup(row, "source.conversation_id"), row.get("document_id")
    return Source(
        item_id=str(row["_id"]),
        tier=tier,
        document_id=str(document) if document else None,
        conversation_id=str(conversation) if conversation else None,
        quality=_product(row.get("quality")) if tier == "memory_bank" else None,
        created_at=number_at(row, "timestamps.created_at"),
        updated_at=number_at(row, "timestamps.updated_at"),
    )


def _product(quality: object) -> float:
    """Importance × confidence."""
    if not isinstance(quality, dict):
        return 0.25
    importance, confidence = quality.get("importance", 0.5), quality.get("confidence", 0.5)
    return float(importance) * float(confidence)
