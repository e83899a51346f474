"""Remembers passages that questions found by keyword and that have no vector yet, so that these are embedded first."""

from __future__ import annotations

from collections.abc import Sequence

from core.lru_cache import LruCache

MOST_ITEMS = 64
"""Maximum number of items per user; the oldest are dropped for newer questions."""
MOST_USERS = 256


class EmbeddingPriority:
    """A bounded queue; a dropped item gets its vector later in the usual order."""

    def __init__(self) -> None:
        self._ids: LruCache[str, list[str]] = LruCache(MOST_USERS)

    def __bool__(self) -> bool:
        return bool(self._ids)

    def note(self, user_id: str, ids: Sequence[str]) -> None:
        """Add items, best first, in front of those from the user's earlier questions."""
        earlier = self._ids.pop(user_id, [])
        if joined := list(dict.fromkeys([*ids, *earlier])):
            self._ids[user_id] = joined[:MOST_ITEMS]

    def take(self, most: int) -> tuple[str, list[str]]:
        """Return up to ``most`` ids of the user who has waited longest; the user's other items wait until all other
        users were served.

        Raises:
            KeyError: the queue is empty.
        """
        user_id, ids = self._ids.popitem(last=False)
        if ids[most:]:
            self._ids[user_id] = ids[most:]
        return user_id, ids[:most]
