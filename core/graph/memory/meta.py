"""Builds the record of what the memory contributed to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from core.events import Response, Source
from core.graph.state import State
from core.memory.items.reasons import FailureReason
from core.memory.recall.records import RECALLED, Insights, MemoryHit, PastFailure, Prefetch
from core.records.memory_meta import (
    MOST_CITATIONS,
    MOST_CONCEPTS,
    MOST_KNOWN,
    ActiveConcept,
    CitedMemory,
    ContextInsightsMeta,
    Debug,
    FailedBefore,
    FeedbackMeta,
    KnownContext,
    KnownContextItem,
    MemoryMeta,
    PositionedMemory,
    RetrievalMeta,
    SearchPositionMap,
    TierPosition,
    TierRecommendation,
)
from core.store.items import MemoryItem

MOST_RESULTS = 50


def recalled_meta(found: Prefetch, state: State, message_id: str, now: float) -> MemoryMeta:
    """Returns the record before the answer."""
    positions = [PositionedMemory(position=hit.position, tier=hit.tier, memory_id=hit.memory_id) for hit in found.hits]
    return MemoryMeta(
        conversation_id=state["asked"].conversation_id,
        assistant_message_id=message_id,
        user_id=state["asked"].user_id,
        created_at=datetime.fromtimestamp(now, UTC),
        context_type=found.insights.context_type,
        retrieval=RetrievalMeta(
            query=state["asked"].text,
            limit=min(MOST_RESULTS, max(1, len(found.search.hits))),
            tiers_considered=list(RECALLED),
            tiers_used=list(dict.fromkeys(each.tier for each in positions)),
            search_position_map=SearchPositionMap(
                by_position=positions,
                by_memory_id={
                    each.memory_id: TierPosition(position=each.position, tier=each.tier) for each in positions
                },
            ),
        ),
        known_context=KnownContext(known_context_text=found.block, known_context_items=_known_context(found)),
        context_insights=_insights(found.insights),
        debug=Debug(
            retrieval_confidence=found.confidence if found.confidence != "none" else "low",
            fallbacks_used=[words.to(state["asked"].language) for words in found.search.record.skipped],
            stage_timings_ms={stage.name: stage.milliseconds for stage in found.search.record.stages},
        ),
    )


def shown_meta(meta: MemoryMeta, text: str) -> MemoryMeta:
    """Returns the record with only the memories that a model was shown in ``text``; others did not fit its prompt."""
    at = meta.retrieval.search_position_map.by_memory_id
    words = " ".join(text.split())

    def is_shown(item: KnownContextItem) -> bool:
        is_numbered = item.memory_id in at and f"[M{at[item.memory_id].position}]" in words
        return is_numbered or " ".join(item.content.split()) in words

    items = [item for item in meta.known_context.known_context_items if is_shown(item)]
    return meta.model_copy(update={"known_context": KnownContext(known_context_text=text, known_context_items=items)})


def answered_meta(
    meta: MemoryMeta, response: Response, sources: Sequence[Source], passages: Sequence[str], used: Sequence[str]
) -> MemoryMeta:
    """Returns the record with the answer's evidence added."""
    at = meta.retrieval.search_position_map.by_memory_id
    documents = {passage.item_id: source.document_id for source in sources for passage in source.passages}
    cited = [
        CitedMemory(tier="books", memory_id=each, doc_id=documents.get(each), chunk_id=each) for each in passages
    ] + [CitedMemory(tier=at[each].tier, memory_id=each) for each in used if each in at]
    eligible = response.kind != "told"
    return meta.model_copy(
        update={
            "citations": cited[:MOST_CITATIONS],
            "feedback": FeedbackMeta(
                eligible=eligible,
                eligible_reason="completed" if eligible else "nothing was answered from documents or memory",
                default_related_positions=sorted(at[each].position for each in used if each in at),
            ),
        }
    )


def _known_context(found: Prefetch) -> list[KnownContextItem]:
    """Returns facts first, then other memories, without duplicates."""
    hits = {hit.memory_id: hit for hit in found.hits}
    facts = {item.id: item for item in [*found.cold, *found.known]}
    items = {**facts, **{hit.memory_id: hit.item for hit in found.hits}}
    failed = {each.memory_id: each for each in found.insights.failures}
    return [_item(each, hits.get(each.id), failed.get(each.id)) for each in items.values()][:MOST_KNOWN]


def _item(item: MemoryItem, hit: MemoryHit | None, failed: PastFailure | None) -> KnownContextItem:
    scores = {"strength": hit.strength} if hit else {}
    return KnownContextItem(
        tier=item.tier,
        memory_id=item.id,
        content=item.text,
        doc_id=item.document_id,
        score_summary={**scores, "score": item.stats.score},
        failed_before=_failed(failed) if failed else None,
    )


def _failed(failed: PastFailure) -> FailedBefore:
    why = failed.why or FailureReason()
    at = datetime.fromtimestamp(failed.at, UTC)
    return FailedBefore(at=at, question=failed.question, reason=why.reason, words=why.words)


def _insights(insights: Insights) -> ContextInsightsMeta:
    best = insights.recommendations[0] if insights.recommendations else None
    return ContextInsightsMeta(
        matched_concepts=insights.concepts,
        active_concepts=[
            ActiveConcept(
                concept=concept,
                best_collection=best.tier if best else None,
                success_rate=best.success_rate if best else None,
                usage_count=best.uses if best else None,
            )
            for concept in insights.concepts[:MOST_CONCEPTS]
        ],
        tier_recommendations=[
            TierRecommendation(tier=each.tier, success_rate=each.success_rate, usage_count=each.uses)
            for each in insights.recommendations
        ],
        you_already_know=insights.facts,
        directives=[f"avoid: {each.preview} (failed before: {each.told})" for each in insights.failures],
    )
