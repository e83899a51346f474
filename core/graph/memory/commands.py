"""What a message tells the memory to do: goals, values, what to remember and to forget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from core.errors import PalimpsestError, explain
from core.events import Response
from core.graph.memory.several_orders import each_to_remember
from core.graph.state import State
from core.graph.understanding.intent.records import CommandKind
from core.memory.bank.goals import Aim
from core.memory.memory import Memory
from core.words import Words

HELP = Words(
    en="You can say:\n\n- *add goal …*, *list my goals*, *remove goal …*\n- *add value …*, *list my values*, "
    "*remove value …*\n- *remember that …*, *forget …*\n\nThe Memory tab shows everything that is kept.",
    he="אפשר לומר:\n\n- *הוסף מטרה …*, *מה המטרות שלי*, *מחק מטרה …*\n- *הוסף ערך …*, *מה הערכים שלי*, *מחק ערך …*\n"
    "- *תזכור ש…*, *תשכח את …*\n\nבלשונית הזיכרון רואים את כל מה שנשמר.",
)
_ADDED: dict[Aim, Words] = {
    "goal": Words(en="Added to your goals: {}", he="נוסף למטרות שלכם: {}"),
    "value": Words(en="Added to your values: {}", he="נוסף לערכים שלכם: {}"),
}
_REMOVED: dict[Aim, Words] = {
    "goal": Words(en="Removed from your goals: {}", he="הוסר מן המטרות שלכם: {}"),
    "value": Words(en="Removed from your values: {}", he="הוסר מן הערכים שלכם: {}"),
}
_LISTED: dict[Aim, Words] = {
    "goal": Words(en="Your goals:", he="המטרות שלכם:"),
    "value": Words(en="Your values:", he="הערכים שלכם:"),
}
_NONE: dict[Aim, Words] = {
    "goal": Words(
        en="You have no goals here yet. Say *add goal …*.", he="אין לכם כאן עדיין מטרות. אמרו *הוסף מטרה …*."
    ),
    "value": Words(
        en="You have no values here yet. Say *add value …*.", he="אין לכם כאן עדיין ערכים. אמרו *הוסף ערך …*."
    ),
}
_OFFERED = Words(en="Choose *Remember* below, and it is kept: {}", he="בחרו *לזכור* למטה, והדבר יישמר: {}")
_KNOWN = Words(en="That is in the memory bank already: {}", he="זה כבר נמצא בבנק הזיכרון: {}")
_FORGOTTEN = Words(
    en="Forgotten: {} It is in the archive of the memory bank, in case you want it back.",
    he="נשכח: {} הוא בארכיון של בנק הזיכרון, למקרה שתרצו בו שוב.",
)
_ALL_KNOWN = Words(
    en="What I keep about you, the Memory tab shows the rest:", he="מה ששמור אצלי עליכם, השאר בלשונית הזיכרון:"
)
_NOTHING_KNOWN = Words(
    en="I keep nothing about you yet. Say *remember that …*.", he="לא שמור אצלי עדיין דבר עליכם. אמרו *תזכור ש…*."
)


def _listed(texts: Sequence[str]) -> str:
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
            told = await self._doing[command.kind](state["user_id"], state, command.text) if command else ""
        except PalimpsestError as error:
            told = " ".join(explain(error).to(state["language"]))
        return Response(
            kind="told", text=told or HELP.to(state["language"]), language=state["language"], action="memory"
        )

    def _adding(self, aim: Aim) -> Do:
        async def add(user_id: str, state: State, text: str) -> str:
            item = await self._memory.goals.add(user_id, aim, text)
            return _ADDED[aim].to(state["language"]).format(item.text)

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
            return _REMOVED[aim].to(state["language"]).format(item.text)

        return remove

    async def _remember(self, user_id: str, state: State, text: str) -> str:
        offered, known = [], []
        for part in each_to_remember(text):
            offers = await self._memory.profile.offered_for(user_id, state["conversation_id"], state["run_id"], part)
            offered += [offer.text for offer in offers]
            known += [] if offers else [part]
        language = state["language"]
        told = [
            words.to(language).format(_listed(some)) for words, some in ((_OFFERED, offered), (_KNOWN, known)) if some
        ]
        return "\n\n".join(told)

    async def _forget(self, user_id: str, state: State, text: str) -> str:
        item = await self._memory.bank.resolve(user_id, None, text)
        await self._memory.bank.archive(user_id, item.id)
        return _FORGOTTEN.to(state["language"]).format(item.text)

    async def _recall(self, user_id: str, state: State, text: str) -> str:
        known = (await self._memory.bank.list(user_id))[:MOST]
        if not known:
            return _NOTHING_KNOWN.to(state["language"])
        return "\n".join([_ALL_KNOWN.to(state["language"]), "", *(f"- {item.text}" for item in known)])

    async def _help(self, user_id: str, state: State, text: str) -> str:
        return HELP.to(state["language"])
