"""Answers as data, for clients: a question or a reply in, the answer as it grows out; and words in a document."""

from __future__ import annotations

from collections.abc import AsyncIterator

from core.events import Searched, Sources
from core.workbench import Workbench
from pages.actions import OneDocument, Reply, action
from pages.handlers.chat import Answer, Chat, Question
from pages.run_view import RunView
from viz.answer import sureness


class SearchedDocument(OneDocument):
    """Words, and the document in which they are looked for."""

    words: str


class Runs:
    """What clients have and the page has not: it reads frames and pictures."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._chat = Chat(workbench)

    @action(endpoint="ask")
    async def ask(self, user_id: str, call: Question) -> AsyncIterator[Reply]:
        """Ask a question; yields the answer as it grows. The last one is complete, or asks back with an ``interrupt``,
        to be answered with ``/resume_run``. ``without``: keys of chips of an earlier answer's ``searched`` that are to
        be left out of account."""
        asked = await self._chat.ask(user_id, call)
        async for answer in self._follow(user_id, str(asked["run"])):
            yield answer

    @action(endpoint="resume_run")
    async def resume_run(self, user_id: str, call: Answer) -> AsyncIterator[Reply]:
        """Answer what a run asked, by choices or by words, or cancel it; yields what ``/ask`` yields."""
        await self._chat.resume(user_id, call)
        async for answer in self._follow(user_id, call.run_id):
            yield answer

    @action(endpoint="search_document")
    async def search_document(self, user_id: str, call: SearchedDocument) -> Reply:
        """Where words stand in a document, in reading order."""
        hits = await self._workbench.viewer.search(user_id, call.id, call.words[:200])
        return {"hits": [hit.model_dump(mode="json") for hit in hits]}

    async def _follow(self, user_id: str, run_id: str) -> AsyncIterator[Reply]:
        conversation_id = (await self._workbench.ledger.get(user_id, run_id)).conversation_id or ""
        message = await self._workbench.conversations.of_run(user_id, run_id)
        view = RunView(run_id, message.id if message else "")
        async for entry in self._workbench.ledger.tail(user_id, run_id):
            if isinstance(entry.event, Searched | Sources) and (view.sources or view.searched):
                # Replies travel as what changed, and a client miscounts where several lists grow shorter at once.
                yield {**answer_of(view, conversation_id), "sources": [], "searched": None}
            view.fold(entry)
            yield answer_of(view, conversation_id)
            if view.pending and await self._workbench.ledger.pending(user_id, run_id) == view.pending:
                return


def answer_of(view: RunView, conversation_id: str) -> Reply:
    """A run as data: ``answer`` is what its first line says, with value, scale, unit, period, cells and calculation;
    ``confidence`` how sure it is of that, nothing where it claims nothing; ``searched`` what the question was taken to
    be about.
    """
    response = view.response
    return {
        "conversation_id": conversation_id,
        "message_id": view.message_id,
        "run_id": view.run_id,
        "outcome": view.outcome,
        "kind": response.kind if response else None,
        "text": response.text if response else view.text,
        "answer": response.answer.model_dump(mode="json") if response and response.answer else None,
        "language": view.trace.language,
        "confidence": sureness(response, view.confidence, view.searched),
        "searched": view.searched.model_dump(mode="json", exclude={"type"}) if view.searched else None,
        "quotes": [quote.model_dump(mode="json") for quote in response.quotes] if response else [],
        "sources": [source.model_dump(mode="json") for source in view.sources],
        "interrupt": view.pending.model_dump(mode="json", exclude={"type"}) if view.pending else None,
        "problem": view.problem.model_dump(mode="json") if view.problem else None,
    }
