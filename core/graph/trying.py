"""Tries questions before they are offered: *user and question* → whether it is answered as *Found*.

A trial is a turn without a conversation, a run, the memory, tools and a language model, and it ends before the answer
is checked and stored. So it leaves no trace in the history, the memory or the statistics. It waits while this process
answers real questions, and gives way to one that begins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import cast

from core.events import Response
from core.graph.build import graph_without
from core.graph.services import Services
from core.graph.state import State, fresh_turn
from core.ids import new_id
from core.models.chat import ChatModels
from core.runs.records import Ask
from core.runs.runner import Runner
from core.settings import Settings

log = logging.getLogger(__name__)

TRACELESS = frozenset({
    "read_links", "recall", "consult", "reread", "web", "command", "check", "title", "tone", "suggest", "finish",
    "offer", "learn",
})  # fmt: skip
"""Steps of the graph that a trial leaves out: they change something, or ask tools, the web or the memory."""
LONGEST_SECONDS = 30.0
"""Seconds after which a trial is given up, so that its question is not offered."""
MOST_TRIES = 5
"""How often a question is tried again after a real one interrupted its trial."""


class Trials:
    """Tries questions one after the other."""

    def __init__(self, services: Services, runner: Runner, settings: Settings) -> None:
        no_model = settings.model_copy(update={"model": None, "models": []})
        self._services = replace(services, models=ChatModels(no_model), turn_memory=None, suggestions=None)
        self._runner = runner
        self._turn = asyncio.Lock()

    async def found(self, user_id: str, question: str) -> bool:
        """Whether the question is answered with a first line that is *Found*."""
        async with self._turn:
            for _ in range(MOST_TRIES):
                await self._runner.idle()
                trial = asyncio.ensure_future(self._response(user_id, question))
                begun = asyncio.ensure_future(self._runner.begun())
                try:
                    await asyncio.wait({trial, begun}, timeout=LONGEST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                    if trial.done():
                        return _is_found(trial.result())
                    if not begun.done():
                        return False
                except Exception:
                    log.info("a question that was tried could not be answered", exc_info=True)
                    return False
                finally:
                    for task in (trial, begun):
                        task.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await trial
        return False

    async def _response(self, user_id: str, question: str) -> Response | None:
        """The answer, or ``None`` if the user would have to choose something first."""
        given = fresh_turn(user_id, new_id("run"), new_id("conv"), Ask(question=question))
        stream = graph_without(TRACELESS).astream(given, context=self._services.for_turn(), stream_mode="values")
        async with aclosing(cast(AsyncGenerator[State, None], stream)) as states:
            async for state in states:
                response: Response | None = state["answer"].response
                if response is not None:
                    return response
        return None


def _is_found(response: Response | None) -> bool:
    return response is not None and response.answer is not None and response.confidence == "high"
