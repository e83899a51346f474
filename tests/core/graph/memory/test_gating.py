"""Tests which memories an answer may mention although the question does not ask for them."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

from core.graph.memory.gating import FAIR, memories_to_state
from core.records.memory_meta import KnownContext, KnownContextItem, MemoryMeta


def meta() -> MemoryMeta:
    sure = {"strength": FAIR, "score": 0.9}
    items = [
        KnownContextItem(tier="memory_bank", memory_id="kept", content="Ada audits vendors.", score_summary=sure),
        KnownContextItem(tier="history", memory_id="earlier", content="User: x\nAssistant: y", score_summary=sure),
        KnownContextItem(tier="history", memory_id="weak", content="z", score_summary={"strength": 0.1, "score": 0.9}),
    ]
    made = SimpleNamespace(known_context=KnownContext(known_context_items=items), created_at=datetime.now(UTC))
    return cast("MemoryMeta", made)


def test_what_is_sure_is_told_of_earlier_conversations_too() -> None:
    assert [each.memory_id for each in memories_to_state(meta(), current_only=False)] == ["kept", "earlier"]


def test_whoever_speaks_of_this_conversation_alone_tells_what_was_kept_and_no_earlier_one() -> None:
    assert [each.memory_id for each in memories_to_state(meta(), current_only=True)] == ["kept"]
