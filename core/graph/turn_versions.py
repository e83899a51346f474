"""Places questions in a conversation whose turns may have several versions, and changes the current version."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from core.errors import fail
from core.graph.build import Agent
from core.graph.rewinding import rewound, start_of, turn_start
from core.graph.state import State
from core.runs.conversations import Conversations, first_title
from core.runs.ledger import RunLedger
from core.runs.records import Conversation, Turn, TurnStart

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """The place of a new question: the run that it comes ``after``, and its ``thread`` (``None``: the conversation's
    first one). ``replaced`` is the turn of which it is another version, ``before`` and ``since`` are the turns around
    it."""

    after: str = ""
    thread: str | None = None
    before: list[Turn] = field(default_factory=list)
    replaced: Turn | None = None
    since: list[Turn] = field(default_factory=list)


@dataclass(frozen=True)
class Begun:
    """What a turn begins with. ``state`` and ``start`` are those of a rewound thread; ``title``: the conversation's new
    title, if it gets one."""

    state: State
    start: TurnStart | None = None
    title: str = ""


@dataclass(frozen=True)
class TurnVersions:
    """Every method works only for the user of the given conversation."""

    _agent: Agent
    _ledger: RunLedger
    _conversations: Conversations

    async def place(self, conversation: Conversation, replaces: str) -> Place:
        """Returns the place after the last current turn, or that of the turn of the run ``replaces``.

        Raises:
            PalimpsestError: ``replaces`` is not the run of a current turn of the conversation.
        """
        turns = await self._conversations.turns(conversation.user_id, conversation.id) if conversation.messages else []
        if not replaces:
            last = turns[-1] if turns else None
            return Place(last.run_id, last.asked.thread, turns) if last else Place()
        place = next((number for number, turn in enumerate(turns) if turn.run_id == replaces), None)
        if place is None:
            raise fail("not_found", "graph.turns.no_such_turn")
        after = turns[place - 1].run_id if place else ""
        return Place(after, self._conversations.new_thread(), turns[:place], turns[place], turns[place + 1 :])

    async def begin(self, place: Place, conversation: Conversation, text: str) -> Begun:
        """Prepares a turn at its place. What the replaced turns were remembered by is set aside, and a conversation
        whose first question was replaced gets the title ``text``."""
        first = conversation.title if conversation.messages == 0 else ""
        if place.replaced is None:
            return Begun(State(), TurnStart() if first else None, first)
        start = start_of(place.replaced.asked, place.before)
        thread = place.replaced.asked.thread or conversation.id
        state = await rewound(self._agent, self._ledger, thread, place.before, start)
        await self._set_aside(conversation, [place.replaced, *place.since])
        title = first_title(text) if not place.before else ""
        named = title and await self._conversations.name(conversation.user_id, conversation.id, title, "first_words")
        return Begun(state, start, title if named else "")

    async def note_start(self, user_id: str, run_id: str, thread: str, start: TurnStart | None) -> None:
        """Stores what is known before a turn, so that the turn can be asked in another version."""
        try:
            known = start or await turn_start(self._agent, thread)
            await self._conversations.note_start(user_id, run_id, known)
        except Exception:
            log.warning("the beginning of turn %s was not stored", run_id, exc_info=True)

    async def is_current(self, user_id: str, conversation_id: str, run_id: str) -> bool:
        """Returns whether a run's turn is in its current version."""
        turns = await self._conversations.turns(user_id, conversation_id)
        return any(turn.run_id == run_id for turn in turns)

    async def choose(self, conversation: Conversation, run_id: str) -> None:
        """Makes a run's question the current version of its turn. Raises ``PalimpsestError`` if it is no version of a
        current turn."""
        user_id = conversation.user_id
        before = await self._conversations.turns(user_id, conversation.id)
        if not any(run_id in turn.versions for turn in before):
            raise fail("not_found", "graph.turns.no_such_turn")
        await self._conversations.choose(user_id, run_id)
        now = await self._conversations.turns(user_id, conversation.id)
        left, kept = {turn.run_id for turn in before}, {turn.run_id for turn in now}
        await self._set_aside(conversation, [turn for turn in before if turn.run_id not in kept])
        if memory := self._agent.services.memory:
            back = [turn for turn in now if turn.run_id not in left]
            await memory.bring_back(user_id, _answer_ids(back))

    async def _set_aside(self, conversation: Conversation, turns: list[Turn]) -> None:
        if memory := self._agent.services.memory:
            await memory.set_aside(conversation.user_id, _answer_ids(turns))


def _answer_ids(turns: list[Turn]) -> list[str]:
    return [answer.id for turn in turns for answer in turn.answers]
