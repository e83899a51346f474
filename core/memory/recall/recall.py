"""Prefetches context before a search: insights, known facts, memories."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from core.memory.bank.bank import MemoryBank
from core.memory.outcomes.tier_routing import spoken_concepts
from core.memory.recall.insights import ContextInsights
from core.memory.recall.records import RECALLED, Insights, MemoryQuery, Prefetch
from core.memory.recall.search import MemorySearch
from core.prompts.templates import Prompts
from core.search.request import Steps, silent
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

COLD_START = (
    "user name identity preferences goals what works how to help effectively learned mistakes to avoid proven "
    "approaches communication style agent mistakes agent needs to learn agent growth areas"
)
"""The fixed query used at a cold start (a conversation's first answer)."""
COLD_START_ITEMS = 10
KNOWN_ITEMS = 5
LEAST_STRENGTH = 0.3
"""Minimum relevance strength of a memory that is shown to a model."""


class Recall:
    """Prefetches context. Never raises: data that cannot be read is left out."""

    def __init__(self, search: MemorySearch, insights: ContextInsights, bank: MemoryBank, prompts: Prompts) -> None:
        self._search = search
        self._insights = insights
        self._bank = bank
        self._prompts = prompts

    async def prefetch(
        self,
        user_id: str,
        question: str,
        *,
        recent: Sequence[str] = (),
        cold: bool = False,
        limit: int | None = None,
        steps: Steps = silent,
        unrelated: Callable[[str], bool] = lambda text: False,
    ) -> Prefetch:
        """Prefetch context for a question; ``recent`` are the conversation's earlier questions. ``cold``: the
        conversation has just begun, or paused for long. ``unrelated`` says which earlier exchanges to leave out, by
        their text; facts about the user always stay."""
        query = MemoryQuery(user_id=user_id, text=question, tiers=list(RECALLED), limit=limit)
        insights, result, always, start = await asyncio.gather(
            self._insights.of(user_id, question, recent),
            self._search.search(query, steps),
            self._always(user_id),
            self._cold(user_id) if cold else _nothing(),
        )
        hits = [hit for hit in result.hits if hit.strength >= LEAST_STRENGTH]
        hits = [hit for hit in hits if hit.tier == "memory_bank" or not unrelated(hit.item.text)]
        insights = _related(insights, unrelated)
        facts = [hit.item for hit in hits if hit.tier == "memory_bank"][:KNOWN_ITEMS]
        known = _once([*always, *facts])
        remembered = [hit for hit in hits if hit.tier != "memory_bank"]
        begun = _once([*always, *start]) if cold else []
        in_context = {item.id for item in begun}
        blocks = [
            self.known_context(begun),
            self._contextual(question, insights, [item for item in known if item.id not in in_context]),
            self._prompts.render("memory_context", memories=remembered) if remembered else "",
        ]
        return Prefetch(
            insights=insights,
            known=known,
            hits=hits,
            confidence=result.record.confidence,
            block="\n\n".join(block for block in blocks if block),
            search=result,
            cold=start,
        )

    async def cold_start(self, user_id: str) -> list[MemoryItem]:
        """Context for a conversation's first answer: the bank's results for one fixed query, and pinned facts."""
        always, found = await asyncio.gather(self._always(user_id), self._cold(user_id))
        return _once([*always, *found])

    def known_context(self, known: Sequence[MemoryItem]) -> str:
        """The cold-start prompt block; it has full texts, and only their number is limited."""
        return self._prompts.render("known_context", known=[item.text for item in known]) if known else ""

    async def _always(self, user_id: str) -> list[MemoryItem]:
        try:
            return await self._bank.always_injected(user_id)
        except Exception:
            log.warning("what is always known could not be read", exc_info=True)
            return []

    async def _cold(self, user_id: str) -> list[MemoryItem]:
        query = MemoryQuery(
            user_id=user_id, text=COLD_START, tiers=["memory_bank"], limit=COLD_START_ITEMS, sort_by="relevance"
        )
        return [hit.item for hit in (await self._search.search(query)).hits]

    def _contextual(self, question: str, insights: Insights, known: Sequence[MemoryItem]) -> str:
        shown = {name: getattr(insights, name) for name in _SHOWN}
        if not known and not any(value for name, value in shown.items() if name != "actions"):
            return ""
        topic, texts = ", ".join([*spoken_concepts(question).values()][:3]), [item.text for item in known]
        return self._prompts.render("contextual_memory", topic=topic, known=texts, **shown)


_SHOWN = ("experience", "failures", "recommendations", "actions", "topics", "repetition")


def _related(insights: Insights, unrelated: Callable[[str], bool]) -> Insights:
    """Returns the insights without ``unrelated`` outcomes; each failure is given once."""
    failures = {each.preview: each for each in insights.failures if not unrelated(each.preview)}
    experience = [each for each in insights.experience if not unrelated(each.preview)]
    return insights.model_copy(update={"experience": experience, "failures": list(failures.values())})


async def _nothing() -> list[MemoryItem]:
    return []


def _once(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    return list({item.id: item for item in items}.values())
