"""Rewrites a follow-up question so that it is complete by itself, before any search."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from core.graph.services import Services
from core.graph.state import Asked, State
from core.graph.understanding.documents.query_rewriting import complete as completed
from core.question.analysed import analysed_as


async def rewrite_query(services: Services, state: State) -> State:
    """Applies only to questions; a full answer uses the question that was completed for the partial one."""
    if state["asked"].ask.follows or state["asked"].action != "inquire" or state["asked"].document_ids:
        return {}
    known = await services.turn.known(state)
    today = datetime.fromtimestamp(services.clock(), UTC).date()
    found = await asyncio.to_thread(completed, state["asked"].text, state.get("last_asked"), known, today)
    text = found.text if found else state["asked"].text
    question = analysed_as(state["asked"].question, text, state["asked"].language)
    return {"asked": Asked(completed=found, question=question)}
