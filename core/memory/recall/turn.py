"""Holds the state of a turn (a question and its answer): searches and actions, shared by prefetch and tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.ids import is_id
from core.memory.items.records import ActionTaken, ToolRun
from core.records.memory_meta import Tier


@dataclass
class Turn:
    """A question and its answer. ``positions`` has the memories of the latest search, numbered from 1 as they were
    shown.

    ``answer_id`` is the id of the answer's message. ``refinements`` counts the searches that a model has requested; one
    is allowed unless the user allowed ``more_searches``.
    """

    user_id: str
    answer_id: str
    question: str
    conversation_id: str | None = None
    positions: list[str] = field(default_factory=list)
    tiers: dict[str, Tier] = field(default_factory=dict)
    refinements: int = 0
    more_searches: bool = False
    actions: list[ActionTaken] = field(default_factory=list)
    tool_runs: list[ToolRun] = field(default_factory=list)

    def shown(self, found: Sequence[tuple[str, Tier]]) -> None:
        """Register the results that a search has shown: their numbers replace the earlier ones. Earlier results can
        still be used by id."""
        self.positions = [memory_id for memory_id, _ in found]
        self.tiers |= dict(found)

    def may_search(self) -> bool:
        return self.more_searches or self.refinements < 1

    def resolve(self, related: Sequence[int | str] | None) -> list[str] | None:
        """Convert positions and ids to ids, without duplicates. Returns ``None`` if there are none or one is unknown;
        then everything shown counts."""
        if not related:
            return None
        found = [self._referenced_memory(each) for each in related]
        return list(dict.fromkeys(each for each in found if each)) if all(found) else None

    def _referenced_memory(self, reference: int | str) -> str | None:
        if isinstance(reference, str) and is_id(reference, "mem"):
            return reference if reference in self.tiers else None
        place = int(reference) if str(reference).isdecimal() else 0
        return self.positions[place - 1] if 1 <= place <= len(self.positions) else None
