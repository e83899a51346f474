"""Replays the log of tier changes, to compute each memory's tier and status from it."""

from __future__ import annotations

from collections.abc import Iterable

from core.memory.items.records import Transition
from core.records.memory_meta import Tier
from core.store.items import Status


def replay(transitions: Iterable[Transition]) -> dict[str, tuple[Tier, Status]]:
    ordered = sorted(transitions, key=lambda each: (each.at, each.version, each.id))
    return {each.memory_id: (each.to_tier, each.to_status) for each in ordered if each.reason != "rewritten"}
