"""What a message tells the memory to do: goals, values, what to remember and to forget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from core.errors import PalimpsestError, explain
from core.events import Response
from core.graph.memory.several_orders import statements_to_remember
from core.graph.records import CommandKind
from core.graph.state import State
from core.memory.items.records import Aim
from core.memory.memory import Memory
from core.messages import message, message_group

HELP = message("graph.commands.help")
_ADDED = message_group("graph.commands.added")
_REMOVED = message_group("graph.commands.removed")
_LISTED = message_group("graph.commands.listed")
_NONE = message_group("graph.commands.none")
_OFFERED = message("graph.commands.offered")
_KNOWN = message("graph.commands.known")
_FORGOTTEN = message("graph.commands.forgotten")
_ALL_KNOWN = message("graph.commands.all_known")
_NOTHING_KNOWN = message("graph.commands.nothing_known")


def _bullets(texts: Sequence[str]) -> str:
    """One in the line, several below it."""
    return texts[0] if len(texts) == 1 else "\n\n" + "\n".join(f"- {text}" for text in texts)


MOST = 20
"""Memories that are told at once."""

Do = Callable[[str, State, str], Awaitable[str]]


class Commands:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._doing: dict[CommandKind, Do] = {
            "add_goal": self._adding("goal"),
            "list_goals": self._listing("goal"),
            "remove_goal": self._removing("goal"),
            "add_value": self._adding("value"),
            "list_values": self._listing("value"),
            "remove_value": self._removing("value"),
            "remember": self._remember,
            "forget": self._forget,
            "recall": self._recall,
            "help": self._help,
        }

    async def do(self, state: State) -> Response:
        """Do it and tell what was done; what could not be done is told as well."""
        command = state["intent"].command if state["intent"] else None
        try:
            outcome = await self._doing[command.kind](state["user_id"], state, command.text) if command else ""
        except PalimpsestError as error:
            outcome = " ".join(explain(error).to(state["language"]))
        return Response(
            kind="told", text=outcome or HELP.to(state["language"]), language=state["language"], action="memory"
        )

    def _adding(self, aim: Aim) -> Do:
        async def add(user_id: str, state: State, text: str) -> str:
            item = await self._memory.goals.add(user_id, aim, text)
            return _ADDED[aim].to(state["language"]).format(text=item.text)

        return add

    def _listing(self, aim: Aim) -> Do:
        async def listed(user_id: str, state: State, text: str) -> str:
            items = await self._memory.goals.list(user_id, aim)
            if not items:
                return _NONE[aim].to(state["language"])
            return "\n".join([_LISTED[aim].to(state["language"]), "", *(f"- {item.text}" for item in items)])

        return listed

    def _removing(self, aim: Aim) -> Do:
        async def remove(user_id: str, state: State, text: str) -> str:
            item = await self._memory.goals.remove(user_id, aim, text)
            return _REMOVED[aim].to(state["language"]).format(text=item.text)

        return remove

    async def _remember(self, user_id: str, state: State, text: str) -> str:
        offered, known = [], []
        for part in statements_to_remember(text):
            offers = await self._memory.profile.offered_for(user_id, state["conversation_id"], state["run_id"], part)
            offered += [offer.text for offer in offers]
            known += [] if offers else [part]
        language = state["language"]
        stored = [
            words.to(language).format(text=_bullets(some))
            for words, some in ((_OFFERED, offered), (_KNOWN, known))
            if some
        ]
        return "\n\n".join(stored)

    async def _forget(self, user_id: str, state: State, text: str) -> str:
        item = await self._memory.bank.resolve(user_id, None, text)
        await self._memory.bank.archive(user_id, item.id)
        return _FORGOTTEN.to(state["language"]).format(text=item.text)

    async def _recall(self, user_id: str, state: State, text: str) -> str:
        known = (await self._memory.bank.list(user_id))[:MOST]
        if not known:
            return _NOTHING_KNOWN.to(state["language"])
        return "\n".join([_ALL_KNOWN.to(state["language"]), "", *(f"- {item.text}" for item in known)])

    async def _help(self, user_id: str, state: State, text: str) -> str:
        return HELP.to(state["language"])
