"""Every action of the pages as a named endpoint, for the Gradio client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

import gradio as gr

from core.events import Searched, Sources
from core.graph import interrupts
from core.library.library import Choice
from core.settings import ModeName
from core.workbench import Workbench
from pages.answers import Reply, problem_of, user_of
from pages.document_row import row
from pages.endpoints.conversations import ConversationsApi
from pages.endpoints.knowledge import KnowledgeApi
from pages.endpoints.library import LibraryApi
from pages.endpoints.memory import MemoryApi
from pages.endpoints.personality import PersonalityApi
from pages.feedback import FeedbackApi
from pages.identity import Identity
from pages.offers import OffersApi
from pages.run_view import RunView
from pages.uploads import received
from viz.answer import sureness


class Api:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity

    async def ask(
        self,
        question: str,
        conversation_id: str = "",
        mode: ModeName = "enhanced",
        model: str = "",
        action: Literal["", "inquire", "summarize", "compare", "audit"] = "",
        web: bool = False,
        without: list[str] | None = None,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> AsyncIterator[Reply]:
        """Ask a question; yields the answer as it grows. The last one is complete, or asks back with an ``interrupt``,
        to be answered with ``/resume_run``. ``without``: keys of chips of an earlier answer's ``searched`` that are to
        be left out of account."""
        try:
            user_id = user_of(self._identity, request)
            asked = await self._workbench.ask(
                user_id,
                question,
                conversation_id=conversation_id or None,
                mode=mode,
                model=model or None,
                action=action or None,
                web=web,
                without=without or (),
            )
            async for answer in self._follow(user_id, asked.run_id, asked.conversation.id):
                yield answer
        except Exception as error:
            yield problem_of(error, "en")

    async def resume_run(
        self,
        run_id: str,
        interrupt_id: str,
        choice_ids: list[str],
        text: str = "",
        cancel: bool = False,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> AsyncIterator[Reply]:
        """Answer what a run asked, by choices or by words, or cancel it; yields what ``/ask`` yields."""
        try:
            user_id = user_of(self._identity, request)
            reply = None if cancel else interrupts.Reply(choice_ids=choice_ids, text=text)
            await self._workbench.resume(user_id, run_id, interrupt_id, reply)
            run = await self._workbench.ledger.get(user_id, run_id)
            async for answer in self._follow(user_id, run_id, run.conversation_id or ""):
                yield answer
        except Exception as error:
            yield problem_of(error, "en")

    async def _follow(self, user_id: str, run_id: str, conversation_id: str) -> AsyncIterator[Reply]:
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

    async def upload_document(
        self, file: gr.FileData, name: str, choice: Choice = "ask", request: gr.Request = None
    ) -> Reply:  # type: ignore[assignment]
        """Give a file (uploaded through the client) to the library."""
        try:
            submission = await self._workbench.library.submit(
                user_of(self._identity, request), received(file["path"]), name, choice=choice
            )
            return {"status": submission.status, "document": row(submission.document, "en")}
        except Exception as error:
            return problem_of(error, "en")

    async def list_documents(self, search: str = "", request: gr.Request = None) -> list[Reply]:  # type: ignore[assignment]
        """The library's rows."""
        return [
            row(document, "en")
            for document in await self._workbench.library.find(user_of(self._identity, request), search)
        ]

    async def delete_document(self, document_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Delete a document; gone for every reader at once."""
        try:
            await self._workbench.library.delete(user_of(self._identity, request), document_id)
            return {"deleted": document_id}
        except Exception as error:
            return problem_of(error, "en")

    async def cancel_run(self, run_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Stop an answer that is being written."""
        try:
            await self._workbench.cancel(user_of(self._identity, request), run_id)
            return {"cancelled": run_id}
        except Exception as error:
            return problem_of(error, "en")

    async def answer_now(self, run_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Answer from the documents that are ready; the full answer follows by itself."""
        try:
            await self._workbench.answer_now(user_of(self._identity, request), run_id)
            return {"answered_now": run_id}
        except Exception as error:
            return problem_of(error, "en")

    async def search_document(self, document_id: str, words: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Where words stand in a document, in reading order."""
        try:
            hits = await self._workbench.viewer.search(user_of(self._identity, request), document_id, words[:200])
            return {"hits": [hit.model_dump(mode="json") for hit in hits]}
        except Exception as error:
            return problem_of(error, "en")

    async def load_samples(self, request: gr.Request = None) -> list[Reply]:  # type: ignore[assignment]
        """Put the sample documents into the library."""
        return [
            row(each.document, "en") for each in await self._workbench.load_samples(user_of(self._identity, request))
        ]


def register(workbench: Workbench, identity: Identity) -> None:
    """Call inside a ``gr.Blocks`` context."""
    api = Api(workbench, identity)
    endpoints = (
        api.ask,
        api.resume_run,
        api.upload_document,
        api.list_documents,
        api.delete_document,
        api.cancel_run,
        api.answer_now,
        api.search_document,
        api.load_samples,
        *FeedbackApi(workbench, identity).endpoints,
        *PersonalityApi(workbench, identity).endpoints,
        *OffersApi(workbench, identity).endpoints,
        *LibraryApi(workbench, identity).endpoints,
        *KnowledgeApi(workbench, identity).endpoints,
        *MemoryApi(workbench, identity).endpoints,
        *ConversationsApi(workbench, identity).endpoints,
    )
    for endpoint in endpoints:
        gr.api(endpoint, api_name=endpoint.__name__, concurrency_limit=None)


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
