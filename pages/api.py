"""Every action of the pages as a named endpoint, for the Gradio client [spec U8]."""

from __future__ import annotations

from collections.abc import AsyncIterator

import gradio as gr

from core.library.library import Choice
from core.settings import ModeName
from core.workbench import Workbench
from pages.answers import Reply, problem_of, signed_out
from pages.identity import Identity
from pages.library import row
from pages.run_view import RunView
from pages.uploads import received


def register(workbench: Workbench, identity: Identity) -> None:
    """Call inside a ``gr.Blocks`` context."""

    def who(request: gr.Request) -> str:
        user_id = identity.user(request)  # type: ignore[arg-type]
        if user_id is None:
            raise signed_out()
        return user_id

    async def ask(
        question: str,
        conversation_id: str = "",
        mode: ModeName = "enhanced",
        model: str = "",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> AsyncIterator[Reply]:
        """Ask a question; yields the answer as it grows, the last value is complete."""
        try:
            user_id = who(request)
            asked = await workbench.ask(
                user_id, question, conversation_id=conversation_id or None, mode=mode, model=model or None
            )
            view = RunView(asked.run_id, asked.message_id)
            async for entry in workbench.ledger.tail(user_id, asked.run_id):
                view.fold(entry)
                yield answer_of(view, asked.conversation.id)
        except Exception as error:
            yield problem_of(error, "en")

    async def upload_document(file: str, name: str, choice: Choice = "ask", request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Give a file (uploaded through the client) to the library."""
        try:
            submission = await workbench.library.submit(who(request), received(file), name, choice=choice)
            return {"status": submission.status, "document": row(submission.document, "en")}
        except Exception as error:
            return problem_of(error, "en")

    async def list_documents(search: str = "", request: gr.Request = None) -> list[Reply]:  # type: ignore[assignment]
        """The library's rows."""
        return [row(document, "en") for document in await workbench.library.list(who(request), search)]

    async def delete_document(document_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Delete a document; gone for every reader at once."""
        try:
            await workbench.library.delete(who(request), document_id)
            return {"deleted": document_id}
        except Exception as error:
            return problem_of(error, "en")

    async def cancel_run(run_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Stop an answer that is being written."""
        try:
            await workbench.cancel(who(request), run_id)
            return {"cancelled": run_id}
        except Exception as error:
            return problem_of(error, "en")

    async def load_samples(request: gr.Request = None) -> list[Reply]:  # type: ignore[assignment]
        """Put the sample documents into the library."""
        return [row(each.document, "en") for each in await workbench.load_samples(who(request))]

    for endpoint in (ask, upload_document, list_documents, delete_document, cancel_run, load_samples):
        gr.api(endpoint, api_name=endpoint.__name__, concurrency_limit=None)


def answer_of(view: RunView, conversation_id: str) -> Reply:
    """A run as data."""
    response = view.response
    return {
        "conversation_id": conversation_id,
        "run_id": view.run_id,
        "outcome": view.outcome,
        "kind": response.kind if response else None,
        "text": response.text if response else view.text,
        "language": view.trace.language,
        "confidence": view.confidence,
        "sources": [source.model_dump(mode="json") for source in view.sources],
        "problem": view.problem.model_dump(mode="json") if view.problem else None,
    }
