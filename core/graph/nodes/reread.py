"""Reads the originals again around the question: the third tier of retrieval."""

from __future__ import annotations

import logging

from core.graph.services import Services
from core.graph.state import Node, State, asked_in_full
from core.graph.tracing import node_trace
from core.messages import message

log = logging.getLogger(__name__)

MOST_DOCUMENTS = 2


def reread(services: Services) -> Node:
    async def node(state: State) -> State:
        _, trace = node_trace("l")
        with trace.step("augmenting") as step:
            added = 0
            for document_id in _documents_to_reread(state):
                added += await _reread_document(services, state, document_id)
            step.detail(message("graph.reread.node", added=added))
        return {"reread": True, "added": added}

    return node


def _documents_to_reread(state: State) -> list[str]:
    """The documents asked about, or those that come closest."""
    found = [source.document_id for source in state["sources"]]
    named = state.get("document_ids") or []
    return (found or named)[:MOST_DOCUMENTS]


async def _reread_document(services: Services, state: State, document_id: str) -> int:
    try:
        return await services.rereading.reread(state["user_id"], document_id, asked_in_full(state))
    except Exception:
        log.warning("%s was not read again", document_id, exc_info=True)
        return 0
