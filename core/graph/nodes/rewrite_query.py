"""Rewrites a follow-up question so that it is complete by itself, before any search."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from core.graph.services import Services
from core.graph.state import Asked, State
from core.graph.understanding.documents.answer_items import with_item
from core.graph.understanding.documents.query_rewriting import complete as completed
from core.graph.understanding.documents.query_rewriting import kinds_taken_over
from core.question.analysed import analysed_as
from core.records.subject_matter import Completed


async def rewrite_query(services: Services, state: State) -> State:
    """Applies only to questions; a full answer uses the question that was completed for the partial one."""
    if state["asked"].ask.follows or state["asked"].action != "inquire" or state["asked"].document_ids:
        return {}
    known = await services.turn.known(state)
    today = datetime.fromtimestamp(services.clock(), UTC).date()
    asked, turns = state["asked"].text, state.get("turns", [])
    found = await asyncio.to_thread(completed, asked, state.get("last_asked"), known, today)
    named = with_item(asked, turns[-1]["answer"]) if turns and not (found and found.carried) else None
    if named:
        more = await asyncio.to_thread(completed, named, state.get("last_asked"), known, today)
        carried = kinds_taken_over(asked, more.text if more else named, known)
        found = (more or Completed(text=named)).model_copy(update={"carried": carried})
    question = analysed_as(state["asked"].question, found.text if found else asked, state["asked"].question_language)
    return {"asked": Asked(completed=found, question=question)}
