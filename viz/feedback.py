"""Renders the feedback buttons of an answer, and the effects of feedback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from core.memory.corrections.records import MOST_CHARACTERS
from core.memory.items.reasons import REASONS
from core.memory.records import FeedbackEffect, RankingPreview
from core.messages import message_group
from core.records.memory_meta import MemoryMeta
from core.store.items import Outcome
from core.words import Language
from viz.templating import render

SEEN = 0.02
"""Smallest change of relevance, as a share, that is shown."""
TIERS = message_group("view.feedback.tiers")
LETTERS = {"working": "W", "history": "H", "patterns": "P", "memory_bank": "M", "books": "B"}


@dataclass(frozen=True)
class Rated:
    """An answer that can be rated: its ``outcome`` so far, and how many memories it used."""

    outcome: Outcome | None
    known: int

    @classmethod
    def of(cls, meta: MemoryMeta, outcome: Outcome | None) -> Rated:
        return cls(outcome, len(meta.known_context.known_context_items))


@dataclass(frozen=True)
class Line:
    """A memory or passage changed by feedback; ``way``: whether it ranks earlier or later when the same question is
    asked again."""

    letter: str
    tier: str
    text: str
    before: float | None = None
    after: float | None = None
    rose_to: str = ""
    way: Literal["", "earlier", "later"] = ""


def feedback_effect(effect: FeedbackEffect, language: Language) -> Markup:
    """The HTML that replaces the rating buttons after feedback."""
    asks_why = effect.outcome in ("partial", "failed")
    return render(
        "feedback_effect",
        effect=effect,
        lines=lines(effect, language),
        reasons={reason: words.to(language) for reason, words in REASONS.items()} if asks_why else {},
        longest=MOST_CHARACTERS,
        language=language,
    )


def lines(effect: FeedbackEffect, language: Language) -> list[Line]:
    """Exchanges and memories with a changed score, then passages that will rank differently."""
    previews = {each.memory_id: each for each in effect.ranking_previews}
    scored = [
        Line(
            letter=LETTERS[each.tier],
            tier=TIERS[each.tier].to(language),
            text=previews[each.memory_id].preview if each.memory_id in previews else each.preview,
            before=each.before,
            after=each.after if each.after != each.before else None,
            rose_to=TIERS[each.to_tier].to(language) if each.to_tier != each.tier else "",
            way=_rank_direction(previews[each.memory_id]) if each.memory_id in previews else "",
        )
        for each in effect.effect.moved
    ]
    passages = [
        Line(
            letter=LETTERS[each.tier],
            tier=TIERS[each.tier].to(language),
            text=f"{each.title}: {each.preview}" if each.title else each.preview,
            way=_rank_direction(each),
        )
        for each in effect.ranking_previews
        if each.tier == "books"
    ]
    return [*scored, *passages]


def _rank_direction(preview: RankingPreview) -> Literal["", "earlier", "later"]:
    if abs(preview.factor - preview.before) < SEEN:
        return ""
    return "earlier" if preview.factor > preview.before else "later"
