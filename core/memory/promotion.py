"""Promotion: the one owner of every automatic change of tier or status [spec M10; 001 §3.7, §8].

What is decided depends on the record and the clock alone. The transition is written before the item changes, under an
id that follows from the item and its version, so a crash between the two is finished by the next run, and running
again changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Literal, Protocol
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel

from core.clock import Clock
from core.memory.exchange import lifetime
from core.memory.items import ITEMS, MemoryItems
from core.memory.records import Transition
from core.settings import Memory
from core.store.items import SCORED, MemoryItem, Status, Tier
from core.store.scope import ScopedTruth
from core.store.truth import Change, Collection, Json, Sorted, Truth

log = logging.getLogger(__name__)

TRANSITIONS = "memory_transitions"
LEASES = "memory_promotion"
LEASE_SECONDS = 120.0
PAGE = 256

Reason = Literal["promoted", "expired", "garbage", "capacity", "rewritten", "person"]


class Rewriter(Protocol):
    """A model that gives a failing memory one more chance."""

    async def rewrite(self, item: MemoryItem) -> str | None:
        """A better text, or ``None``."""


class PromotionReport(BaseModel):
    """``busy``: another process is at it."""

    transitions: list[Transition] = []
    checked: int = 0
    busy: bool = False

    def count(self, reason: Reason) -> int:
        return sum(each.reason == reason for each in self.transitions)


class _Decision(BaseModel):
    tier: Tier
    status: Status = "active"
    reason: Reason


class Promotion:
    def __init__(
        self,
        truth: Truth,
        items: MemoryItems,
        clock: Clock,
        settings: Memory,
        owner: str = "here",
        rewriter: Rewriter | None = None,
    ) -> None:
        self._truth = truth
        self._items = items
        self._clock = clock
        self._settings = settings
        self._owner = owner
        self._rewriter = rewriter

    async def ensure(self) -> None:
        await self._truth.collection(TRANSITIONS).ensure(sort=[Sorted(("user_id", "at")), Sorted(("memory_id", "at"))])

    async def run_all(self) -> list[PromotionReport]:
        """Every user's memories (maintenance)."""
        users = await self._truth.collection(ITEMS).count_by("user_id", {"tier": {"$ne": "books"}, "status": "active"})
        return [await self.run(user_id) for user_id in sorted(users)]

    async def run(self, user_id: str) -> PromotionReport:
        """Promote, expire and archive what is due."""
        if not await self._claim(user_id):
            return PromotionReport(busy=True)
        try:
            report = PromotionReport()
            await self._finish(user_id)
            for tier in SCORED:
                await self._tier(user_id, tier, report)
            await self._capacity(user_id, report)
            return report
        finally:
            await self._leases(user_id).update(self._lease_id(user_id), Change(set={"lease_until": 0.0}))

    async def transitions(self, user_id: str, limit: int = 1_000) -> list[Transition]:
        """The newest first."""
        rows = await self._events(user_id).find(sort=[("at", -1)], limit=limit)
        return [Transition.model_validate(row) for row in rows]

    async def _tier(self, user_id: str, tier: Tier, report: PromotionReport) -> None:
        """In order of time of birth, so that a promotion never shows an item twice in one run."""
        last: MemoryItem | None = None
        filter_: dict[str, object] = {"tier": tier, "status": "active"}
        while page := await self._items.find(
            user_id, filter_, sort=[("timestamps.created_at", 1)], limit=PAGE, after=last
        ):
            last = page[-1]
            report.checked += len(page)
            for item in page:
                await self._consider(item, report)

    async def _consider(self, item: MemoryItem, report: PromotionReport) -> None:
        decision = decide(item, self._clock(), self._settings)
        if decision is None:
            return
        if decision.reason == "garbage" and await self._rewritten(item, report):
            return
        transition = await self._go(item, decision)
        if transition:
            report.transitions.append(transition)
            if decision.reason == "promoted":
                now = await self._items.find(item.user_id, {"_id": item.id})
                await self._consider(now[0], report)

    async def _rewritten(self, item: MemoryItem, report: PromotionReport) -> bool:
        """One attempt, with a model, to make a failing memory worth keeping."""
        if self._rewriter is None or await self._events(item.user_id).count(
            {"memory_id": item.id, "reason": "rewritten"}
        ):
            return False
        try:
            text = await self._rewriter.rewrite(item)
        except Exception:
            log.warning("a failing memory was not rewritten", exc_info=True)
            text = None
        decision = _Decision(tier=item.tier, reason="rewritten")
        transition = self._transition(item, decision)
        await self._write(transition)
        report.transitions.append(transition)
        if not text or text == item.text:
            return False
        stats = item.stats.model_copy(update={"initial_score": self._settings.archive_below, "score": 0.5})
        await self._items.revise(item.model_copy(update={"text": text, "stats": stats}))
        return True

    async def _capacity(self, user_id: str, report: PromotionReport) -> None:
        """The bank holds so many; the least worth go, what is always injected stays."""
        filter_: dict[str, object] = {"tier": "memory_bank", "status": "active"}
        over = await self._items.count(user_id, filter_) - self._settings.bank_capacity
        if over <= 0:
            return
        held = await self._items.find(user_id, {**filter_, "always_inject": False})
        for item in sorted(held, key=_worth)[:over]:
            decision = _Decision(tier=item.tier, status="archived", reason="capacity")
            if transition := await self._go(item, decision):
                report.transitions.append(transition)

    async def _go(self, item: MemoryItem, decision: _Decision) -> Transition | None:
        transition = self._transition(item, decision)
        await self._write(transition)
        return transition if await self._carry_out(transition, item.version) else None

    async def _carry_out(self, transition: Transition, version: int) -> bool:
        seconds = lifetime(transition.to_tier, self._settings)
        fields: Json = {
            "tier": transition.to_tier,
            "status": transition.to_status,
            "timestamps.expires_at": transition.at + seconds if seconds else None,
        }
        if transition.to_status == "archived":
            fields |= {"timestamps.archived_at": transition.at}
            fields.pop("timestamps.expires_at")
        where = {"tier": transition.from_tier, "status": transition.from_status}
        changed = await self._items.change(
            transition.user_id, transition.memory_id, Change(set=fields), if_version=version, where=where
        )
        events = self._events(transition.user_id)
        if changed is None:
            # Somebody was quicker, so this did not happen; the next run looks at the item as it is then.
            await events.delete({"_id": transition.id})
            return False
        await events.update(transition.id, Change(set={"done": True}))
        return True

    async def _finish(self, user_id: str) -> None:
        """Carry out what was decided before a crash, or forget it when the item has moved on."""
        for row in await self._events(user_id).find({"done": False}):
            transition = Transition.model_validate(row)
            found = await self._items.find(user_id, {"_id": transition.memory_id})
            if found and (found[0].tier, found[0].status) == (transition.to_tier, transition.to_status):
                await self._events(user_id).update(transition.id, Change(set={"done": True}))
            elif found and found[0].version == transition.version:
                await self._carry_out(transition, transition.version)
            else:
                await self._events(user_id).delete({"_id": transition.id})

    def _transition(self, item: MemoryItem, decision: _Decision) -> Transition:
        return Transition(
            id=f"move_{uuid5(NAMESPACE_OID, f'{item.id}/{item.version}/{decision.reason}').hex}",
            user_id=item.user_id,
            memory_id=item.id,
            at=self._clock(),
            from_tier=item.tier,
            to_tier=decision.tier,
            from_status=item.status,
            to_status=decision.status,
            reason=decision.reason,
            score=item.stats.score,
            uses=item.stats.uses,
            version=item.version,
            done=decision.reason == "rewritten",
        )

    async def _write(self, transition: Transition) -> None:
        await self._events(transition.user_id).upsert(transition.model_dump(by_alias=True, mode="json"))

    async def _claim(self, user_id: str) -> bool:
        leases, identifier = self._leases(user_id), self._lease_id(user_id)
        if not await leases.get(identifier):
            await leases.upsert({"_id": identifier, "lease_owner": None, "lease_until": 0.0})
        claimed = await leases.claim({"_id": identifier}, owner=self._owner, seconds=LEASE_SECONDS, now=self._clock())
        return claimed is not None

    def _lease_id(self, user_id: str) -> str:
        return f"prom_{uuid5(NAMESPACE_OID, user_id).hex}"

    def _leases(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(LEASES)

    def _events(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(TRANSITIONS)


def decide(item: MemoryItem, now: float, settings: Memory) -> _Decision | None:
    """What is due for one item; ``None`` when it stays as it is."""
    score, uses = round(item.stats.score, 3), item.stats.uses
    proven = score >= settings.history_score and uses >= settings.history_uses
    if item.tier == "working" and proven:
        return _Decision(tier="history", reason="promoted")
    if item.tier == "history" and score >= settings.patterns_score and uses >= settings.patterns_uses:
        return _Decision(tier="patterns", reason="promoted")
    if score < settings.archive_below:
        return _Decision(tier=item.tier, status="archived", reason="garbage")
    expires = item.timestamps.expires_at
    if expires is not None and expires <= now and not (item.tier == "history" and proven):
        return _Decision(tier=item.tier, status="archived", reason="expired")
    return None


def replay(transitions: Iterable[Transition]) -> dict[str, tuple[Tier, Status]]:
    """Where each memory stands after these events."""
    ordered = sorted(transitions, key=lambda each: (each.at, each.version, each.id))
    return {each.memory_id: (each.to_tier, each.to_status) for each in ordered if each.reason != "rewritten"}


def _worth(item: MemoryItem) -> tuple[float, int, float, str]:
    quality = item.quality
    return (
        quality.quality_score if quality else 0.0,
        quality.mentioned_count if quality else 0,
        item.stats.last_used_at or item.timestamps.updated_at,
        item.id,
    )
