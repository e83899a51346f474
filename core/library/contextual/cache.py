"""Caches a model's answers about a document and its passages, so that reading it again needs no calls."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence

from core.clock import DAY, Clock
from core.errors import explain
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

log = logging.getLogger(__name__)

CACHE = "context_cache"


class ContextCache:
    """A separate cache for each user, keyed by model, rules, title, sections and text. Entries are kept for ``days``
    after the last use. If the cache fails, work continues without it."""

    def __init__(self, truth: Truth, clock: Clock, days: float) -> None:
        self._truth = truth
        self._clock = clock
        self._seconds = days * DAY

    async def ensure(self) -> None:
        await self._truth.collection(CACHE).ensure(sort=[Sorted(("used_at",)), Sorted(("user_id", "document_id"))])

    async def recall(self, user_id: str, model: str, items: Sequence[MemoryItem]) -> dict[str, str]:
        """Item id → context, for the contexts that are cached; from now on they belong to the document of ``items``."""
        keys = {item.id: _item_key(user_id, model, item) for item in items}
        known = await self._read(user_id, set(keys.values()))
        found = {id: known[key] for id, key in keys.items() if key in known}
        await self.remember(user_id, model, items, found)
        return found

    async def remember(
        self, user_id: str, model: str, items: Sequence[MemoryItem], contexts: Mapping[str, str]
    ) -> None:
        """Store ``contexts`` by item id."""
        given = [item for item in items if item.id in contexts]
        rows = {_item_key(user_id, model, item): (item.document_id, contexts[item.id]) for item in given}
        await self._write(user_id, rows)

    async def recall_answer(self, user_id: str, document_id: str, model: str, question: str) -> str | None:
        """The cached answer of ``model`` to ``question``; from now on it belongs to this document."""
        key = _key_of(user_id, model, "question", question)
        answer = (await self._read(user_id, {key})).get(key)
        if answer is not None:
            await self.remember_answer(user_id, document_id, model, question, answer)
        return answer

    async def remember_answer(self, user_id: str, document_id: str, model: str, question: str, answer: str) -> None:
        await self._write(user_id, {_key_of(user_id, model, "question", question): (document_id, answer)})

    async def purge(self) -> int:
        """Delete entries that were not used for too long, of all users (maintenance); returns how many."""
        return await self._truth.collection(CACHE).delete({"used_at": {"$lt": self._clock() - self._seconds}})

    async def _read(self, user_id: str, keys: Iterable[str]) -> dict[str, str]:
        """The cached entries by key, if they were used recently."""
        try:
            rows = await self._collection(user_id).find({"_id": {"$in": sorted(keys)}})
        except Exception as error:
            log.warning("the context cache could not be read: %s", explain(error).category)
            return {}
        oldest = self._clock() - self._seconds
        return {str(row["_id"]): str(row["context"]) for row in rows if _used_at(row) >= oldest}

    async def _write(self, user_id: str, contexts: Mapping[str, tuple[str | None, str]]) -> None:
        """Store entries by key, with their document and text."""
        now = self._clock()
        rows: list[Json] = [
            {"_id": key, "document_id": document_id, "context": context, "used_at": now}
            for key, (document_id, context) in contexts.items()
        ]
        try:
            if rows:
                await self._collection(user_id).upsert_many(rows)
        except Exception as error:
            log.warning("the context cache could not be written: %s", explain(error).category)

    def _collection(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(CACHE)


def _item_key(user_id: str, model: str, item: MemoryItem) -> str:
    book = item.source.book
    placed = [book.title, *book.path] if book else []
    return _key_of(user_id, model, item.tier, "\1".join(placed), item.text)


def _key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _used_at(row: Json) -> float:
    value = row.get("used_at")
    return float(value) if isinstance(value, int | float) else 0.0
