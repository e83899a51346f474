"""Tries questions before they are offered: *user and candidate* → whether it is answered as *Found* by its document.

A trial is a turn without a conversation, a run, the memory, tools and a language model, and it ends before the answer
is checked and stored. So it leaves no trace in the history, the memory or the statistics. It waits while this process
answers real questions, and gives way to one that begins.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import cast

from core.events import Response
from core.graph.build import graph_without
from core.graph.services import Services
from core.graph.state import State, fresh_turn
from core.ids import new_id
from core.language.normalisation import fold
from core.models.chat import ChatModels
from core.review.questions.candidate import CandidateQuestion
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
COMPARED = 60
"""Characters of what an answer is expected to state that are compared with it."""
MOST_TRIES = 5
"""How often a question is tried again after a real one interrupted its trial."""


class Trials:
    """Tries questions one after the other."""

    def __init__(self, services: Services, runner: Runner, settings: Settings) -> None:
        no_model = settings.model_copy(update={"model": None, "models": []})
        self._services = replace(services, models=ChatModels(no_model), turn_memory=None, suggestions=None)
        self._runner = runner
        self._turn = asyncio.Lock()

    async def found(self, user_id: str, candidate: CandidateQuestion) -> bool:
        """Whether the question is answered with a first line that is *Found* in the document that it is about."""
        async with self._turn:
            for _ in range(MOST_TRIES):
                await self._runner.idle()
                trial = asyncio.ensure_future(self._response(user_id, candidate.text))
                begun = asyncio.ensure_future(self._runner.begun())
                try:
                    await asyncio.wait({trial, begun}, timeout=LONGEST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                    if trial.done():
                        return is_found(trial.result(), candidate)
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


def is_found(response: Response | None, candidate: CandidateQuestion) -> bool:
    """Whether an answer is *Found*, from the document from which the candidate was made, and states what is expected;
    the check of a certain answer that is wrong."""
    if response is None or response.answer is None or response.confidence != "high":
        return False
    answer = response.answer
    cited = {cell.document_id for cell in answer.cells if cell.document_id}
    if candidate.document_id and cited and cited != {candidate.document_id}:
        return False
    stated = fold(" ".join([answer.line, *(cell.text for cell in answer.cells)]))
    expected = fold(candidate.expected).strip(" .")
    if len(expected) > COMPARED:
        return expected[:COMPARED] in stated
    return not expected or re.search(rf"(?<!\w){re.escape(expected)}(?!\w)", stated) is not None
