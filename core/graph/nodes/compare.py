"""Compares the selected documents with each other."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Source
from core.figures.stored.records import FigureQuery, StoredFigure
from core.graph.nodes.action import done_with_documents, tables_of, window_of
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.graph.understanding.intent.web_phrases import documents_part_of
from core.models.structured import PurposeModel
from core.resilience.dependencies import Deadline
from core.review.actions.compare import Comparer
from core.review.actions.records import ActionResult, Progress
from core.search.documents.search import DocumentQuery

MOST_FIGURES = 60
"""Maximum number of stored figures on one subject that are read for each document."""


async def compare(services: Services, state: State) -> State:
    asked = state["asked"]

    async def look_up(document_id: str, measure: str) -> Sequence[StoredFigure]:
        query = FigureQuery(measure=measure, document_ids=(document_id,), limit=MOST_FIGURES)
        return [each.figure for each in await services.figures.find(asked.user_id, query)]

    async def nearest(document_id: str, text: str, most: int) -> list[str]:
        query = DocumentQuery(
            user_id=asked.user_id, text=text, mode=asked.ask.mode, conversation_id=asked.conversation_id,
            document_ids=[document_id],
        )  # fmt: skip
        return await services.documents.nearest(query, most, Deadline(services.settings.deadlines.retrieval))

    async def act(sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        comparer = Comparer(
            services.prompts, model, length=asked.rules.length, embeddings=services.embeddings,
            workers=services.workers, window=await window_of(model), look_up=look_up, nearest=nearest,
        )  # fmt: skip
        tables = await tables_of(services, asked.user_id, sources)
        return await comparer.compare(
            sources, asked.language, documents_part_of(asked_in_full(state)), progress, tables
        )

    return await done_with_documents(services, state, "compare", "comparing", act)
