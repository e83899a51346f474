"""Compares the selected documents with each other."""

from __future__ import annotations

from core.events import Source
from core.graph.nodes.action import done_with_documents, tables_of
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.models.structured import PurposeModel
from core.review.actions.compare import Comparer
from core.review.actions.records import ActionResult, Progress


async def compare(services: Services, state: State) -> State:
    async def act(sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        comparer = Comparer(
            services.prompts, model, length=state["asked"].rules.length, embeddings=services.embeddings,
            workers=services.workers,
        )  # fmt: skip
        tables = await tables_of(services, state["asked"].user_id, sources)
        focus = asked_in_full(state)
        return await comparer.compare(sources, state["asked"].language, focus, progress, tables)

    return await done_with_documents(services, state, "compare", "comparing", act)
