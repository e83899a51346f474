"""When the time of a memory is over."""

from __future__ import annotations

from core.setting_groups import Memory
from core.store.truth import Filter


def unexpired(now: float, settings: Memory) -> Filter:
    """Memories that may be read at ``now``: what has proved itself in history is kept beyond its time."""
    proven = {
        "tier": "history",
        "stats.score": {"$gte": settings.history_score},
        "stats.uses": {"$gte": settings.history_uses},
    }
    return {"$or": [{"timestamps.expires_at": None}, {"timestamps.expires_at": {"$gt": now}}, proven]}
