"""Stores a completed turn in the memory; a cancelled turn never reaches this node."""

from __future__ import annotations

import logging

from langgraph.config import get_stream_writer

from core.events import Remembered
from core.graph.services import Services
from core.graph.state import State

log = logging.getLogger(__name__)


async def learn(services: Services, state: State) -> State:
    # A partial answer is not stored: the full answer that follows counts for both.
    if services.memory and not state["found"].awaited:
        try:
            meta = await services.memory.learn(state)
        except Exception:
            log.exception("a turn was not remembered")
            return {}
        if meta:
            get_stream_writer()(Remembered(meta=meta))
    return {}
