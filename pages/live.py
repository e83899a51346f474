"""The page's live streams: the changes of an answer, documents being read, progress of the knowledge graph.

They are server-sent events, because browsers reconnect to them automatically, also after a restart of the server.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator
from dataclasses import replace

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse

from core.errors import PalimpsestError
from core.events import Heartbeat
from core.ids import is_id
from core.library.records import Document, DocumentProgress
from core.messages import message, message_group
from core.store.items import LIBRARY
from core.words import Language
from core.workbench import Workbench
from pages.actions import Reply
from pages.auth import Identity, signed_in
from pages.document_row import row
from pages.handlers.offers import show_decisions
from pages.run_view import Frame, RunView

FEED_SECONDS = 0.25
"""Minimum seconds between two updates of the library; if the last update is older, a change is sent immediately."""
LOOKING_SHARE = 0.1
"""Maximum share of its time that a library stream may spend on checking documents, however many are being read."""
SOON = 45.0
"""Seconds. A remaining time below this is shown as "soon", a longer one in minutes."""
IDLE_LOOKS = 20
"""Number of checks after which the stream of the open data map ends if no build is running."""
GRAPH_SECONDS = 1.5
"""Minimum seconds between two updates of the graph; the page redraws it after each."""

HEARTBEAT_SECONDS = 5.0
"""Seconds after which a waiting stream shows that it is alive; a page that was closed is noticed then."""

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Routes of the live streams; like the pages, they require sign-in."""
    router = APIRouter(prefix="/live")

    @router.get("/runs/{run_id}")
    async def run(run_id: str, request: Request) -> StreamingResponse:
        user_id = await reader_of(workbench, identity, run_id, request)
        return _events(_run_stream(workbench, user_id, run_id))

    @router.get("/follow-up/{run_id}")
    async def follow_up(run_id: str, request: Request) -> StreamingResponse:
        """The run that gives the full answer after a partial one, once it has started."""
        user_id = signed_in(identity, request)
        if not is_id(run_id, "run"):
            raise HTTPException(404)
        return _events(_follow_up_stream(workbench, user_id, run_id))

    @router.get("/suggested/{run_id}")
    async def suggested(run_id: str, request: Request) -> StreamingResponse:
        """The questions suggested below a finished answer, once they were tried."""
        user_id = await reader_of(workbench, identity, run_id, request)
        return _events(_suggested_stream(workbench, user_id, run_id))

    @router.get("/library")
    async def library(request: Request, ui: Language = "en", conversation: str = LIBRARY) -> StreamingResponse:
        """Stream of documents being read: those of the library, or a conversation's attachments."""
        user_id = signed_in(identity, request)
        return _events(_library_stream(workbench, user_id, ui, conversation))

    @router.get("/knowledge")
    async def knowledge(request: Request, version: str = "") -> StreamingResponse:
        """Stream of changes of the knowledge graph, for a page that shows it at ``version``."""
        user_id = signed_in(identity, request)
        return _events(_knowledge_stream(workbench, user_id, version))

    @router.get("/open-data")
    async def open_data(request: Request) -> StreamingResponse:
        """Stream of the open data map while it is being built."""
        signed_in(identity, request)
        return _events(_open_data_stream(workbench))

    @router.get("/rebuilding")
    async def rebuilding(request: Request) -> StreamingResponse:
        """Stream of the index rebuild, for administrators."""
        if not identity.is_administrator(signed_in(identity, request)):
            raise HTTPException(403)
        return _events(_rebuilding_stream(workbench))

    return router


