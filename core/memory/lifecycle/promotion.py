"""Promotes memories: makes all automatic changes of tier or status (docs/specification.md, "Promotion").

A decision depends only on the record and the time. The transition is written before the item changes, under an id
derived from the item and its version. So the next run finishes what a crash interrupted, and a repeated run changes
nothing. An item that was archived here and is active again was restored by a user, and stays.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from pydantic import BaseModel

from core.clock import Clock
from core.ids import id_of, new_id
from core.memory.items.making import expiry_of, rise_of
from core.memory.items.reading import ITEMS
from core.memory.items.records import TRANSITIONS, PromotionReport, Reason, Transition
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.rewriting import Rewriting
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.holding import Holder
from core.store.items import SCORED, MemoryItem, Status
from core.store.scope import ScopedTruth
from core.store.truth import Change, Filter, Json, Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

log = logging.getLogger(__name__)

LEASES = "memory_promotion"
LEASE_SECONDS = 20.0
PAGE = 256
INTERRUPTED: Filter = {"done": False, "reason": {"$ne": "person"}}
"""Transitions that were decided but may not have been carried out."""


class _Decision(BaseModel):
    tier: Tier
    status: Status = "active"
    reason: Reason


@dataclass
class Promotion:
    """Runs promotion. ``owner`` identifies this process among those that share the record store; without ``rewriting``
    no memory is reworded."""

    _truth: Truth
    _items: MemoryItems
    _clock: Clock
    _settings: Memory
    _owner: str = field(default_factory=lambda: new_id("owner"))
    _rewriting: Rewriting | None = None
    _lease: float = LEASE_SECONDS

    def __post_init__(self) -> None:
        self._holder = Holder(self._owner, self._lease, self._clock)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ensure(self) -> None:
        await self._truth.collection(ITEMS).ensure(
            sort=[
                Sorted(("user_id", "tier", "status", "stats.score")),
                Sorted(("user_id", "tier", "status", "timestamps.expires_at")),
            ]
        )
        await self._truth.collection(TRANSITIONS).ensure(
            sort=[Sorted(("user_id", "at")), Sorted(("user_id", "memory_id", "at")), Sorted(("user_id", "done"))]
        )

    async def run_all(self) -> list[PromotionReport]:
        """Run for all users who may have something due (maintenance); one user's failure does not delay others."""
        reports = []
        for user_id in sorted(await self._with_something_due()):
            try:
                reports.append(await self.run(user_id))
            except Exception:
                log.exception("memories of one user wait for the next run")
        return reports

    async def _with_something_due(self) -> set[str]:
        """Users for whom something is due, found by one query over all users because usually only a few have anything
        due."""
        items, now = self._truth.collection(ITEMS), self._clock()
        either = [filter_ for tier in SCORED for filter_ in maybe_due(tier, now, self._settings)]
        due = await items.count_by("user_id", {"tier": {"$in": list(SCORED)}, "status": "active", "$or": either})
        banks = await items.count_by("user_id", {"tier": "memory_bank", "status": "active"})
        full = {user_id for user_id, count in banks.items() if count > self._settings.bank_capacity}
        return {*due, *full, *await self._truth.collection(TRANSITIONS).count_by("user_id", INTERRUPTED)}

    async def run(self, user_id: str) -> PromotionReport:
        """Promote, expire and archive what is due for a user; only one call runs at a time in this process."""
        async with self._turns.setdefault(user_id, asyncio.Lock()):
            return await self._run(user_id)

    async def _run(self, user_id: str) -> PromotionReport:
        async with self._hold(user_id) as held:
            if held:
                report = PromotionReport()
                await self._finish_interrupted(user_id)
                await self._each_maybe_due(user_id, report, self._consider)
                await self._capacity(user_id, report)
                return report
        return PromotionReport(busy=True)

    async def take_over(self) -> list[PromotionReport]:
        """Continue runs that were interrupted by a process crash (maintenance)."""
        left = await self._truth.collection(LEASES).find(self._holder.left(), fields=["user_id"])
        return [await self.run(str(row["user_id"])) for row in left]

    async def due(self, user_id: str) -> PromotionReport:
        """What ``run`` would do now, without changes. Items that a model would reword are reported as archived."""
        report = PromotionReport()
        await self._each_maybe_due(user_id, report, self._foresee)
        over, weakest = await self._beyond_capacity(user_id)
        for item in weakest[: max(0, over)]:
            decision = _Decision(tier=item.tier, status="archived", reason="capacity")
            report.transitions.append(self._transition(item, decision))
        return report

    async def _foresee(self, item: MemoryItem, report: PromotionReport) -> None:
        known = {each.id for each in report.transitions}
        while decision := decide(item, self._clock(), self._settings):
            transition = self._transition(item, decision)
            if transition.id in known or (decision.status == "archived" and await self._brought_back(item)):
                return
            report.transitions.append(transition)
            if decision.status == "archived":
                return
            expires = expiry_of(decision.tier, self._clock(), self._settings)
            times = item.timestamps.model_copy(update={"expires_at": expires})
            item = item.model_copy(update={"tier": decision.tier, "version": item.version + 1, "timestamps": times})

    async def transitions(self, user_id: str, limit: int = 1_000, memory_id: str | None = None) -> list[Transition]:
        """The newest transitions first; of one memory, or of all."""
        wanted = {"memory_id": memory_id} if memory_id else None
        return await self._events(user_id).find(wanted, sort=[("at", -1), ("version", -1)], limit=limit)

    async def _each_maybe_due(
        self, user_id: str, report: PromotionReport, act: Callable[[MemoryItem, PromotionReport], Awaitable[None]]
    ) -> None:
        """Call ``act`` for each item that may be due, in pages by id, so that each item is seen once."""
        for filter_ in (each for tier in SCORED for each in maybe_due(tier, self._clock(), self._settings)):
            last: MemoryItem | None = None
            while page := await self._items.find(user_id, {**filter_, "status": "active"}, limit=PAGE, after=last):
                last = page[-1]
                report.checked += len(page)
                for item in page:
                    await act(item, report)

    async def _consider(self, item: MemoryItem, report: PromotionReport) -> None:
        decision = decide(item, self._clock(), self._settings)
        if decision is None or (decision.status == "archived" and await self._brought_back(item)):
            return
        if decision.reason == "garbage" and await self._rewritten(item, report):
            return
        transition = await self._go(item, decision)
        if transition:
            report.transitions.append(transition)
            if decision.reason == "promoted":
                for now in await self._items.find(item.user_id, {"_id": item.id, "status": "active"}):
                    await self._consider(now, report)

    async def _brought_back(self, item: MemoryItem) -> bool:
        """Whether promotion archived the item earlier and a user has made it active again."""
        last = await self._events(item.user_id).first({"memory_id": item.id}, sort=[("at", -1), ("version", -1)])
        return last is not None and last.to_status == "archived"

    async def _rewritten(self, item: MemoryItem, report: PromotionReport) -> bool:
        """Let a model reword a failing memory, once; its lifetime starts again."""
        events = self._events(item.user_id)
        if self._rewriting is None or await events.rows.count({"memory_id": item.id, "reason": "rewritten"}):
            return False
        text = await self._rewriting.wording(item)
        if text is None:
            return False
        transition = self._transition(item, _Decision(tier=item.tier, reason="rewritten"))
        await self._events(item.user_id).put(transition)
        expires = expiry_of(item.tier, transition.at, self._settings)
        if not await self._rewriting.replace(item, text, expires):
            await events.rows.delete({"_id": transition.id})
            return True
        await self._rewriting.forget(item.user_id, item.id, transition.at)
        await self._done(transition)
        report.transitions.append(transition)
        return True

    async def _capacity(self, user_id: str, report: PromotionReport) -> None:
        """Enforce the bank's capacity: the least valuable facts are archived, except pinned ones and those that a user
        restored."""
        over, weakest = await self._beyond_capacity(user_id)
        for item in weakest:
            if over <= 0:
                return
            decision = _Decision(tier=item.tier, status="archived", reason="capacity")
            if not await self._brought_back(item) and (transition := await self._go(item, decision)):
                report.transitions.append(transition)
                over -= 1

    async def _beyond_capacity(self, user_id: str) -> tuple[int, list[MemoryItem]]:
        """The number of facts above the capacity, and the facts that may be archived, least valuable first."""
        active: Filter = {"tier": "memory_bank", "status": "active"}
        over = await self._items.count(user_id, active) - self._settings.bank_capacity
        weakest = await self._items.find(user_id, {**active, "always_inject": False}) if over > 0 else []
        return over, sorted(weakest, key=_retention_rank)

    async def _go(self, item: MemoryItem, decision: _Decision) -> Transition | None:
        transition = self._transition(item, decision)
        await self._events(item.user_id).put(transition)
        return transition if await self._carry_out(transition, item.version) else None

    async def _carry_out(self, transition: Transition, version: int) -> bool:
        fields: Json = {"tier": transition.to_tier, "status": transition.to_status}
        if transition.to_status == "archived":
            fields["timestamps.archived_at"] = transition.at
        else:
            fields["timestamps.expires_at"] = expiry_of(transition.to_tier, transition.at, self._settings)
        where = {"tier": transition.from_tier, "status": transition.from_status}
        changed = await self._items.change(
            transition.user_id, transition.memory_id, Change(set=fields), if_version=version, where=where
        )
        if changed is None:
            # Another writer changed the item first, so this transition did not happen; the next run looks at it again.
            await self._events(transition.user_id).rows.delete({"_id": transition.id})
            return False
        await self._done(transition)
        return True

    async def _finish_interrupted(self, user_id: str) -> None:
        """Carry out decisions from before a crash, or discard them if the item has changed."""
        for transition in await self._events(user_id).find(INTERRUPTED, sort=[("at", 1)]):
            found = await self._items.find(user_id, {"_id": transition.memory_id})
            if found and await self._happened(transition, found[0]):
                await self._done(transition)
            elif found and found[0].version == transition.version and transition.reason != "rewritten":
                await self._carry_out(transition, transition.version)
            else:
                await self._events(user_id).rows.delete({"_id": transition.id})

    async def _happened(self, transition: Transition, item: MemoryItem) -> bool:
        if transition.reason != "rewritten":
            return (item.tier, item.status) == (transition.to_tier, transition.to_status)
        if transition.id == self._transition(item, _Decision(tier=item.tier, reason="rewritten")).id:
            return False
        if self._rewriting:
            await self._rewriting.forget(item.user_id, item.id, transition.at)
        return True

    def _transition(self, item: MemoryItem, decision: _Decision) -> Transition:
        number = item.versioning.current_version if decision.reason == "rewritten" else item.version
        return Transition(
            id=id_of("move", item.id, number, decision.reason),
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
        )

    async def _done(self, transition: Transition) -> None:
        await self._events(transition.user_id).update(transition.id, Change(set={"done": True}))

    def _hold(self, user_id: str) -> AbstractAsyncContextManager[bool]:
        leases = ScopedTruth(self._truth, user_id).collection(LEASES)
        return self._holder.holding(leases, id_of("prom", user_id))

    def _events(self, user_id: str) -> TypedCollection[Transition]:
        return records_of(self._truth, user_id, TRANSITIONS, Transition)


