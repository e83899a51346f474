"""Lists the speakers in a user's memories: a speaker's name in a question shows whose statement is meant, not its
subject."""

from __future__ import annotations

from core.clock import Clock
from core.memory.items.writing import MemoryItems
from core.store.items import SCORED

KNOWN_SECONDS = 60.0
"""How long the list of names is cached, so that not every search counts all memories."""


class Speakers:
    def __init__(self, items: MemoryItems, clock: Clock) -> None:
        self._items = items
        self._clock = clock
        self._known: dict[str, tuple[float, list[str]]] = {}

    async def of(self, user_id: str) -> list[str]:
        """The speakers' names in alphabetical order."""
        now = self._clock()
        at, names = self._known.get(user_id, (0.0, []))
        if now - at >= KNOWN_SECONDS:
            counted = await self._items.count_by(user_id, "source.speaker", {"tier": {"$in": list(SCORED)}})
            names = sorted(name for name in counted if name)
            self._known[user_id] = (now, names)
        return names
