"""Runs a message's memory commands: goals, values, and texts to remember or forget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from core.errors import PalimpsestError, explain
from core.events import Response
from core.graph.memory.forgetting import ForgottenFact, ForgottenFacts
from core.graph.memory.orders import command_of
from core.graph.memory.recollection.loading import MOST_MESSAGES
from core.graph.memory.recollection.reply import day_of
from core.graph.memory.said_statements import matching_statements, matching_texts
from core.graph.memory.several_orders import statements_to_remember
from core.graph.records import CommandKind
from core.graph.state import State
from core.memory.items.records import Aim
from core.memory.memory import Memory
from core.messages import message, message_group
from core.runs.conversations import Conversations
from core.store.items import MemoryItem
from core.words import Language, Words

HELP = message("graph.commands.help")
_ADDED = message_group("graph.commands.added")
_REMOVED = message_group("graph.commands.removed")
_LISTED = message_group("graph.commands.listed")
_NONE = message_group("graph.commands.none")
_REMEMBERED = message("graph.commands.remembered")
_KNOWN = message("graph.commands.known")
_FORGOTTEN = message("graph.commands.forgotten")
_FORGOTTEN_SAID = message("graph.commands.forgotten_said")
_NOT_KNOWN = message("graph.commands.not_known")
_ALL_KNOWN = message("graph.commands.all_known")
_NOTHING_KNOWN = message("graph.commands.nothing_known")
_DATED = message("graph.commands.dated")
_DATED_BEFORE = message("graph.commands.dated_before")


def _bullets(texts: Sequence[str]) -> str:
    """Formats one text within the sentence, several as a list below it."""
    return texts[0] if len(texts) == 1 else "\n\n" + "\n".join(f"- {text}" for text in texts)


MOST = 20
"""Maximum number of memories listed in one reply."""
MOST_KNOWN = 200
"""Maximum number of facts among which one is searched in the other language."""

Do = Callable[[State, str], Awaitable[str]]


class Commands:
    def __init__(self, memory: Memory, conversations: Conversations) -> None:
        self._memory = memory
        self._conversations = conversations
        self._doing: dict[CommandKind, Do] = {
            "add_goal": partial(self._add, "goal"),
            "list_goals": partial(self._list, "goal"),
            "remove_goal": partial(self._remove, "goal"),
            "add_value": partial(self._add, "value"),
            "list_values": partial(self._list, "value"),
            "remove_value": partial(self._remove, "value"),
            "remember": self._remember,
            "correct": self._remember,
            "forget": self._forget,
            "recall": self._recall,
            "help": self._help,
        }

    async def do(self, state: State) -> Response:
        """Runs the command and reports what was done and what could not be done."""
        command = command_of(state)
        try:
            outcome = await self._doing[command.kind](state, command.text) if command else ""
        except PalimpsestError as error:
            outcome = " ".join(explain(error).to(state["asked"].language))
        return Response(
            kind="told",
            text=outcome or HELP.to(state["asked"].language),
            language=state["asked"].language,
            action="memory",
        )

    async def _add(self, aim: Aim, state: State, text: str) -> str:
        item = await self._memory.goals.add(state["asked"].user_id, aim, text)
        return _ADDED[aim].to(state["asked"].language).format(text=item.text)

    async def _list(self, aim: Aim, state: State, _: str) -> str:
        items = await self._memory.goals.list(state["asked"].user_id, aim)
        return _listed(_LISTED[aim] if items else _NONE[aim], items, state["asked"].language)

    async def _remove(self, aim: Aim, state: State, text: str) -> str:
        item = await self._memory.goals.remove(state["asked"].user_id, aim, text)
        return _REMOVED[aim].to(state["asked"].language).format(text=item.text)

    async def _remember(self, state: State, text: str) -> str:
        user_id, language = state["asked"].user_id, state["asked"].language
        stored_texts, known = [], []
        for part in statements_to_remember(text):
            stored = await self._memory.profile.carry_out(
                user_id, state["asked"].conversation_id, state["asked"].run_id, part
            )
            stored_texts += [each.text for each in stored]
            known += [] if stored else [part]
        told = [
            words.to(language).format(text=_bullets(some))
            for words, some in ((_REMEMBERED, stored_texts), (_KNOWN, known))
            if some
        ]
        return "\n\n".join(told)

    async def _forget(self, state: State, text: str) -> str:
        """Forgets what is remembered, and what the user said about it in conversations."""
        asked, profile = state["asked"], self._memory.profile
        item = await self._remembered(asked.user_id, text)
        if item is not None:
            [card] = await profile.to_forget(asked.user_id, asked.conversation_id, asked.run_id, [item])
            await profile.accept(asked.user_id, card.id)
        said = await self._said(state, text, item)
        for each in said:
            await profile.forget_said(asked.user_id, asked.conversation_id, asked.run_id, each)
        told = [_FORGOTTEN.to(asked.language).format(text=item.text)] if item else []
        told += [_FORGOTTEN_SAID.to(asked.language).format(text=_bullets(said))] if said else []
        return "\n\n".join(told) or _NOT_KNOWN.to(asked.language).format(text=text.strip(" ."))

    async def _remembered(self, user_id: str, text: str) -> MemoryItem | None:
        """Returns the fact that a text means, in either language."""
        try:
            return await self._memory.bank.resolve(user_id, None, text)
        except PalimpsestError as error:
            if error.problem.category != "not_found":
                raise
        known = await self._memory.bank.list(user_id, limit=MOST_KNOWN)
        found = matching_texts(text, (each.text for each in known))
        return next(each for each in known if each.text == found[0]) if len(found) == 1 else None

    async def _said(self, state: State, text: str, item: MemoryItem | None) -> list[str]:
        """Returns what the user said in conversations that a text means, unless it states the fact ``item``."""
        asked = state["asked"]
        past = await self._conversations.said(asked.user_id, MOST_MESSAGES)
        own = [each.text for _, each in past if each.role == "user" and each.run_id != asked.run_id]
        known = ForgottenFacts([ForgottenFact(item.text, 0.0)] if item else [])
        return [each for each in matching_statements(text, own) if not known.are_in(each)]

    async def _recall(self, state: State, _: str) -> str:
        """Lists what is known with its dates; each fact has a card with which it can be forgotten."""
        asked, bank = state["asked"], self._memory.bank
        known = (await bank.list(asked.user_id))[:MOST]
        if not known:
            return _NOTHING_KNOWN.to(asked.language)
        await self._memory.profile.to_forget(asked.user_id, asked.conversation_id, asked.run_id, known)
        lines = [await self._dated(item, asked.language) for item in known]
        return "\n".join([_ALL_KNOWN.to(asked.language), "", *(f"- {line}" for line in lines)])

    async def _dated(self, item: MemoryItem, language: Language) -> str:
        """Returns a fact with the day since which it is known and the text that it replaced."""
        day = day_of(item.timestamps.updated_at, language)
        before = await self._memory.bank.versions(item.user_id, item.id) if item.versioning.current_version > 1 else []
        if not before:
            return _DATED.to(language).format(text=item.text, day=day)
        return _DATED_BEFORE.to(language).format(text=item.text, day=day, before=before[0].archived_text)

    async def _help(self, state: State, _: str) -> str:
        return HELP.to(state["asked"].language)


def _listed(heading: Words, items: Sequence[MemoryItem], language: Language) -> str:
    return "\n".join([heading.to(language), *([""] if items else []), *(f"- {item.text}" for item in items)])