def maybe_due(tier: Tier, now: float, settings: Memory) -> list[Filter]:
    """Filters that together find every item on which :func:`decide` may act, and few others. There is one filter per
    reason, because each can then use a database index. Stored scores are rounded to 3 places, so the filters' limits
    are slightly lower."""
    due: list[Filter] = [
        {"tier": tier, "stats.score": {"$lt": settings.archive_below}},
        {"tier": tier, "timestamps.expires_at": {"$lte": now}},
    ]
    if rise := rise_of(tier, settings):
        due.append({"tier": tier, "stats.score": {"$gte": rise.score - 0.001}, "stats.uses": {"$gte": rise.uses}})
    return due


def decide(item: MemoryItem, now: float, settings: Memory) -> _Decision | None:
    """The transition that is due for one item; ``None`` if none is."""
    score, uses = round(item.stats.score, 3), item.stats.uses
    proven = score >= settings.history_score and uses >= settings.history_uses
    rise = rise_of(item.tier, settings)
    if rise and score >= rise.score and uses >= rise.uses:
        return _Decision(tier=rise.tier, reason="promoted")
    expires = item.timestamps.expires_at
    if expires is not None and expires <= now and not (item.tier == "history" and proven):
        return _Decision(tier=item.tier, status="archived", reason="expired")
    if score < settings.archive_below:
        return _Decision(tier=item.tier, status="archived", reason="garbage")
    return None


def _retention_rank(item: MemoryItem) -> tuple[float, int, float, str]:
    quality = item.quality
    return (
        quality.quality_score if quality else 0.0,
        quality.mentioned_count if quality else 0,
        item.stats.last_used_at or item.timestamps.updated_at,
        item.id,
    )
