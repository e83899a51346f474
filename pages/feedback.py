"""How answers did, and what the memory gave to them: the row under an answer and the Memory view of the dock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import gradio as gr
from pydantic import Field

from core.errors import fail
from core.events import Remembered, Sources
from core.ids import ID_PATTERN
from core.memory.items.reasons import FailureReason
from core.memory_meta import MemoryMeta, Reason
from core.words import Language
from core.workbench import Workbench
from pages.answers import Call, Reply, problem_of, user_of
from pages.identity import Identity
from viz.feedback import feedback_effect
from viz.known_context import known_context

Endpoint = Callable[..., Awaitable[Reply]]
Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Said = Literal["worked", "partial", "failed"]


class Word(Call):
    """``related`` are the citations that the word is about; without any, all of them. ``why`` it did not help, where
    that is said; without, what was said of it before stays. ``language`` is the answer's."""

    message_id: Id
    outcome: Said
    related: list[int] = Field([], max_length=100)
    why: FailureReason | None = None
    language: Language = "en"


class OfRun(Call):
    run_id: Id


class Feedback:
    """What the script of the thread may call."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    async def feedback(self, user_id: str, call: Word) -> Reply:
        """Say how an answer did; drawn is what that moved."""
        effect = await self._workbench.feedback.say(user_id, call.message_id, call.outcome, call.related, call.why)
        return {"outcome": effect.outcome, "html": str(feedback_effect(call.message_id, effect, call.language))}

    async def known(self, user_id: str, call: OfRun) -> Reply:
        """What the memory gave to an answer."""
        meta, titles = await self.meta(user_id, call.run_id)
        return {"html": str(known_context(meta, titles, call.ui))}

    async def meta(self, user_id: str, run_id: str) -> tuple[MemoryMeta, dict[str, str]]:
        await self._workbench.run(user_id, run_id)
        titles: dict[str, str] = {}
        meta: MemoryMeta | None = None
        for entry in await self._workbench.ledger.entries(user_id, run_id):
            if isinstance(entry.event, Sources):
                titles |= {source.document_id: source.title for source in entry.event.sources}
            elif isinstance(entry.event, Remembered):
                meta = entry.event.meta
        if meta is None:
            raise fail("not_found", "pages.feedback.nothing_memory_kept_answer")
        return meta, titles


class FeedbackApi:
    """The same as named endpoints."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._feedback = Feedback(workbench)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (self.record_feedback, self.get_memory_meta)

    async def record_feedback(
        self,
        message_id: str,
        outcome: Said,
        related: list[int],
        reason: Reason | None = None,
        words: str | None = None,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Say how an answer did, or how the citations ``related`` did in it, and why if it did not help: a ``reason``,
        ``words`` of your own, or both. Told is what moved, and what the next ranking will do with it."""
        try:
            user_id = user_of(self._identity, request)
            why = FailureReason(reason=reason, words=words or "") if reason or words else None
            word = Word(message_id=message_id, outcome=outcome, related=related, why=why)
            effect = await self._workbench.feedback.say(user_id, word.message_id, word.outcome, word.related, word.why)
            return effect.model_dump(mode="json")
        except Exception as error:
            return problem_of(error, "en")

    async def get_memory_meta(self, run_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """The record of what the memory gave to an answer (``docs/memory-meta.schema.json``)."""
        try:
            meta, _ = await self._feedback.meta(user_of(self._identity, request), OfRun(run_id=run_id).run_id)
            return meta.model_dump(mode="json")
        except Exception as error:
            return problem_of(error, "en")
