"""Answers as data for clients. Accepts a question or a reply to a run's question, and streams the answer. Also searches
in one document."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import anyio

from core.errors import PalimpsestError
from core.events import Searched, Sources
from pages.actions import Handlers, OneDocument, ProgramCall, Reply, Tool, action
from pages.answer_given import AnswerGiven
from pages.handlers.chat import Answer, Chat, Question
from pages.run_view import RunView
from viz.answer import answer_state

ASK = (
    "Answer a question from the user's documents and memory. Every claim in the answer is cited as [N]. The sources "
    "are listed, and you can read their passages with read_passage. If the user must decide something first, an "
    "interrupt is returned instead: ask the user, and reply with the tool answer."
)
ANSWER = (
    "Reply to the interrupt of an earlier ask, summarize, compare or audit: with ids of its choices, with words if it "
    "allows text, or with cancel. Returns what the earlier call would have returned."
)
GIVING_UP = 5.0
"""Seconds that a run may take to end after the client program has disconnected."""


class SearchedDocument(OneDocument):
    """The search words, and the document to search."""

    words: str


@dataclass(frozen=True)
class _Begun:
    """A run that was started, its message and its conversation."""

    run_id: str
    message_id: str
    conversation_id: str


class Runs(Handlers):
    """Actions for clients only; the page receives answers as streams of HTML instead."""

    @action(endpoint="ask", tool=Tool("ask", AnswerGiven, ASK, outside=True), scope="ask")
    def ask(self, user_id: str, call: Question) -> AsyncGenerator[Reply]:
        """Ask a question. Yields the answer as it grows. The last reply is the complete answer, or contains a question
        to the user in ``interrupt``; reply to it with ``/resume_run``. ``without``: keys of chips in an earlier
        answer's ``searched``; these chips are ignored for this question."""
        return self._follow(user_id, call, partial(self._begin, user_id, call))

    @action(endpoint="resume_run", tool=Tool("answer", AnswerGiven, ANSWER, outside=True), scope="ask")
    def resume_run(self, user_id: str, call: Answer) -> AsyncGenerator[Reply]:
        """Reply to a run's question to the user with choices or text, or cancel the run. Yields the same replies as
        ``/ask``."""
        return self._follow(user_id, call, partial(self._resume, user_id, call))

    @action(endpoint="search_document", scope="read")
    async def search_document(self, user_id: str, call: SearchedDocument) -> Reply:
        """Search words in one document: the first matches in reading order, and their number. ``rows`` are those of a
        long spreadsheet."""
        words = call.words[:200]
        found = await self._workbench.viewer.search(user_id, call.id, words)
        rows = await self._workbench.datasets.rows_with(user_id, call.id, words)
        return {**found.model_dump(mode="json"), "rows": rows.model_dump(mode="json")}

    async def _begin(self, user_id: str, call: Question) -> _Begun:
        """Starts a run. A program's question without a conversation continues the program's previous one."""
        continued = call.program and not call.conversation_id
        group = self._workbench.program_tools.calls.group_of(user_id, call.program, call.text) if continued else None
        if group:
            call = call.model_copy(update={"conversation_id": await self._free(user_id, group.conversation_id)})
        asked = await Chat(self._workbench, self._identity).begin(user_id, call)
        if group:
            group.conversation_id = asked.conversation.id
        return _Begun(asked.run_id, asked.message_id, asked.conversation.id)

    async def _resume(self, user_id: str, call: Answer) -> _Begun:
        await Chat(self._workbench, self._identity).resume(user_id, call)
        run = await self._workbench.ledger.get(user_id, call.run_id)
        message = await self._workbench.conversations.of_run(user_id, run.id)
        return _Begun(run.id, message.id if message else "", run.conversation_id or "")

    async def _free(self, user_id: str, conversation_id: str | None) -> str | None:
        """The conversation, if it exists and no answer in it is active or waits for a reply."""
        if conversation_id is None or await self._workbench.ledger.active(user_id, conversation_id):
            return None
        try:
            return (await self._workbench.conversations.get(user_id, conversation_id)).id
        except PalimpsestError:
            return None

    async def _follow(
        self, user_id: str, call: ProgramCall, begin: Callable[[], Awaitable[_Begun]]
    ) -> AsyncGenerator[Reply]:
        """Yields the answer as it grows. If the client program disconnects, the run ends, because no one else reads its
        answer."""
        begun = await begin()
        run_id, conversation_id = begun.run_id, begun.conversation_id
        view = RunView(run_id, begun.message_id)
        left = bool(call.program)
        try:
            async for entry in self._workbench.ledger.tail(user_id, run_id):
                if isinstance(entry.event, Searched | Sources) and (view.sources or view.searched):
                    # Replies are sent as differences. Clients apply them wrongly if several lists get shorter in one
                    # reply.
                    yield {**answer_of(view, conversation_id), "sources": [], "searched": None}
                view.fold(entry)
                yield answer_of(view, conversation_id)
                if view.pending and await self._workbench.ledger.pending(user_id, run_id) == view.pending:
                    break
            left = False
        finally:
            if left:
                with anyio.move_on_after(GIVING_UP, shield=True):
                    await self._workbench.cancel(user_id, run_id)


def answer_of(view: RunView, conversation_id: str) -> Reply:
    """A run as data. ``answer``: the first line's statement, with value, scale, unit, period, cells and calculation;
    ``state``: *found*, *closest* (closest match, please check) or *not_found*; empty if the answer claims nothing or a
    model wrote it; ``searched``: how the question was understood; ``step``: the current step; ``steps``: the finished
    ones."""
    response, language = view.response, view.trace.language
    steps = list(view.trace.lines.values())
    return {
        "conversation_id": conversation_id,
        "message_id": view.message_id,
        "run_id": view.run_id,
        "outcome": view.outcome,
        "kind": response.kind if response else None,
        "text": view.neutral_text,
        "answer": response.answer.model_dump(mode="json") if response and response.answer else None,
        "language": language,
        "state": answer_state(response, view.confidence, view.searched),
        "searched": view.searched.model_dump(mode="json", exclude={"type"}) if view.searched else None,
        "quotes": [quote.model_dump(mode="json") for quote in response.quotes] if response else [],
        "sources": [source.model_dump(mode="json") for source in view.sources],
        "notices": [words.to(language) for words in view.notices],
        "suggestions": [*view.suggested.questions] if view.suggested else [],
        "interrupt": view.pending.model_dump(mode="json", exclude={"type"}) if view.pending else None,
        "problem": view.problem.model_dump(mode="json") if view.problem else None,
        "step": view.trace.live_text(),
        "steps": sum(each.status in ("done", "error") for each in steps),
    }
