from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.memory.outcomes.tier_routing import concepts_of
from core.records.memory_meta import ActiveConcept, ContextInsightsMeta, KnownContext, MemoryMeta, RetrievalMeta
from viz.known_context import known_context


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which policies bind the agencies?", ["policies", "bind", "agencies"]),
        ("What is the policy's limit?", ["policy&#39;s", "limit"]),
        ("What is the agency’s limit?", ["agency", "limit"]),
        ("אילו נהלים מחייבים?", ["נהלים", "מחייבים"]),
    ],
)
def test_what_a_question_is_about_is_shown_in_its_own_words(question: str, words: list[str]) -> None:
    meta = MemoryMeta(
        conversation_id="conv_1",
        assistant_message_id="msg_1",
        user_id="ada",
        created_at=datetime(2026, 11, 21, tzinfo=UTC),
        retrieval=RetrievalMeta(query=question, limit=5, tiers_considered=["working"], tiers_used=[]),
        known_context=KnownContext(known_context_text=""),
        context_insights=ContextInsightsMeta(
            active_concepts=[ActiveConcept(concept=concept) for concept in concepts_of(question)]
        ),
    )
    html = str(known_context(meta, {}, "en"))
    assert [f"<bdi>{word}</bdi>" in html for word in words] == [True] * len(words)
    assert html.count("data-concept") == len(words)
