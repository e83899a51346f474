"""Says why two concepts are linked: what a text says of the two, a figure, or how often texts name them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from core.knowledge.content_graph import ContentGraph, Source
from core.knowledge.extraction.clauses import FIGURE
from core.knowledge.views import Direction, Edge
from core.messages import message
from core.words import LANGUAGES

HALF = 3.0
"""Number of texts or answers at which an edge has half of its full strength."""
WEAK = 0.5
"""Factor on the weight of an edge between concepts that are only named together."""
STATED = 0.25
"""Least weight of an edge that a text states."""
EVIDENCE = 8
"""Maximum number of ids of texts or answers that an edge shows as its evidence."""
_LIGHT = frozenset(["of", "in", "at", "from", "under", "by", "for", "near", "within", FIGURE])
"""Reasons that say less than a verb or a role."""


def strength(count: float) -> float:
    """Strength of an edge in 0..1; a count of ``HALF`` gives one half."""
    return count / (count + HALF)


def text_edge(content: ContentGraph, one: str, other: str) -> Edge:
    """The edge between two concepts that texts name together, with its reason."""
    a, b = sorted((one, other))
    together = content.together(a, b)
    said, sources = _said(a, b, together)
    shown = sources or together
    count = len(together)
    documents = len({source.document_id for source in together if source.document_id})
    edge = Edge(
        a=a,
        b=b,
        kind="stated" if said else "together",
        strength=strength(count),
        count=count,
        evidence=content.latest([source.item_id for source in shown], EVIDENCE),
        passages=count,
        documents=documents,
        weak=said is None,
    )
    if said is None:
        return edge.model_copy(update={"weight": WEAK * edge.strength, **_counted(count, documents)})
    first, reason = said
    direction: Direction = "a_to_b" if first == a else "b_to_a"
    update: dict[str, object] = {"weight": max(STATED, edge.strength), "direction": direction, "reason": reason}
    if reason == FIGURE:
        update |= _words("knowledge.reasons.figure")
    return edge.model_copy(update=update)


def _said(a: str, b: str, together: Iterable[Source]) -> tuple[tuple[str, str] | None, list[Source]]:
    """The most telling and most frequent reason with the concept that it begins at, and the texts that say it."""
    found: Counter[tuple[str, str]] = Counter()
    where: dict[tuple[str, str], list[Source]] = {}
    for source in together:
        for one, other, reason in source.stated:
            if {one, other} == {a, b}:
                found[one, reason] += 1
                where.setdefault((one, reason), []).append(source)
    if not found:
        return None, []
    best = min(found, key=lambda each: (each[1] in _LIGHT, -found[each], each))
    return best, where[best]


@lru_cache(maxsize=4_096)
def _counted(count: int, documents: int) -> dict[str, object]:
    if not documents:
        return _words("knowledge.reasons.memories", count=count)
    passages = message("knowledge.reasons.passages", count=count)
    return _words("knowledge.reasons.together", passages=passages, count=documents)


def _words(key: str, **values: object) -> dict[str, object]:
    words = message(key, **values)
    return {"reason": words.to("en"), "reasons": {language: words.to(language) for language in LANGUAGES}}
