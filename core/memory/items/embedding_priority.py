"""What questions found by words and nobody knows by meaning yet: user and item ids -> whose vectors come next."""

from __future__ import annotations

from collections.abc import Sequence

from core.lru_cache import LruCache

MOST_ITEMS = 64
"""Of one user; who asks on has asked about something else."""
MOST_USERS = 256


class EmbeddingPriority:
    """Bounded and forgetful: what is dropped here gets its vector in its turn."""

    def __init__(self) -> None:
        self._ids: LruCache[str, list[str]] = LruCache(MOST_USERS)

    def __bool__(self) -> bool:
        return bool(self._ids)

    def note(self, user_id: str, ids: Sequence[str]) -> None:
        """Best first; they come before what the user's earlier questions have found."""
        earlier = self._ids.pop(user_id, [])
        if joined := list(dict.fromkeys([*ids, *earlier])):
            self._ids[user_id] = joined[:MOST_ITEMS]

    def take(self, most: int) -> tuple[str, list[str]]:
        """Up to ``most`` ids of the user who waited longest; the rest waits for the others first.

        Raises:
            KeyError: nothing was touched.
        """
        user_id, ids = self._ids.popitem(last=False)
        if ids[most:]:
            self._ids[user_id] = ids[most:]
        return user_id, ids[:most]
