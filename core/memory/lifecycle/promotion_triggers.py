"""When promotion is due: *messages, outcomes, the clock* → whose memories are looked at next.

What one person does is an occasion for that person's memories alone: with everyone's for each, what a house has to do
would grow with the square of the people in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.clock import Clock
from core.runs.shared_round import EVERYONE

MESSAGES_APART = 300.0
"""Seconds between two looks at one person's memories that their messages lead to: a look reads a dozen counts, and a
person who begins a conversation for every question would have one after each."""


class PromotionTriggers:
    """A person's memories are due after ``messages`` messages or a change of conversation, at most once in
    ``MESSAGES_APART``, and whenever ``due`` names them; everyone's at first and every ``seconds``. Each occasion is
    followed by a ``call``."""

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
        """Also ``EVERYONE``'s."""
        self._due.add(whose)
        self._call()

    def take(self) -> str | None:
        """Whose turn it is: someone's or ``EVERYONE``'s; ``None``: nobody's."""
        now = self._clock()
        if self._everyone_at is None or now - self._everyone_at >= self._seconds:
            self._due.add(EVERYONE)
        whose = min(self._due, default=None)
        if whose == EVERYONE:
            self._everyone_at = now
        self._due.discard(whose or EVERYONE)
        return whose
