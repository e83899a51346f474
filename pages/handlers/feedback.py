"""Feedback on an answer, and what the memory contributed to it: the row under the answer, and the Memory view of the
side panel."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.errors import fail
from core.events import Remembered, Sources
from core.memory.corrections.records import MOST_CHARACTERS
from core.memory.items.reasons import FailureReason
from core.memory.items.records import OutcomeEffect
from core.records.memory_meta import MemoryMeta, Reason
from core.store.items import Outcome
from core.words import Language
from pages.actions import Call, Handlers, Id, OneRun, Reply, Tool, action
from viz.feedback import feedback_effect
from viz.known_context import known_context

Said = Literal["worked", "partial", "failed"]
FEEDBACK = (
    "Rate an answer of ask, summarize, compare or audit by its message_id, after the user has said whether it helped: "
    "worked, partial or failed. `related` are the numbers of the citations that the rating is about; `reason` and "
    "`words` say why it did not help, and `right` is the right answer if the user gave it: the next answer uses it. "
    "The sources of the answer then rank higher or lower."
)


class Word(Call):
    """A rating of an answer. ``related``: the numbers of the citations that are rated; if empty, all of them.
    ``right``: the right answer, for an answer that failed or is partly right."""

    message_id: Id
    outcome: Said
    related: list[int] = Field([], max_length=100)
    right: str = Field("", max_length=MOST_CHARACTERS)


class DrawnWord(Word):
    """A rating whose effect is returned as HTML. ``why``: why the answer did not help; if not given, the earlier reason
    stays. ``language``: the answer's language."""

    why: FailureReason | None = None
    language: Language = "en"


class ReasonedWord(Word):
    """A rating with a reason why the answer did not help: a ``reason`` from the list, your own ``words``, or both."""

    reason: Reason | None = None
    words: str | None = None

    @property
    def why(self) -> FailureReason | None:
        return FailureReason(reason=self.reason, words=self.words or "") if self.reason or self.words else None


class Answered(Call):
    """The answer whose correction is removed."""

    message_id: Id


class CorrectedAnswer(Answered):
    """An answer whose rating is returned as HTML. ``language``: the answer's language."""

    language: Language = "en"


class FeedbackGiven(BaseModel):
    """The result of a rating. ``outcome``: the answer's current outcome; ``effect``: what the rating changed;
    ``meant``: the numbers of the rated citations."""

    answer_id: str
    outcome: Outcome
    effect: OutcomeEffect
    meant: list[int] = []


class Feedback(Handlers):
    """Actions that the thread's script can call."""

    @action("chat")
    async def feedback(self, user_id: str, call: DrawnWord) -> Reply:
        """Rate an answer; returns the changes as HTML."""
        effect = await self._workbench.memory.record_feedback(
            user_id, call.message_id, call.outcome, call.related, call.why, call.right
        )
        return {"outcome": effect.outcome, "html": str(feedback_effect(effect, call.language))}

    @action("chat")
    async def undo_correction(self, user_id: str, call: CorrectedAnswer) -> Reply:
        """Remove the right answer that the user typed for an answer; returns its rating as HTML."""
        effect = await self._workbench.memory.undo_correction(user_id, call.message_id)
        return {"outcome": effect.outcome, "html": str(feedback_effect(effect, call.language))}

    @action("chat", scope="read")
    async def known(self, user_id: str, call: OneRun) -> Reply:
        """What the memory contributed to an answer, as HTML."""
        meta, titles = await self.meta(user_id, call.id)
        return {"html": str(known_context(meta, titles, call.ui))}

    @action(
        endpoint="record_feedback",
        tool=Tool("record_feedback", FeedbackGiven, FEEDBACK, destroys=True, repeatable=True),
    )
    async def record_feedback(self, user_id: str, call: ReasonedWord) -> Reply:
        """Rate an answer, or its citations ``related``, with a reason if it did not help. Returns the changed scores
        and their effect on the next ranking."""
        effect = await self._workbench.memory.record_feedback(
            user_id, call.message_id, call.outcome, call.related, call.why, call.right
        )
        return effect.model_dump(mode="json", by_alias=True)

    @action(endpoint="remove_correction")
    async def remove_correction(self, user_id: str, call: Answered) -> Reply:
        """Remove the right answer that was given for an answer; the rating stays."""
        effect = await self._workbench.memory.undo_correction(user_id, call.message_id)
        return effect.model_dump(mode="json", by_alias=True)

    @action(endpoint="get_memory_meta", scope="read")
    async def get_memory_meta(self, user_id: str, call: OneRun) -> Reply:
        """The record of what the memory contributed to an answer (``docs/memory-meta.schema.json``)."""
        meta, _ = await self.meta(user_id, call.id)
        return meta.model_dump(mode="json")

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
