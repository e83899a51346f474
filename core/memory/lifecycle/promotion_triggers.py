"""Schedules promotion: messages, outcomes and the time decide whose memories are examined next.

A user's activity triggers promotion of only that user's memories. If it triggered promotion for all users, the work
would grow with the square of their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.clock import Clock
from core.runs.shared_round import EVERYONE

MESSAGES_APART = 300.0
"""Minimum seconds between two runs that the same user's messages trigger. A run makes a dozen queries, and a user who
starts a conversation for each question would otherwise trigger a run each time."""


class PromotionTriggers:
    """Decides when promotion is due. For a user: after ``messages`` messages or a change of conversation, at most once
    in ``MESSAGES_APART`` seconds, and when ``due`` is called. For all users: at the start and every ``seconds``.
    Each trigger calls ``call``."""

    def __init__(self, messages: int, seconds: float, clock: Clock, call: Callable[[], None]) -> None:
        self._messages = messages
        self._seconds = seconds
        self._clock = clock
        self._call = call
        self._counts: Counter[str] = Counter()
        self._last: dict[str, str] = {}
        self._looked_at: dict[str, float] = {}
        self._due: set[str] = set()
        self._everyone_at: float | None = None

    def message(self, user_id: str, conversation_id: str) -> None:
        switched = self._last.get(user_id, conversation_id) != conversation_id
        self._last[user_id] = conversation_id
        self._counts[user_id] += self._messages if switched else 1
        if self._counts[user_id] >= self._messages and self._may_look(user_id):
            self._counts[user_id] = 0
            self.due(user_id)

    def _may_look(self, user_id: str) -> bool:
        now = self._clock()
        if now - self._looked_at.get(user_id, -MESSAGES_APART) < MESSAGES_APART:
            return False
        self._looked_at[user_id] = now
        return True

    def due(self, whose: str) -> None:
        """Mark a user, or ``EVERYONE``, as due."""
        self._due.add(whose)
        self._call()

    def take(self) -> str | None:
        """The next user to run, or ``EVERYONE``; ``None`` if no one is due."""
        now = self._clock()
        if self._everyone_at is None or now - self._everyone_at >= self._seconds:
            self._due.add(EVERYONE)
        whose = min(self._due, default=None)
        if whose == EVERYONE:
            self._everyone_at = now
        self._due.discard(whose or EVERYONE)
        return whose
