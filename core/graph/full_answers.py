"""Replaces partial answers: starts a full answer when documents that were still being processed are ready."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from pydantic import BaseModel, Field

from core.clock import Clock
from core.events import Action
from core.library.catalogue import Catalogue
from core.library.records import Document
from core.records.subject_matter import Completed
from core.resilience.ending import end
from core.runs.records import Ask
from core.setting_groups import ModeName
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection, records_of

log = logging.getLogger(__name__)

POLL_SECONDS = 0.25
"""Seconds between two checks of the documents while a full answer is pending."""
BEGINNING_SECONDS = 5.0
"""Maximum seconds to wait for an answer to start; longer means that the record store does not respond."""


class FollowUp(BaseModel, populate_by_name=True):
    """A pending full answer. Its id is that of the run that gave the partial answer; ``meaning``: the documents need
    embeddings before it starts, not only the text index."""

    id: str = Field(alias="_id")
    user_id: str
    conversation_id: str
    question: str
    mode: ModeName
    model: str | None = None
    action: Action
    web: bool = False
    named: list[str] | None = None
    awaited: list[str]
    meaning: bool = False
    completed: Completed | None = None
    without: list[str] = []
    created_at: float

    @property
    def ask(self) -> Ask:
        """The question to answer again, with the options of the partial answer."""
        return Ask(
            question=self.question,
            conversation_id=self.conversation_id,
            mode=self.mode,
            model=self.model,
            action=self.action,
            web=self.web,
            without=tuple(self.without),
            document_ids=None if self.named is None else tuple(self.named),
            completed=self.completed,
            follows=self.id,
        )


Begin = Callable[[FollowUp], Awaitable[bool]]
"""Starts the full answer; returns False if its conversation is busy, so that it is tried again."""


class FollowUps:
    """Keeps pending full answers in the record store, so that they survive a restart. Call ``start`` with a function
    that starts an answer; call ``stop`` at the end."""

    def __init__(self, truth: Truth, catalogue: Catalogue, clock: Clock) -> None:
        self._truth = truth
        self._of_all = TypedCollection(truth.collection("follow_ups"), FollowUp)
        self._catalogue = catalogue
        self._clock = clock
        self._wake = asyncio.Event()
        self._drained = False
        self._task: asyncio.Task[None] | None = None

    async def ensure(self) -> None:
        await self._of_all.rows.ensure()

    async def start(self, begin: Begin) -> None:
        self._wake.set()
        self._task = asyncio.create_task(self._run(begin), name="follow-ups")

    async def drain(self) -> None:
        """Stops starting full answers in this process; one that is already being started may continue."""
        self._drained = True
        self._wake.set()
        if self._task:
            await asyncio.wait([self._task], timeout=BEGINNING_SECONDS)

    async def stop(self) -> None:
        if self._task:
            await end([self._task])

    async def note(self, owed: FollowUp) -> None:
        """Records that the question must be answered again when the documents are ready."""
        await self._of(owed.user_id).put(owed)
        self._wake.set()

    async def is_owed(self, user_id: str, run_id: str) -> bool:
        """Returns whether a full answer to the run is pending."""
        return await self._of(user_id).get(run_id) is not None

    async def forget(self, user_id: str, conversation_id: str) -> None:
        """Removes the pending answers of a deleted conversation."""
        await self._of(user_id).rows.delete({"conversation_id": conversation_id})

    async def _run(self, begin: Begin) -> None:
        while not self._drained:
            await self._wake.wait()
            self._wake.clear()
            try:
                if await self._round(begin):
                    self._wake.set()
            except Exception:
                log.exception("full answers are looked for again")
                self._wake.set()
            await asyncio.sleep(POLL_SECONDS)

    async def _round(self, begin: Begin) -> int:
        """Starts the full answers that are due; returns how many are still pending."""
        left = 0
        for owed in await self._of_all.find():
            if self._drained:
                break
            found = [await self._catalogue.find(owed.user_id, each) for each in owed.awaited]
            awaited = [each for each in found if each is not None]
            due = not any(_is_on_its_way(each, owed.meaning) for each in awaited)
            # If none of the documents could be read, there is nothing new to say: the first answer stays.
            if due and (not any(map(_can_be_asked, awaited)) or await begin(owed)):
                await self._of(owed.user_id).rows.delete({"_id": owed.id})
            else:
                left += 1
        return left

    def _of(self, user_id: str) -> TypedCollection[FollowUp]:
        return records_of(self._truth, user_id, "follow_ups", FollowUp)


def _can_be_asked(document: Document) -> bool:
    return document.state == "completed" or document.is_stored


def _is_on_its_way(document: Document, meaning: bool) -> bool:
    return document.state in ("pending", "processing") and (meaning or not document.is_stored)
