"""Summarizes the selected documents, each as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import AssistantDelta, Source
from core.figures.records import TableEvidence
from core.graph.answering.evidence import origin_of
from core.graph.nodes.action import done_with_documents, window_of
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.tracing import node_trace
from core.graph.understanding.intent.web_phrases import documents_part_of
from core.library.records import Document
from core.models.structured import PurposeModel
from core.review.actions.records import ActionResult, Progress
from core.review.actions.summarize import Summarizer
from core.review.actions.summary.document import DocumentDescription
from core.review.prompt_injection import StreamGuard


async def summarize(services: Services, state: State) -> State:
    emit, _ = node_trace("a")
    guard = StreamGuard()

    def say(text: str) -> None:
        if shown := guard.feed(text):
            emit(AssistantDelta(text=shown))

    async def act(sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        summarizer = Summarizer(
            services.prompts, model, services.embeddings, await window_of(model), state["asked"].rules.length,
            final=model.streamed(say) if model else None, say=say,
        )  # fmt: skip
        about = await _known_of(services, state, sources)
        return await summarizer.summarize(
            sources, state["asked"].language, documents_part_of(asked_in_full(state)), progress, about
        )

    return await done_with_documents(services, state, "summarize", "summarizing", act)


async def _known_of(services: Services, state: State, sources: Sequence[Source]) -> dict[str, DocumentDescription]:
    """Returns the documents' catalogue metadata, with the headings above each passage and the tables."""
    known = await services.turn.by_id(state)
    return {
        source.document_id: await _about(services, state["asked"].user_id, source, known[source.document_id])
        for source in sources
        if source.document_id in known
    }


async def _about(services: Services, user_id: str, source: Source, document: Document) -> DocumentDescription:
    chunks = await services.library.chunks(user_id, document.id)
    origin = origin_of(source, document)
    read = await services.tables.get(user_id, document)
    return DocumentDescription(
        document.metadata,
        document.pages,
        {chunk.id: tuple(chunk.source.book.path) for chunk in chunks if chunk.source.book},
        tuple(TableEvidence(origin, number, table) for number, table in enumerate(read)),
    )
