"""What a model has said of a document and its passages, kept so that reading it again asks nothing."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence

from core.clock import Clock
from core.errors import explain
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

log = logging.getLogger(__name__)

CACHE = "context_cache"
DAY = 86_400.0


class ContextCache:
    """Each user's own, by model, rules, title, sections and text; for ``days`` after the last use. A cache that fails
    is passed by."""

    def __init__(self, truth: Truth, clock: Clock, days: float) -> None:
        self._truth = truth
        self._clock = clock
        self._seconds = days * DAY

    async def ensure(self) -> None:
        await self._truth.collection(CACHE).ensure(sort=[Sorted(("used_at",)), Sorted(("user_id", "document_id"))])

    async def recall(self, user_id: str, model: str, items: Sequence[MemoryItem]) -> dict[str, str]:
        """Item id → context, of those that are known; they are the document's from now on that ``items`` belong to."""
        keys = {item.id: _item_key(user_id, model, item) for item in items}
        try:
            rows = await self._collection(user_id).find({"_id": {"$in": sorted(set(keys.values()))}})
        except Exception as error:
            log.warning("the context cache could not be read: %s", explain(error).category)
            return {}
        oldest = self._clock() - self._seconds
        known = {str(row["_id"]): str(row["context"]) for row in rows if _used_at(row) >= oldest}
        found = {item.id: known[keys[item.id]] for item in items if keys[item.id] in known}
        await self.remember(user_id, model, items, found)
        return found

    async def remember(
        self, user_id: str, model: str, items: Sequence[MemoryItem], contexts: Mapping[str, str]
    ) -> None:
        """``contexts`` by item id."""
        now = self._clock()
        rows: dict[str, Json] = {}
        for item in items:
            if item.id in contexts:
                key = _item_key(user_id, model, item)
                rows[key] = {"_id": key, "document_id": item.document_id, "context": contexts[item.id], "used_at": now}
        if not rows:
            return
        try:
            await self._collection(user_id).upsert_many(list(rows.values()))
        except Exception as error:
            log.warning("the context cache could not be written: %s", explain(error).category)

    async def recall_answer(self, user_id: str, document_id: str, model: str, question: str) -> str | None:
        """What ``model`` has answered to ``question``; it is this document's from now on."""
        try:
            row = await self._collection(user_id).get(_key_of(user_id, model, "question", question))
        except Exception as error:
            log.warning("the context cache could not be read: %s", explain(error).category)
            return None
        if row is None or _used_at(row) < self._clock() - self._seconds:
            return None
        answer = str(row["context"])
        await self.remember_answer(user_id, document_id, model, question, answer)
        return answer

    async def remember_answer(self, user_id: str, document_id: str, model: str, question: str, answer: str) -> None:
        key = _key_of(user_id, model, "question", question)
        row: Json = {"_id": key, "document_id": document_id, "context": answer, "used_at": self._clock()}
        try:
            await self._collection(user_id).upsert(row)
        except Exception as error:
            log.warning("the context cache could not be written: %s", explain(error).category)

    async def purge(self) -> int:
        """Delete what nobody used for too long, of all users (maintenance); how many went."""
        return await self._truth.collection(CACHE).delete({"used_at": {"$lt": self._clock() - self._seconds}})

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
