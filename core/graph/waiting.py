"""Giving documents that are being read a moment to become findable [spec L4]."""

from __future__ import annotations

import asyncio

from core.graph.services import Services
from core.graph.state import State
from core.resilience import Deadline
from core.runs.trace import Trace
from core.words import Words

POLL_SECONDS = 0.1


async def wait_for_text(services: Services, state: State, trace: Trace) -> float:
    """Wait a little for uploads and attachments; the share of what this conversation may read that can be found."""
    user_id, conversation_id = state["user_id"], state["conversation_id"]
    share = await services.library.searchable_share(user_id, conversation_id)
    if share >= 1.0:
        return share
    with trace.step("waiting") as step:
        deadline = Deadline(services.settings.deadlines.wait_for_text)
        while share < 1.0 and not deadline.expired():
            await asyncio.sleep(POLL_SECONDS)
            share = await services.library.searchable_share(user_id, conversation_id)
        step.detail(Words(en=f"{share:.0%} of the documents are searchable", he=f"{share:.0%} מהמסמכים ניתנים לחיפוש"))
    return share