def _events(stream: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(stream, media_type="text/event-stream", headers=_HEADERS)


async def reader_of(workbench: Workbench, identity: Identity, run_id: str, request: Request) -> str:
    """The user who requests a run. Raises ``HTTPException`` 401 without sign-in, and 404 if the run belongs to another
    user or does not exist."""
    user_id = signed_in(identity, request)
    if not is_id(run_id, "run"):
        raise HTTPException(404)
    try:
        await workbench.run(user_id, run_id)
    except PalimpsestError as error:
        raise HTTPException(404) from error
    return user_id


async def _run_stream(workbench: Workbench, user_id: str, run_id: str) -> AsyncIterator[str]:
    message = await workbench.conversations.of_run(user_id, run_id)
    view = RunView.of(run_id, message.id if message else "", await workbench.ledger.entries(user_id, run_id))
    await show_decisions(workbench, user_id, view)
    yield _sse(view.snapshot())
    if view.outcome:
        return
    async for entry in workbench.ledger.tail(user_id, run_id, after=view.sequence):
        if not isinstance(entry.event, Heartbeat):
            view.fold(entry)
        frames = view.frames(entry.event)
        if frames:
            yield _sse(frames)


async def _follow_up_stream(workbench: Workbench, user_id: str, run_id: str) -> AsyncIterator[str]:
    while True:
        seen = workbench.ledger.version_of(user_id)
        # Keep this order: a full answer must be announced before its pending entry is removed.
        owed = await workbench.follow_ups.is_owed(user_id, run_id)
        message = await workbench.conversations.following(user_id, run_id)
        if message or not owed:
            begun = {"run": message.run_id if message else None, "language": message.language if message else "en"}
            yield f"data: {json.dumps(begun)}\n\n"
            return
        yield ": waiting\n\n"
        await workbench.ledger.wait_for_user(user_id, seen, seconds=5.0)


async def _suggested_stream(workbench: Workbench, user_id: str, run_id: str) -> AsyncIterator[str]:
    """Sends the questions and ends; the trials end with the page that waits for them."""
    tried = asyncio.ensure_future(workbench.suggested.of(user_id, run_id))
    try:
        while not (await asyncio.wait({tried}, timeout=HEARTBEAT_SECONDS))[0]:
            yield ": waiting\n\n"
        yield f"data: {json.dumps({'questions': tried.result()}, ensure_ascii=False)}\n\n"
    finally:
        tried.cancel()


def _sse(frames: list[Frame]) -> str:
    return f"data: {json.dumps([frame.model_dump() for frame in frames], ensure_ascii=False)}\n\n"


async def _library_stream(workbench: Workbench, user_id: str, language: Language, scope: str) -> AsyncIterator[str]:
    sent: dict[str, Reply] = {}
    while True:
        began = time.monotonic()
        seen = workbench.ledger.version_of(user_id)
        busy = await workbench.library.busy(user_id)
        standing = await workbench.progress.of(busy)
        read_out = await workbench.books.under_way(user_id) if scope == LIBRARY else []
        rows = {
            each.id: _busy_row(each, standing.get(each.id), language)
            for each in (*busy, *read_out)
            if each.scope == scope
        }
        gone = [await _settled(workbench, user_id, document_id, language) for document_id in sent.keys() - rows.keys()]
        changed = [each for key, each in rows.items() if sent.get(key) != each] + [each for each in gone if each]
        sent = rows
        if changed or not rows:
            yield f"data: {json.dumps({'documents': changed, 'idle': not rows}, ensure_ascii=False)}\n\n"
        if not rows:
            return
        took = time.monotonic() - began
        await workbench.ledger.wait_for_user(user_id, seen, seconds=5.0)
        await asyncio.sleep(max(FEED_SECONDS, took / LOOKING_SHARE))


async def _knowledge_stream(workbench: Workbench, user_id: str, told: str) -> AsyncIterator[str]:
    """Sends changes of the graph. Changes by other processes are found at the next check; heartbeats reveal that a page
    was closed."""
    knowledge = workbench.memory.knowledge
    while True:
        seen = knowledge.changes.version_of(user_id)
        state = await knowledge.state(user_id)
        yield f"data: {state.model_dump_json()}\n\n" if state.version != told else ": as it was\n\n"
        told = state.version
        await asyncio.sleep(GRAPH_SECONDS)
        await knowledge.changes.wait(user_id, seen, seconds=5.0)


async def _open_data_stream(workbench: Workbench) -> AsyncIterator[str]:
    """Ends shortly after the build. A page can start listening before the build starts."""
    told, idle = "", 0
    while idle < IDLE_LOOKS:
        state = workbench.open_data.catalogue.state
        said = state.model_dump_json()
        yield f"data: {said}\n\n" if said != told else ": as it was\n\n"
        told, idle = said, 0 if state.building else idle + 1
        await asyncio.sleep(FEED_SECONDS)


async def _rebuilding_stream(workbench: Workbench) -> AsyncIterator[str]:
    """Ends when no rebuild is running; the last event says so."""
    told = ""
    while True:
        state = await workbench.operations.rebuilding.status()
        said = state.model_dump_json()
        yield f"data: {said}\n\n" if said != told else ": as it was\n\n"
        if not state.active:
            return
        told = said
        await asyncio.sleep(FEED_SECONDS)


def _busy_row(document: Document, standing: DocumentProgress | None, language: Language) -> Reply:
    """The row of a document that is being read; ``progress`` is as in the attachment chips."""
    progress: Reply = {}
    if standing:
        standing = replace(standing, words=_shown(standing.words), meaning=_shown(standing.meaning))
        counted = standing.stage in ("reading", "recognising") and standing.total > 0
        words = _STAGES[standing.stage]
        if counted and standing.stage == "recognising":
            words = message("pages.live.recognising", done=standing.done, total=standing.total)
        progress = {
            "text": words.to(language),
            "done": standing.done if counted else None,
            "total": standing.total if counted else None,
        }
    return {**row(document, language, standing), "progress": progress}


def _shown(seconds: float | None) -> float | None:
    """Rounds values as a row displays them; otherwise each of a thousand rows would change every second."""
    if seconds is None:
        return None
    return 0.0 if seconds < SOON else math.ceil(seconds / 60) * 60.0


_STAGES = message_group("pages.live.stages")


async def _settled(workbench: Workbench, user_id: str, document_id: str, language: Language) -> Reply | None:
    try:
        return row(await workbench.library.get(user_id, document_id), language, reader=user_id)
    except PalimpsestError:
        return None
