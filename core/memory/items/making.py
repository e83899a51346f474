"""Makes an item from a new memory (docs/specification.md, "Promotion")."""

from __future__ import annotations

from typing import NamedTuple

from core.clock import DAY, HOUR
from core.memory.items.problem_signature import signature
from core.memory.items.records import NewMemory
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.items import MEMORY, Exchange, ItemSource, MemoryItem, Outcome, Place, Stats, Timestamps

INITIAL: dict[Outcome, float] = {"worked": 0.7, "failed": 0.2, "partial": 0.55, "unknown": 0.5}
"""The initial score of a takeaway (a model's note on an answer)."""


def takeaway_of(text: str, outcome: Outcome, conversation_id: str | None, message_id: str) -> NewMemory:
    """The text of a takeaway: a model's note on what can be learned from an answer."""
    return NewMemory(
        tier="working",
        kind="takeaway",
        text=text,
        initial_score=INITIAL[outcome],
        conversation_id=conversation_id,
        message_id=message_id,
    )


def lifetime(tier: Tier, settings: Memory) -> float | None:
    """Seconds after which a memory of this tier expires; ``None`` if it does not."""
    return {"working": settings.working_hours * HOUR, "history": settings.history_days * DAY}.get(tier)


def expiry_of(tier: Tier, since: float, settings: Memory) -> float | None:
    """When a memory expires that entered this tier at ``since``."""
    seconds = lifetime(tier, settings)
    return since + seconds if seconds else None


class Rise(NamedTuple):
    """The conditions for promotion to the next tier."""

    tier: Tier
    score: float
    uses: int


def rise_of(tier: Tier, settings: Memory) -> Rise | None:
    """The tier's conditions for promotion; ``None`` if there is no next tier."""
    if tier == "working":
        return Rise("history", settings.history_score, settings.history_uses)
    return Rise("patterns", settings.patterns_score, settings.patterns_uses) if tier == "history" else None


def item_of(user_id: str, identifier: str, new: NewMemory, now: float, settings: Memory) -> MemoryItem:
    """The record of ``new``; a memory without a given position becomes an episode with one item."""
    return MemoryItem(
        id=identifier,
        user_id=user_id,
        tier=new.tier,
        kind=new.kind,
        tags=list(dict.fromkeys(new.tags)),
        always_inject=new.always_inject,
        text=new.text,
        summary=new.summary,
        entities=new.entities,
        scope=MEMORY,
        source=ItemSource(
            type="assistant" if new.kind in ("exchange", "takeaway") else "user",
            conversation_id=new.conversation_id,
            message_id=new.message_id,
        ),
        quality=new.quality,
        stats=Stats(initial_score=new.initial_score, score=new.initial_score),
        timestamps=Timestamps(created_at=now, updated_at=now, expires_at=expiry_of(new.tier, now, settings)),
        place=new.place if new.place.episode else Place(episode=new.conversation_id),
        exchange=_exchange(new),
    )


def _exchange(new: NewMemory) -> Exchange | None:
    if new.question is None:
        return None
    return Exchange(
        question=new.question,
        answer=new.answer or "",
        signature=signature(new.question),
        memory_ids=new.memory_ids,
        tools=new.tools,
    )
