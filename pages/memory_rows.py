"""Converts memories to the data that pages and endpoints return, with full texts."""

from __future__ import annotations

from collections.abc import Callable

from core.memory.items.records import AnswerRecord, PromotionReport, VersionRecord, text_of
from core.memory.recall.records import MemoryHit, MemorySearchResult, ScoreParts
from core.memory.records import ConversationMemories, History
from core.records.findings import FINDINGS
from core.store.items import MemoryItem
from core.words import Language
from pages.actions import Reply
from viz.labels import label
from viz.plain import plain

TagOf = Callable[[str], str]
"""Finds the tag that a text would get in the memory bank."""


def segments(parts: ScoreParts) -> list[Reply]:
    """Splits a score into the positive or negative contribution of each step; they add up to ``final``.

    The fused score is divided between keyword and semantic search in proportion to their strengths, because it can be
    more than their sum.
    """
    dense, lexical = parts.dense or 0.0, parts.lexical
    share = dense / (dense + lexical) if dense + lexical else 0.0
    blended = parts.final / parts.authority if parts.authority else parts.weighed
    relevance = parts.fused + parts.company
    amounts = {
        "dense": share * parts.fused,
        "lexical": (1 - share) * parts.fused,
        "fusion": parts.company,
        "boosts": parts.similarity - relevance,
        "learned": parts.weighed - parts.similarity,
        "cross_encoder": blended - parts.weighed,
        "authority": parts.final - blended,
    }
    return [{"part": name, "amount": round(amount, 4)} for name, amount in amounts.items() if abs(amount) >= 0.0005]


def hit_row(hit: MemoryHit, language: Language, tag_of: TagOf) -> Reply:
    """A search hit with its explanation; ``pin``: the text that would be added to the memory bank."""
    return {
        **hit.model_dump(mode="json", exclude={"item", "preview"}),
        "segments": [*segments(hit.parts)],
        "kind": hit.item.kind,
        "taken_out": taken_out_row(hit.item, language),
        "created_at": hit.item.timestamps.created_at,
        "exchange": exchange_row(hit.item),
        "said": said_row(hit.item),
        "pin": None if hit.tier == "memory_bank" else pinned(hit.item, tag_of),
    }


def taken_out_row(item: MemoryItem, language: Language) -> Reply | None:
    """A finding that a model extracted from a book, with the labels of its kind and category."""
    if item.kind not in FINDINGS:
        return None
    category = label(f"category_{item.tags[0]}", language) if item.tags else None
    return {"kind": label(f"finding_{item.kind}", language), "category": category}


def pinned(item: MemoryItem, tag_of: TagOf) -> Reply:
    """The part of a memory that could become an entry of the memory bank. Of an exchange it is the answer, because the
    bank holds facts."""
    text = item.exchange.answer if item.exchange and item.exchange.answer else item.text
    return {"text": text, "tag": tag_of(text)}


def exchange_row(item: MemoryItem) -> Reply | None:
    """The question and the answer of an exchange, each with its text direction; ``None`` if the text is not an
    exchange."""
    said = item.exchange
    if said is None or item.text != text_of(said.question, said.answer):
        return None
    return {"question": said.question, "answer": said.answer}


def said_row(item: MemoryItem) -> Reply:
    """The memory for display: plain sentences without Markdown; ``question`` is set if it is an exchange."""
    exchange = exchange_row(item)
    if exchange is None:
        return {"question": None, "text": plain(item.text)}
    return {"question": exchange["question"], "text": plain(str(exchange["answer"]))}


def found_row(result: MemorySearchResult, hits: list[MemoryHit], language: Language, tag_of: TagOf) -> Reply:
    return {
        "hits": [hit_row(hit, language, tag_of) for hit in hits],
        "sort": result.sort_by,
        "skipped": [words.to(language) for words in result.record.skipped],
        "milliseconds": round(sum(stage.milliseconds for stage in result.record.stages), 1),
    }


def item_row(item: MemoryItem) -> Reply:
    """A memory as a row of a list."""
    quality = item.quality
    book = item.source.book
    return {
        "id": item.id,
        "tier": item.tier,
        "kind": item.kind,
        "status": item.status,
        "text": item.text,
        "exchange": exchange_row(item),
        "said": said_row(item),
        "title": book.title if book else None,
        "tags": [*item.tags],
        "score": quality.quality_score if quality else item.stats.score,
        "mentions": quality.mentioned_count if quality else 0,
        "uses": item.stats.uses,
        "last_outcome": item.stats.last_outcome,
        "created_at": item.timestamps.created_at,
        "updated_at": item.timestamps.updated_at,
        "expires_at": item.timestamps.expires_at,
        "always_inject": item.always_inject,
        "texts": item.versioning.current_version,
        "conversation_id": item.source.conversation_id,
        "version": item.version,
    }


def due_row(report: PromotionReport, items: list[MemoryItem]) -> Reply:
    """Memories that changed tier, or that would in a dry run, each with its text."""
    moving = {item.id: item for item in items}
    fields = {"memory_id", "from_tier", "to_tier", "to_status", "reason", "score", "uses"}
    return {
        "moves": [
            {**each.model_dump(mode="json", include=fields), **_words(moving.get(each.memory_id))}
            for each in report.transitions
        ],
        "checked": report.checked,
        "busy": report.busy,
    }


def _words(item: MemoryItem | None) -> Reply:
    if item is None:
        return {"text": None, "exchange": None, "said": None}
    return {"text": item.text, "exchange": exchange_row(item), "said": said_row(item)}


def version_row(version: VersionRecord) -> Reply:
    return {
        "id": version.id,
        "number": version.number,
        "text": version.archived_text,
        "at": version.archived_at,
        "reason": version.reason,
    }


def history_row(history: History) -> Reply:
    fields = {"at", "from_tier", "to_tier", "to_status", "reason", "score", "uses"}
    return {
        "memory_id": history.item.id,
        "versions": [version_row(each) for each in history.versions],
        "outcomes": [
            {
                "question": each.question,
                "outcome": each.outcome,
                "authority": each.authority,
                "at": each.at,
                "why": each.why.model_dump() if each.why else None,
            }
            for each in reversed(history.outcomes)
        ],
        "moves": [each.model_dump(mode="json", include=fields) for each in history.transitions],
    }


def left_row(left: ConversationMemories) -> Reply:
    return {
        "facts": [item_row(item) for item in left.facts],
        "said": [item_row(item) for item in left.exchanges],
        "asked": [asked_row(each) for each in left.asked],
    }


def asked_row(answer: AnswerRecord) -> Reply:
    return {
        "message_id": answer.id,
        "question": answer.question,
        "at": answer.created_at,
        "outcome": answer.outcome,
        "recalled": len(answer.positions),
        "concepts": [*answer.concepts],
    }
