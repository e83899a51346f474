"""What one turn of a conversation has looked up and done: shared by prefetch and tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.ids import is_id
from core.memory.items.records import ActionTaken, ToolRun
from core.records.memory_meta import Tier


@dataclass
class Turn:
    """``positions`` numbers the memories of the latest search from 1, as they were shown.

    ``answer_id`` is the message that the turn will answer with; ``refinements`` counts the searches that a model has
    asked for, of which one is allowed unless the person asked for ``more_searches``.
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
        """A search has been shown: its numbers hold from now on, and what was shown before stays known."""
        self.positions = [memory_id for memory_id, _ in found]
        self.tiers |= dict(found)

    def may_search(self) -> bool:
        return self.more_searches or self.refinements < 1

    def resolve(self, related: Sequence[int | str] | None) -> list[str] | None:
        """Positions and ids as ids, each once; ``None`` when there are none or one of them is not known, which means
        that everything shown counts."""
        if not related:
            return None
        found = [self._referenced_memory(each) for each in related]
        return list(dict.fromkeys(each for each in found if each)) if all(found) else None

    def _referenced_memory(self, reference: int | str) -> str | None:
        if isinstance(reference, str) and is_id(reference, "mem"):
            return reference if reference in self.tiers else None
        place = int(reference) if str(reference).isdecimal() else 0
        return self.positions[place - 1] if 1 <= place <= len(self.positions) else None
