"""Decides whether the memory is certain enough to answer without searching the documents or the web."""

from __future__ import annotations

from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.vocabulary import pattern_of
from core.records.memory_meta import KnownContextItem, MemoryMeta

SURE = 0.7
"""Minimum strength for this question, and minimum score from past outcomes, for a memory to be used without other
sources."""
FAIR = 0.5
"""Minimum strength for a memory to be shown if the documents have no answer."""


COVERING = 0.8
"""Minimum share of the question's words that a memory must contain to answer without other sources; a memory with a
similar embedding may still be about something else."""
FROM_MEMORY = "memory"
"""Key of the chip that the user removes to search the documents instead."""
_ANEW = pattern_of("graph/memory.anew")


def knows(meta: MemoryMeta | None) -> bool:
    """Returns whether a memory is certain enough to be used without other sources."""
    if meta is None or meta.debug.retrieval_confidence != "high":
        return False
    return bool(reliable_memories(meta, SURE))


def answering_memories(question: str, meta: MemoryMeta | None) -> list[KnownContextItem]:
    """Returns memories that answer the question without other sources: certain ones that contain its words and never
    failed to answer. Returns none if the question asks for a search or for current facts."""
    if meta is None or _ANEW.search(question) or not knows(meta):
        return []
    terms = content_terms(question)
    sure = [each for each in reliable_memories(meta, SURE) if each.failed_before is None]
    return [each for each in sure if _share(terms, each.content) >= COVERING]


def reliable_memories(meta: MemoryMeta, least: float) -> list[KnownContextItem]:
    """Returns memories with at least ``least`` strength for the question that have proven helpful; facts that the user
    had stored need no such proof."""
    return [item for item in meta.known_context.known_context_items if _speaks(item, least)]


def memories_to_state(meta: MemoryMeta, current_only: bool) -> list[KnownContextItem]:
    """Returns the memories to show if the documents have no answer. With ``current_only``, leaves out earlier
    conversations, but keeps facts that the user had stored."""
    known = reliable_memories(meta, FAIR)
    return [item for item in known if item.tier == "memory_bank"] if current_only else known


def _share(terms: list[str], content: str) -> float:
    text = fold(content)
    return sum(covers(term, text) for term in terms) / len(terms) if terms else 0.0


def _speaks(item: KnownContextItem, least: float) -> bool:
    scores = item.score_summary or {}
    proven = item.tier == "memory_bank" or scores.get("score", 0.0) >= SURE
    return proven and scores.get("strength", 0.0) >= least


def quoted(content: str) -> str:
    """Formats a memory as one quotation; of a past question and answer, only the answer."""
    _, mark, answer = content.partition("\nAssistant: ")
    return " ".join((answer if mark else content).split())
