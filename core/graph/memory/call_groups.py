"""Groups MCP calls that name no conversation, by user, program, subject and time.

A call belongs to the same group as the calls before it, unless there was a pause or the subject changed. The subject
has changed if the call shares no significant word with them and does not refer back to them ("and in the year
before?"). Otherwise an outcome could be assigned to another question's memories (docs/specification.md, "Calls without
a conversation").
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.clock import Clock
from core.graph.understanding.documents.query_rewriting import leans_on_context
from core.ids import NewId
from core.language.terms import weak_words
from core.lru_cache import LruCache
from core.memory.recall.insights import topics
from core.memory.recall.turn import Turn

MOST_GROUPS = 1_000
"""Maximum number of groups over all users and programs; the longest unused is dropped first and starts over."""
COMPARED = 8
"""Number of a group's calls that a new call is compared with."""


@dataclass
class CallGroup:
    """A group of calls; ``conversation_id`` is the id under which its questions are stored; ``turn`` records what its
    memory tools have shown."""

    turn: Turn
    at: float
    conversation_id: str | None = None
    texts: list[str] = field(default_factory=list)


class CallGroups:
    """Keeps one group for each user and program: the one that the next call may continue."""

    def __init__(self, clock: Clock, new_id: NewId, pause_minutes: float) -> None:
        self._clock = clock
        self._new_id = new_id
        self._pause = pause_minutes * 60
        self._latest: LruCache[tuple[str, str], CallGroup] = LruCache(MOST_GROUPS)

    def group_of(self, user_id: str, program: str, text: str) -> CallGroup:
        """Returns the group for a call about ``text``, and adds the text for later comparisons. A call without a text
        always continues the group."""
        now = self._clock()
        known = self._latest.get((user_id, program))
        if known is None or now - known.at > self._pause or not _goes_on(text, known.texts):
            known = CallGroup(self._turn(user_id, text), now)
        known.at = now
        known.texts = [*known.texts, *([text] if text else [])][-COMPARED:]
        self._latest[user_id, program] = known
        return known

    def close_turn(self, group: CallGroup) -> None:
        """Starts a new turn after it was recorded whether an answer helped; later searches belong to the new turn."""
        group.turn = self._turn(group.turn.user_id, group.texts[-1] if group.texts else "")

    def _turn(self, user_id: str, text: str) -> Turn:
        """Makes a ``turn`` record that allows repeated searches, since a program that searches again does so
        intentionally."""
        return Turn(user_id=user_id, answer_id=self._new_id("msg"), question=text, more_searches=True)


def _goes_on(text: str, before: list[str]) -> bool:
    return not text or not before or leans_on_context(text) or any(map(_has_weight, topics(text, before)))


def _has_weight(word: str) -> bool:
    """Returns whether a shared word is significant: not a year and not a common verb."""
    return not word.isdecimal() and word not in weak_words()
