"""Retrieval first: whether the memory is sure enough that no search, or no further one, is worth its time."""

from __future__ import annotations

from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.vocabulary import pattern_of
from core.records.memory_meta import KnownContextItem, MemoryMeta

SURE = 0.7
"""Strength for this question from which a memory speaks for itself, and outcome score from which it has proved
itself."""
FAIR = 0.5
"""Strength from which it is shown where the documents are silent."""


COVERING = 0.8
"""Share of the question's words that a memory holds which answers it alone: what is near in meaning may be about
something else."""
FROM_MEMORY = "memory"
"""What a person takes off who wants the documents searched instead."""
_ANEW = pattern_of("graph/memory.anew")


def knows(meta: MemoryMeta | None) -> bool:
    """Whether something in the memory speaks for itself."""
    if meta is None or meta.debug.retrieval_confidence != "high":
        return False
    return bool(reliable_memories(meta, SURE))


def answering_memories(question: str, meta: MemoryMeta | None) -> list[KnownContextItem]:
    """What answers the question alone: sure, covering its words, and not known to have failed; nothing where the
    question asks for a search, or for what is so now."""
    if meta is None or _ANEW.search(question) or not knows(meta):
        return []
    terms = content_terms(question)
    sure = [each for each in reliable_memories(meta, SURE) if each.failed_before is None]
    return [each for each in sure if _share(terms, each.content) >= COVERING]


def reliable_memories(meta: MemoryMeta, least: float) -> list[KnownContextItem]:
    """What is close to the question by ``least`` and has proved itself; facts of the bank need not."""
    return [item for item in meta.known_context.known_context_items if _speaks(item, least)]


def memories_to_state(meta: MemoryMeta, current_only: bool) -> list[KnownContextItem]:
    """What is told where the documents are silent; with ``current_only`` nothing of earlier conversations: what a
    person had kept is no conversation."""
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
    """A memory as one quotation; of an exchange what was answered."""
    _, mark, answer = content.partition("\nAssistant: ")
    return " ".join((answer if mark else content).split())
