"""What remembered answers rest on: *memories* → the passages they used, and since when they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.memory.outcomes.question_similarity import Question, similarity
from core.memory.ranking.conditional import SAME
from core.store.items import MemoryItem


@dataclass(frozen=True)
class Grounds:
    """``since`` is when the oldest of the memories was written (epoch seconds); facts rest on no ``passages``."""

    passages: list[MemoryItem]
    since: float


def proven_for(question: str, memory: MemoryItem) -> bool:
    """Whether what became of a remembered answer says something of ``question``: outcomes belong to the question they
    were given on. A fact holds whatever is asked."""
    if memory.exchange is None:
        return True
    return similarity(Question(question), Question(memory.exchange.question), None) >= SAME


def evidence_ids(memories: Sequence[MemoryItem]) -> list[str]:
    """Of all that the memories' answers used, each once."""
    return list(dict.fromkeys(id for each in memories if each.exchange for id in each.exchange.memory_ids))
