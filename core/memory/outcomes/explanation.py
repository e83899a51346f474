"""Explains in one sentence, in both languages, how an outcome changes the ranking of the answer's sources."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import Literal

from core.messages import message, message_group
from core.records.memory_meta import Tier
from core.words import Words

QUESTION = 90
"""Maximum number of characters of the question that the sentence quotes."""

Way = Literal["earlier", "later", "both"]

_WAYS = message_group("memory.explanation.ways")


def score_changes(moved: Sequence[tuple[Tier, float]], question: str) -> Words | None:
    """The sentence; ``None`` if nothing changes. ``moved`` has each source's tier with the factor on its relevance."""
    ways = {"earlier" if share > 1 else "later" for _, share in moved if share != 1}
    if not ways:
        return None
    way: Way = "both" if len(ways) > 1 else "earlier" if "earlier" in ways else "later"
    subject = _tiers_subject([tier for tier, share in moved if share != 1])
    asked = shorten(" ".join(question.split()), QUESTION, placeholder="…")
    stop = "" if asked.endswith(("?", "!", ".", "…")) else "."
    return message("memory.explanation.moving", subject=subject, ways=_WAYS[way], asked=asked, stop=stop)


def _tiers_subject(tiers: Sequence[Tier]) -> Words:
    """The sentence's subject (the tiers); in Hebrew with the verb, because its form depends on the number."""
    count = len(tiers)
    if all(tier == "books" for tier in tiers):
        key = "passage" if count == 1 else "passages"
    elif "books" not in tiers:
        key = "memory" if count == 1 else "memories"
    else:
        key = "answer_rests"
    return message(f"memory.explanation.{key}", count=count)
