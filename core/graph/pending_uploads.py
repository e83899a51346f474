"""Waits for uploaded documents that are still being processed, unless the user asks for an answer from the others."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.events import AnswerNow, Notice, PartlyRead
from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.resolver import resolve_mentions
from core.language.normalisation import fold
from core.library.catalogue import LIVE
from core.library.records import Document, DocumentProgress
from core.messages import about_minutes, message
from core.question.filenames import DOCUMENT_WORDS, named_documents
from core.question.known_entities import KnownDocument, organisations_in
from core.resilience.dependencies import Deadline
from core.runs.trace import Emit, Step, Trace
from core.words import Words

POLL_SECONDS = 0.1
MOST_NAMED = 3
"""Maximum number of documents named in a message."""
STALLED_SECONDS = 1.0
"""Seconds between two checks for stalled processing."""
_LEAD = re.compile(r"(?:[A-Z]|\d+[A-Z])[^\W_]*(?=[_\-. ])")
"""A name at the beginning of a filename: "3M_2018.pdf", "Pelagit-contract.docx"."""


@dataclass(frozen=True)
class Readiness:
    """The documents that an answer needs, and those of them that are still being processed."""

    documents: tuple[Document, ...]
    waiting: tuple[Document, ...]
    waited: bool = False

    @property
    def ready(self) -> int:
        return len(self.documents) - len(self.waiting)

    @property
    def share(self) -> float:
        return self.ready / len(self.documents) if self.documents else 1.0


async def wait_for_documents(
    services: Services, state: State, emit: Emit, trace: Trace, *, meaning: bool = False
) -> Readiness:
    """Waits until the question's documents are in the text index, or with ``meaning`` until they are fully processed.

    Waiting ends when they are ready, when the user asks for an answer from the ready ones, or at the deadline. It also
    ends if some are ready and all others have stalled because the process that worked on them died. The user is shown
    which documents are still missing. A full answer that follows a partial one does not wait.
    """
    now = await _readiness(services, state, meaning)
    _tell_of_unrecognised(now, emit)
    if not now.waiting or state["asked"].ask.follows:
        return now
    await services.library.prefer(state["asked"].user_id, [each.id for each in now.waiting])
    with trace.step("waiting") as step:
        now = replace(await _Wait(services, state, emit, step, meaning).over(now), waited=True)
    services.turn.renew()
    if now.waiting:
        ids = [each.id for each in now.waiting]
        emit(PartlyRead(ready=now.ready, total=len(now.documents), document_ids=ids, meaning=meaning))
    return now


def _tell_of_unrecognised(now: Readiness, emit: Emit) -> None:
    """Shows the user that scans are only partly recognised (OCR takes minutes) and that the answer uses only the
    recognised pages."""
    stored = [document for document in now.documents if document.state == "processing" and document.is_stored]
    scans = [document for document in stored if document.recognition]
    if not scans:
        return
    counts = [document.recognition for document in scans if document.recognition]
    names = ", ".join(document.filename for document in scans[:MOST_NAMED])
    done, total = sum(count.done for count in counts), sum(count.total for count in counts)
    key = "graph.pending_uploads.recognising"
    emit(Notice(words=message(key, count=len(scans), names=names, done=done, total=total)))


class _Wait:
    """One wait and the progress that it shows on the page."""

    def __init__(self, services: Services, state: State, emit: Emit, step: Step, meaning: bool) -> None:
        self._services = services
        self._state = state
        self._emit = emit
        self._step = step
        self._meaning = meaning
        self._said: Words | None = None
        self._offered: int | None = None
        self._stalled: set[str] = set()
        self._next_look = Deadline(0.0)

    async def over(self, now: Readiness) -> Readiness:
        limits = self._services.settings.deadlines
        patience, most = Deadline(limits.wait_for_text), Deadline(limits.wait_at_most)
        while now.waiting and not most.expired():
            await self._look_for_stalled()
            await self._emit_waiting(now)
            if now.ready and all(each.id in self._stalled for each in now.waiting):
                self._emit(Notice(words=message("graph.pending_uploads.goes_on_elsewhere")))
                break
            if patience.expired() and now.ready and self._offered != now.ready:
                self._offer(now, open=True)
            asked = self._state["asked"]
            if await self._services.ledger.take_answer_request(asked.user_id, asked.run_id):
                break
            await asyncio.sleep(POLL_SECONDS)
            now = await self._again(now)
        if self._offered is not None:
            self._offer(now, open=False)
        self._step.detail(_readiness_summary(now), now.ready, len(now.documents))
        return now

    async def _again(self, before: Readiness) -> Readiness:
        """Checks only the documents in progress, since a library may be large. Failed and deleted ones are no longer
        waited for, and are not counted at the end."""
        busy = {each.id: each for each in await self._services.library.busy(self._state["asked"].user_id)}
        waiting = _unready([busy[each.id] for each in before.waiting if each.id in busy], self._meaning)
        if len(waiting) == len(before.waiting):
            return Readiness(before.documents, tuple(waiting))
        asked_for = {each.id for each in before.documents}
        self._services.turn.renew()
        return await _readiness(self._services, self._state, self._meaning, asked_for)

    async def _look_for_stalled(self) -> None:
        if self._next_look.expired():
            self._next_look = Deadline(STALLED_SECONDS)
            self._stalled = await self._services.stalled.of(self._state["asked"].user_id)

    def _offer(self, now: Readiness, *, open: bool) -> None:
        self._offered = now.ready if open else None
        self._emit(AnswerNow(open=open, ready=now.ready, total=len(now.documents)))

    async def _emit_waiting(self, now: Readiness) -> None:
        words = await self._words(now)
        if words != self._said:
            self._said = words
            self._step.detail(words, now.ready, len(now.documents))

    async def _words(self, now: Readiness) -> Words:
        if stalled := sum(each.id in self._stalled for each in now.waiting):
            return _stands_still(stalled, len(now.documents))
        busy = await self._services.library.busy(self._state["asked"].user_id)
        standing = await self._services.progress.of(busy)
        return _waiting(now, _seconds_left(now.waiting, standing, self._meaning))


async def _readiness(services: Services, state: State, meaning: bool, asked_for: set[str] | None = None) -> Readiness:
    """Checks the documents ``asked_for``; by default, those that the question names, or else all visible ones."""
    seen = await services.turn.listed(state)
    live = [each for each in seen if each.state in LIVE]
    if asked_for is None:
        asked_for = await _named_document_ids(services, state, live) if _unready(live, meaning) else set()
    documents = [each for each in live if not asked_for or each.id in asked_for]
    return Readiness(tuple(documents), tuple(_unready(documents, meaning)))


def _unready(documents: Sequence[Document], meaning: bool) -> list[Document]:
    """Returns the documents to wait for; a scan counts as ready when part of it is recognised, since OCR takes
    minutes."""
    lacking = [document for document in documents if document.state != "completed"]
    return [document for document in lacking if not document.is_stored or (meaning and not document.recognition)]


async def _named_document_ids(services: Services, state: State, live: Sequence[Document]) -> set[str]:
    """Returns the ids of documents that the question names: after ``@``, by filename, or by organisation."""
    there = {each.id for each in live}
    sets = {each.name: tuple(each.document_ids) for each in await services.sets.all(state["asked"].user_id)}
    listed = tuple(VisibleDocument.of(each) for each in live)
    found = resolve_mentions(Reference(state["asked"].text, state["asked"].action, listed, sets)).document_ids
    if found:
        return set(found) & there
    by_organisation = {
        mention.document_id for mention in organisations_in(state["asked"].text, map(_known_document, live))
    }
    return ({*named_documents(state["asked"].text, live).document_ids} | by_organisation) & there


def _known_document(document: Document) -> KnownDocument:
    """Returns a document's description; an unprocessed one is named by the start of its filename."""
    names = [name for each in document.metadata.organisations for name in (each.name, *each.aliases)]
    lead = _LEAD.match(document.filename)
    if not names and lead and fold(lead.group()) not in DOCUMENT_WORDS:
        names = [lead.group()]
    return KnownDocument(document.id, document.filename, names=tuple(names))


def _seconds_left(waiting: Sequence[Document], standing: dict[str, DocumentProgress], meaning: bool) -> float | None:
    left = [
        each.meaning if meaning else each.words
        for each in (standing.get(document.id) for document in waiting)
        if each is not None
    ]
    known = [each for each in left if each is not None]
    return max(known) if known and len(known) == len(left) else None


def _waiting(now: Readiness, seconds: float | None) -> Words:
    waiting, total = len(now.waiting), len(now.documents)
    reading = (
        message("graph.pending_uploads.still_reading", count=waiting, total=total)
        if total > 1
        else message("graph.pending_uploads.still_reading_it")
    )
    return Words.joined([reading, about_minutes(seconds)] if seconds is not None else [reading], ": ")


def _stands_still(stalled: int, total: int) -> Words:
    if total > 1:
        return message("graph.pending_uploads.stalled", count=stalled, total=total)
    return message("graph.pending_uploads.stalled_it")


def _readiness_summary(now: Readiness) -> Words:
    ready, total = now.ready, len(now.documents)
    return message("graph.pending_uploads.ready", count=ready, total=total)
