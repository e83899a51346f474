"""Stores conversations and their messages, which a page shows again after a reload."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.runs.records import Conversation, Hit, Message, Turn, TurnStart
from core.runs.versions import current_messages, current_turns
from core.store.truth import UNLEASED, Change, Filter, Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of
from core.words import Language

TITLE_WORDS = 8
LONGEST_TITLE = 200
REMOVED_AT_ONCE = 100
BEGINNING_SECONDS = 10.0
"""Seconds after which a process that died while starting an answer no longer blocks the conversation."""
PRESENT = {"deleted_at": None}


def no_conversation() -> PalimpsestError:
    return fail("not_found", "runs.conversations.no_conversation")


def title_given(title: str) -> str:
    """The title as stored. Raises ``PalimpsestError`` if it is not valid."""
    trimmed = title.strip()
    if not 1 <= len(trimmed) <= LONGEST_TITLE or any(unicodedata.category(each) == "Cc" for each in trimmed):
        raise fail("validation", "runs.conversations.title_given", longest_title=LONGEST_TITLE)
    return trimmed


def first_title(question: str) -> str:
    """A preliminary title from the first words of a question."""
    words = question.split()
    return " ".join(words[:TITLE_WORDS]) + ("…" if len(words) > TITLE_WORDS else "")


class Conversations:
    """Manages a user's conversations. Every method is limited to the given user's data."""

    def __init__(self, truth: Truth, clock: Clock, new_id: NewId) -> None:
        self._truth = truth
        self._clock = clock
        self._new_id = new_id

    async def ensure(self) -> None:
        await self._truth.collection("conversations").ensure(
            sort=[Sorted(("user_id", "updated_at")), Sorted(("deleted_at",))]
        )
        await self._truth.collection("messages").ensure(
            sort=[Sorted(("conversation_id", "order")), Sorted(("user_id", "run_id"))]
        )

    async def start(self, user_id: str, question: str) -> Conversation:
        now = self._clock()
        conversation = Conversation(
            id=self._new_id("conv"), user_id=user_id, title=first_title(question), created_at=now, updated_at=now
        )
        await self._conversations(user_id).put(conversation)
        return conversation

    async def get(self, user_id: str, conversation_id: str) -> Conversation:
        """One of the user's conversations. Raises ``PalimpsestError`` (not found)."""
        found = await self._conversations(user_id).first({"_id": conversation_id, **PRESENT})
        if found is None:
            raise no_conversation()
        return found

    @asynccontextmanager
    async def alone(self, user_id: str, conversation_id: str) -> AsyncIterator[bool]:
        """Ensure that no other task in any process starts work in the conversation at the same time; yields whether
        that succeeded."""
        rows, holder = self._conversations(user_id).rows, self._new_id("hold")
        held = await rows.claim({"_id": conversation_id}, owner=holder, seconds=BEGINNING_SECONDS, now=self._clock())
        try:
            yield held is not None
        finally:
            await rows.update(conversation_id, UNLEASED, where={"lease_owner": holder})

    async def search(self, user_id: str, search: str, limit: int = 200) -> list[Hit]:
        """Newest first; those with ``search`` in the title or in one of the questions, ignoring case."""
        wanted = search.casefold().strip()
        newest = [("updated_at", -1)]
        found = await self._conversations(user_id).find(PRESENT, sort=newest, limit=None if wanted else limit)
        if not wanted:
            return [Hit(each) for each in found]
        asked = await self._question_matches(user_id, wanted)
        hits = []
        for each in found:
            if wanted in each.title.casefold():
                hits.append(Hit(each))
            elif each.id in asked:
                hits.append(Hit(each, asked[each.id]))
        return hits[:limit]

    async def _question_matches(self, user_id: str, wanted: str) -> dict[str, str]:
        """For each conversation, a question that contains the words."""
        rows = await self._messages(user_id).rows.find({"role": "user"}, fields=("conversation_id", "text"))
        return {str(row["conversation_id"]): str(row["text"]) for row in rows if wanted in str(row["text"]).casefold()}

    async def rename(self, user_id: str, conversation_id: str, title: str) -> Conversation:
        """Change the title. Raises ``PalimpsestError``: there is no such conversation, or the title is not valid."""
        change = Change(set={"title": title_given(title), "title_by": "person"})
        return await self._update(user_id, conversation_id, change, PRESENT)

    async def _update(self, user_id: str, conversation_id: str, change: Change, where: Filter) -> Conversation:
        updated = await self._conversations(user_id).update(conversation_id, change, where=where)
        if updated is None:
            raise no_conversation()
        return updated

    async def name(
        self, user_id: str, conversation_id: str, title: str, by: Literal["first_words", "model"] = "model"
    ) -> bool:
        """Set the title that a model wrote, unless a person has renamed it; returns whether it was set."""
        change, unnamed = Change(set={"title": title, "title_by": by}), {"title_by": {"$ne": "person"}}
        return await self._conversations(user_id).update(conversation_id, change, where=unnamed) is not None

    async def delete(self, user_id: str, conversation_id: str) -> Conversation:
        """Hide it from all readers immediately; it is physically removed when it can no longer be restored. Raises
        ``PalimpsestError`` (not found)."""
        return await self._update(user_id, conversation_id, Change(set={"deleted_at": self._clock()}), PRESENT)

    async def restore(self, user_id: str, conversation_id: str) -> Conversation:
        """Undo a deletion. Raises ``PalimpsestError`` when it no longer exists."""
        return await self._update(user_id, conversation_id, Change(set={"deleted_at": None}), {"removing": None})

    async def expired(self, undo_seconds: float) -> list[Conversation]:
        """Across all users: deleted long enough ago that they can no longer be restored, and not removed yet
        (maintenance)."""
        conversations = TypedCollection(self._truth.collection("conversations"), Conversation)
        over = {"deleted_at": {"$lte": self._clock() - undo_seconds}}
        await conversations.rows.update_where(over, Change(set={"removing": True}))
        return await conversations.find({**over, "removing": True}, limit=REMOVED_AT_ONCE)

    async def runs_of(self, conversation: Conversation) -> list[str]:
        """The runs of a conversation, including a deleted one."""
        messages = self._messages(conversation.user_id).rows
        rows = await messages.find({"conversation_id": conversation.id}, fields=("run_id",))
        return sorted({str(row["run_id"]) for row in rows if row.get("run_id")})

    async def remove(self, conversation: Conversation) -> None:
        """Remove the messages, then the conversation itself, so that an interrupted removal can be continued."""
        user_id = conversation.user_id
        await self._messages(user_id).rows.delete({"conversation_id": conversation.id})
        await self._conversations(user_id).rows.delete({"_id": conversation.id, "removing": True})

    async def messages(self, user_id: str, conversation_id: str) -> list[Message]:
        if not await self._conversations(user_id).rows.count({"_id": conversation_id, **PRESENT}):
            return []
        return await self._messages(user_id).find({"conversation_id": conversation_id}, sort=[("order", 1)])

    async def said(self, user_id: str, most: int) -> list[tuple[Conversation, Message]]:
        """The newest questions and answers of all conversations that are not deleted, in the order of time, each with
        its conversation; at most ``most``, without replaced versions. An answer's text is in its run."""
        shown = {each.id: each for each in await self._conversations(user_id).find(PRESENT)}
        newest = await self._messages(user_id).find({}, sort=[("created_at", -1), ("order", -1)], limit=most)
        edited = {each.conversation_id for each in newest if each.after is not None} & shown.keys()
        current = {each.id for at in edited for each in current_messages(await self.messages(user_id, at))}
        return [
            (shown[each.conversation_id], each)
            for each in reversed(newest)
            if each.conversation_id in shown and (each.conversation_id not in edited or each.id in current)
        ]

    async def threads_of(self, conversation: Conversation) -> list[str]:
        """The agent's threads of a conversation, including a deleted one."""
        messages = self._messages(conversation.user_id).rows
        branched = {"conversation_id": conversation.id, "thread": {"$ne": None}}
        rows = await messages.find(branched, fields=("thread",))
        return [conversation.id, *(str(row["thread"]) for row in rows)]

    async def turns(self, user_id: str, conversation_id: str) -> list[Turn]:
        """The turns in their current versions."""
        return current_turns(await self.messages(user_id, conversation_id))

    async def replaced(self, user_id: str, conversation_id: str) -> set[str]:
        """The ids of the messages that belong to replaced versions of questions."""
        messages = await self.messages(user_id, conversation_id)
        return {each.id for each in messages} - {each.id for each in current_messages(messages)}

    async def choose(self, user_id: str, run_id: str) -> None:
        """Make the question of a run the current version of its turn."""
        where = {"run_id": run_id, "role": "user"}
        await self._messages(user_id).rows.update_where(where, Change(set={"chosen_at": self._clock()}))

    async def note_start(self, user_id: str, run_id: str, start: TurnStart) -> None:
        """Store what the agent knew before the turn of a run."""
        where = {"run_id": run_id, "role": "user"}
        await self._messages(user_id).rows.update_where(where, Change(set={"start": start.model_dump()}))

    def new_thread(self) -> str:
        return self._new_id("thread")

    async def add_turn(
        self,
        conversation: Conversation,
        question: str,
        *,
        run_id: str,
        language: Language,
        mode: str,
        after: str | None = None,
        thread: str | None = None,
    ) -> Message:
        """Add the question and the (still empty) answer of ``run_id``; returns the answer's message. See ``Message``
        for the other arguments."""
        answer = await self._next_answer(conversation, 2, run_id, language, mode)
        asked = {
            "id": self._new_id("msg"), "order": answer.order - 1, "role": "user", "text": question, "after": after,
            "thread": thread,
        }  # fmt: skip
        await self._messages(conversation.user_id).insert(answer.model_copy(update=asked), answer)
        return answer

    async def add_follow_up(
        self, conversation: Conversation, *, run_id: str, language: Language, mode: str, follows: str
    ) -> Message:
        """Add the (still empty) full answer of ``run_id`` to a question that was partly answered before."""
        answer = await self._next_answer(conversation, 1, run_id, language, mode)
        following = answer.model_copy(update={"follows": follows})
        await self._messages(conversation.user_id).insert(following)
        return following

    async def _next_answer(
        self, conversation: Conversation, messages: int, run_id: str, language: Language, mode: str
    ) -> Message:
        """The message for a new answer. Adds ``messages`` to the conversation's message count, which includes it."""
        now = self._clock()
        change = Change(inc={"messages": messages}, set={"updated_at": now})
        return Message(
            id=self._new_id("msg"),
            user_id=conversation.user_id,
            conversation_id=conversation.id,
            order=(await self._update(conversation.user_id, conversation.id, change, PRESENT)).messages,
            role="assistant",
            language=language,
            mode=mode,
            run_id=run_id,
            created_at=now,
        )

    async def following(self, user_id: str, run_id: str) -> Message | None:
        """The full answer that follows the partial one of a run, once it has started."""
        return await self._messages(user_id).first({"follows": run_id})

    async def of_run(self, user_id: str, run_id: str) -> Message | None:
        """The answer that a run is writing."""
        return await self._messages(user_id).first({"run_id": run_id, "role": "assistant"})

    def _conversations(self, user_id: str) -> TypedCollection[Conversation]:
        return records_of(self._truth, user_id, "conversations", Conversation)

    def _messages(self, user_id: str) -> TypedCollection[Message]:
        return records_of(self._truth, user_id, "messages", Message)
