"""How an answer did, and what saying so moved [spec O1, O5]."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from core.memory.feedback import Effect
from core.memory_meta import MemoryMeta
from core.store.items import Outcome
from core.words import Language, Words
from viz.templating import render

SEEN = 0.02
"""A change of rank smaller than this share is not worth a line."""
TIERS: dict[str, Words] = {
    "working": Words(en="working memory", he="זיכרון עבודה"),
    "history": Words(en="history", he="היסטוריה"),
    "patterns": Words(en="patterns", he="דפוסים"),
    "memory_bank": Words(en="memory bank", he="בנק הזיכרון"),
    "books": Words(en="documents", he="מסמכים"),
}
LETTERS = {"working": "W", "history": "H", "patterns": "P", "memory_bank": "M", "books": "B"}


@dataclass(frozen=True)
class Rated:
    """An answer whose outcome may be said: what has been ``said``, and how many things the memory gave to it."""

    said: Outcome | None
    known: int

    @classmethod
    def of(cls, meta: MemoryMeta, said: Outcome | None) -> Rated:
        return cls(said, len(meta.known_context.known_context_items))


@dataclass(frozen=True)
class Line:
    """One thing that moved; ``share`` is by how much it ranks differently, as a fraction."""

    letter: str
    tier: str
    text: str
    before: float | None = None
    after: float | None = None
    rose_to: str = ""
    share: float = 0.0


def feedback_effect(message_id: str, effect: Effect, language: Language) -> Markup:
    """What is drawn in place once an outcome has been said."""
    return render("feedback_effect", effect=effect, lines=lines(effect, language), language=language)


def lines(effect: Effect, language: Language) -> list[Line]:
    """Exchanges and memories whose score moved, then passages that will rank differently."""
    ahead = {each.memory_id: each for each in effect.ahead}
    scored = [
        Line(
            letter=LETTERS[each.tier],
            tier=TIERS[each.tier].to(language),
            text=ahead[each.memory_id].preview if each.memory_id in ahead else each.preview,
            before=each.before,
            after=each.after,
            rose_to=TIERS[each.to_tier].to(language) if each.to_tier != each.tier else "",
            share=_share(ahead[each.memory_id].factor) if each.memory_id in ahead else 0.0,
        )
        for each in effect.effect.moved
    ]
    passages = [
        Line(
            letter=LETTERS[each.tier],
            tier=TIERS[each.tier].to(language),
            text=f"{each.title}: {each.preview}" if each.title else each.preview,
            share=_share(each.factor),
        )
        for each in effect.ahead
        if each.tier == "books"
    ]
    return [*scored, *passages]


def _share(factor: float) -> float:
    return factor - 1 if abs(factor - 1) >= SEEN else 0.0
