"""Tests that the record of known context holds only what a model was shown."""

from __future__ import annotations

from datetime import UTC, datetime

from core.graph.answering.prompt import fit_memories
from core.graph.memory.meta import shown_meta
from core.language.tokens import count_tokens
from core.records.memory_meta import (
    KnownContext,
    KnownContextItem,
    MemoryMeta,
    PositionedMemory,
    RetrievalMeta,
    SearchPositionMap,
    TierPosition,
)

TEXT = (
    "Known context:\n  • Ada audits vendors.\n\n<memory_context>\n\n[M1] (history, today)\nRent was 5.\n\n"
    "[M2] (history, today)\nRent was 6.\n</memory_context>"
)


def meta() -> MemoryMeta:
    said = {"fact": "Ada audits vendors.", "first": "Rent was 5.", "second": "Rent was 6."}
    at = {"first": TierPosition(position=1, tier="history"), "second": TierPosition(position=2, tier="history")}
    return MemoryMeta(
        conversation_id="c", assistant_message_id="a", user_id="ada", created_at=datetime.now(UTC),
        retrieval=RetrievalMeta(
            query="q",
            limit=5, tiers_considered=["history"], tiers_used=["history"], search_position_map=SearchPositionMap(
                by_position=[PositionedMemory(position=n.position, tier=n.tier, memory_id=id) for id, n in at.items()],
                by_memory_id=at,
            ),
        ),
        known_context=KnownContext(
            known_context_text=TEXT,
            known_context_items=[
                KnownContextItem(tier="history", memory_id=id, content=text) for id, text in said.items()
            ],
        ),
    )  # fmt: skip


def test_a_memory_that_did_not_fit_is_not_counted() -> None:
    fitting = fit_memories(TEXT, count_tokens(TEXT) - 5)
    assert fitting.dropped == 1
    shown = shown_meta(meta(), fitting.text).known_context
    assert [each.memory_id for each in shown.known_context_items] == ["fact", "first"]
    assert shown.known_context_text == fitting.text
    assert shown_meta(meta(), "").known_context == KnownContext()
