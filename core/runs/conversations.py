"""Conversations and their messages: what the thread shows again after a reload."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.store.scope import ScopedTruth
from core.store.truth import Change, Sorted, Truth
from core.words import Language

TITLE_WORDS = 8


class Conversation(BaseModel):
    """``title_by`` says who named it: a person's name for it is never overwritten."""

    id: str = Field(alias="_id")
    user_id: str
    title: str
    title_by: Literal["first_words", "model", "person"] = "first_words"
    messages: int = 0
    created_at: float
    updated_at: float
    version: int = 0

    model_config = {"populate_by_name": True}


class Message(BaseModel):
    """``run_id`` is the run that answers; an assistant's message is drawn from that run's events, so it has no text."""

    id: str = Field(alias="_id")
    user_id: str
    conversation_id: str
    order: int
    role: Literal["user", "assistant"]
    text: str = ""
    language: Language = "en"
    mode: str | None = None
    run_id: str | None = None
    created_at: float

    model_config = {"populate_by_name": True}


def no_conversation() -> PalimpsestError:
    return fail(
        "not_found",
        ("This conversation does not exist.", "השיחה הזו אינה קיימת."),
        ("It was deleted, or it belongs to someone else.", "היא נמחקה, או שהיא שייכת למישהו אחר."),
        ("Choose one from the list, or start a new one.", "בחרו שיחה מהרשימה, או התחילו חדשה."),
    )


def first_title(question: str) -> str:
    """A title made at once from the first words of a question."""
    words = question.split()
    return " ".join(words[:TITLE_WORDS]) + ("…" if len(words) > TITLE_WORDS else "")


class Conversations:
    """Every method is bound to the user it is called for."""

    def __init__(self, truth: Truth, clock: Clock, new_id: NewId) -> None:
        self._truth = truth
        self._clock = clock
        self._new_id = new_id

    async def ensure(self) -> None:
        await self._truth.collection("conversations").ensure(sort=[Sorted(("user_id", "updated_at"))])
        await self._truth.collection("messages").ensure(sort=[Sorted(("conversation_id", "order"))])

    async def start(self, user_id: str, question: str) -> Conversation:
        now = self._clock()
        conversation = Conversation(
            id=self._new_id("conv"), user_id=user_id, title=first_title(question), created_at=now, updated_at=now
        )
        await self._of(user_id).collection("conversations").upsert(conversation.model_dump(by_alias=True, mode="json"))
        return conversation

    async def get(self, user_id: str, conversation_id: str) -> Conversation:
        """Raises ``PalimpsestError`` (not found)."""
        row = await self._of(user_id).collection("conversations").get(conversation_id)
        if row is None:
            raise no_conversation()
        return Conversation.model_validate(row)

    async def find(self, user_id: str, search: str = "", limit: int = 200) -> list[Conversation]:
        """Newest first; ``search`` matches titles."""
        rows = await self._of(user_id).collection("conversations").find(sort=[("updated_at", -1)], limit=limit)
        wanted = search.casefold().strip()
        found = [Conversation.model_validate(row) for row in rows]
        return [each for each in found if wanted in each.title.casefold()]

    async def name(self, user_id: str, conversation_id: str, title: str) -> bool:
        """Give it the title that a model wrote, unless a person has named it meanwhile; whether it was taken."""
        conversations = self._of(user_id).collection("conversations")
        change = Change(set={"title": title, "title_by": "model"})
        return await conversations.update(conversation_id, change, where={"title_by": {"$ne": "person"}}) is not None

    async def delete(self, user_id: str, conversation_id: str) -> list[str]:
        """Remove it with its messages; the runs behind them are returned, for the ledger to forget."""
        scope = self._of(user_id)
        await self.get(user_id, conversation_id)
        messages = await self.messages(user_id, conversation_id)
        await scope.collection("messages").delete({"conversation_id": conversation_id})
        await scope.collection("conversations").delete({"_id": conversation_id})
        return sorted({message.run_id for message in messages if message.run_id})

    async def messages(self, user_id: str, conversation_id: str) -> list[Message]:
        rows = (
            await self._of(user_id)
            .collection("messages")
            .find({"conversation_id": conversation_id}, sort=[("order", 1)])
        )
        return [Message.model_validate(row) for row in rows]

    async def message(self, user_id: str, message_id: str) -> Message:
        """Raises ``PalimpsestError`` (not found)."""
        row = await self._of(user_id).collection("messages").get(message_id)
        if row is None:
            raise no_conversation()
        return Message.model_validate(row)

    async def add_turn(
        self, conversation: Conversation, question: str, *, run_id: str, language: Language, mode: str
    ) -> Message:
        """The question and the (still empty) answer of ``run_id``; the answer's message is returned."""
        now = self._clock()
        scope = self._of(conversation.user_id)
        row = await scope.collection("conversations").update(
            conversation.id, Change(inc={"messages": 2}, set={"updated_at": now})
        )
        if row is None:
            raise no_conversation()
        order = int(str(row["messages"]))
        asked, answer = (
            Message(
                id=self._new_id("msg"),
                user_id=conversation.user_id,
                conversation_id=conversation.id,
                order=order - behind,
                role=role,
                text=text,
                language=language,
                mode=mode,
                run_id=run_id,
                created_at=now,
            )
            for behind, role, text in ((1, "user", question), (0, "assistant", ""))
        )
        await scope.collection("messages").insert_many(
            [message.model_dump(by_alias=True, mode="json") for message in (asked, answer)]
        )
        return answer

    async def of_run(self, user_id: str, run_id: str) -> Message | None:
        """The answer that a run is writing."""
        rows = await self._of(user_id).collection("messages").find({"run_id": run_id, "role": "assistant"}, limit=1)
        return Message.model_validate(rows[0]) if rows else None

    def _of(self, user_id: str) -> ScopedTruth:
        return ScopedTruth(self._truth, user_id)
