"""Stores goals and values: memory bank facts that a user enters by command or on a page."""

from __future__ import annotations

from core.memory.bank.bank import MemoryBank
from core.memory.items.records import Aim, BankTag, NewMemory
from core.memory.outcomes.scoring import quality
from core.store.items import MemoryItem

IMPORTANCE: dict[Aim, float] = {"goal": 0.85, "value": 0.9}
CONFIDENCE = 1.0
"""Full confidence, because the user states goals and values explicitly."""
_TAGS: dict[Aim, BankTag] = {"goal": "goal", "value": "identity"}


class Goals:
    """Manages users' goals and values; each method takes the kind, ``"goal"`` or ``"value"``."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank

    async def add(self, user_id: str, aim: Aim, text: str) -> MemoryItem:
        """Raises ``PalimpsestError`` ("validation") when the text cannot be stored."""
        new = NewMemory(
            tier="memory_bank",
            kind=aim,
            text=text.strip(),
            summary=text.strip(),
            tags=[_TAGS[aim]],
            quality=quality(IMPORTANCE[aim], CONFIDENCE),
        )
        return (await self._bank.add(user_id, new)).item

    async def list(self, user_id: str, aim: Aim) -> list[MemoryItem]:
        """A user's goals or values, the oldest first."""
        return await self._bank.of_kind(user_id, aim)

    async def remove(self, user_id: str, aim: Aim, reference: str) -> MemoryItem:
        """Archive the goal or value that has this id or text, or that these words describe.

        Raises:
            PalimpsestError: none or several match ("not_found", "validation").
        """
        known = {item.id: item for item in await self.list(user_id, aim)}
        item = known.get(reference) or await self._bank.resolve_among(list(known.values()), reference)
        return await self._bank.archive(user_id, item.id)
