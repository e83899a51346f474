"""Calls of programs that name no conversation: whose, of which program, about what, when → what each belongs to.

A call goes on with the calls before it unless there was a pause between them or the subject has changed: it shares no
word of weight with them, and does not lean on them ("and in the year before?"). So an outcome is never laid on what
another question had before it (docs/specification.md, "Calls without a conversation").
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
"""Of all people and programs; of more, the one that rested longest is forgotten, and begins anew."""
COMPARED = 8
"""Calls of a group that a further one is compared with."""


@dataclass
class CallGroup:
    """``conversation_id`` is the one in which its questions were asked; ``turn`` what its memory tools have shown."""

    turn: Turn
    at: float
    conversation_id: str | None = None
    texts: list[str] = field(default_factory=list)


class CallGroups:
    """One group a person and program: the one that its next call may go on with."""

    def __init__(self, clock: Clock, new_id: NewId, pause_minutes: float) -> None:
        self._clock = clock
        self._new_id = new_id
        self._pause = pause_minutes * 60
        self._latest: LruCache[tuple[str, str], CallGroup] = LruCache(MOST_GROUPS)

    def group_of(self, user_id: str, program: str, text: str) -> CallGroup:
        """The group of a call about ``text``, which the next one is compared with; nothing for a call about nothing,
        which goes on after any words."""
        now = self._clock()
        known = self._latest.get((user_id, program))
        if known is None or now - known.at > self._pause or not _goes_on(text, known.texts):
            known = CallGroup(self._turn(user_id, text), now)
        known.at = now
        known.texts = [*known.texts, *([text] if text else [])][-COMPARED:]
        self._latest[user_id, program] = known
        return known

    def close_turn(self, group: CallGroup) -> None:
        """An outcome was told: what is searched from now on is another turn's."""
        group.turn = self._turn(group.turn.user_id, group.texts[-1] if group.texts else "")

    def _turn(self, user_id: str, text: str) -> Turn:
        """A program asks for itself, so that each of its searches is asked for."""
        return Turn(user_id=user_id, answer_id=self._new_id("msg"), question=text, more_searches=True)


def _goes_on(text: str, before: list[str]) -> bool:
    return not text or not before or leans_on_context(text) or any(map(_has_weight, topics(text, before)))


def _has_weight(word: str) -> bool:
    """A year that two questions share, or an everyday verb, is no subject."""
    return not word.isdecimal() and word not in weak_words()
