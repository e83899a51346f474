"""Finds the passages an answer may rest on."""

from __future__ import annotations

import asyncio

from core.events import Notice, Sources
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.resilience import Deadline
from core.runs.trace import Emit, Trace
from core.search.documents import DocumentQuery, Found
from core.words import Words

POLL_SECONDS = 0.1


def retrieve(services: Services) -> Node:
    async def node(state: State) -> State:
        emit, trace = node_trace("r")
        share = await _wait_for_text(services, state["user_id"], trace)
        with trace.step("searching") as step:
            found = await services.documents.find(
                DocumentQuery(
                    user_id=state["user_id"],
                    text=state["question"],
                    mode=state["mode"],
                    conversation_id=state["conversation_id"],
                    document_ids=state.get("document_ids"),
                ),
                Deadline(services.settings.deadlines.retrieval),
                lambda name: trace.step(name, step),
            )
            step.detail(_found(found))
        _say(emit, found, share)
        return {"sources": found.sources, "confidence": found.confidence}

    return node


async def _wait_for_text(services: Services, user_id: str, trace: Trace) -> float:
    """Give a running upload a moment to become findable; the share of documents that is."""
    share = await services.library.searchable_share(user_id)
    if share >= 1.0:
        return share
    with trace.step("waiting") as step:
        deadline = Deadline(services.settings.deadlines.wait_for_text)
        while share < 1.0 and not deadline.expired():
            await asyncio.sleep(POLL_SECONDS)
            share = await services.library.searchable_share(user_id)
        step.detail(Words(en=f"{share:.0%} of the documents are searchable", he=f"{share:.0%} מהמסמכים ניתנים לחיפוש"))
    return share


def _found(found: Found) -> Words:
    passages = sum(len(source.passages) for source in found.sources)
    return Words(
        en=f"{found.candidates} candidates → {passages} passages · documents: {len(found.sources)}",
        he=f"{found.candidates} מועמדים ← {passages} קטעים · מסמכים: {len(found.sources)}",
    )


def _say(emit: Emit, found: Found, share: float) -> None:
    for words in found.notices:
        emit(Notice(words=words))
    if share < 1.0:
        emit(
            Notice(
                words=Words(
                    en=f"{share:.0%} of your documents could be searched; the rest are still being read.",
                    he=f"ניתן היה לחפש ב־{share:.0%} מהמסמכים; השאר עדיין נקראים.",
                )
            )
        )
    emit(Sources(sources=found.sources, confidence=found.confidence, searchable_share=share))
