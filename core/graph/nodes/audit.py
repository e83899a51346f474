"""Audits the user's text against the selected documents, clause by clause."""

from __future__ import annotations

from core.events import Source
from core.graph.nodes.action import done_with_documents, tables_of
from core.graph.services import Services
from core.graph.state import State
from core.models.structured import PurposeModel
from core.resilience.dependencies import Deadline
from core.review.actions.audit import Auditor
from core.review.actions.records import ActionResult, Progress
from core.search.documents.search import DocumentQuery


async def audit(services: Services, state: State) -> State:
    async def act(sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        async def nearest(clause: str, most: int) -> list[str]:
            query = DocumentQuery(
                user_id=state["asked"].user_id,
                text=clause,
                mode=state["asked"].ask.mode,
                conversation_id=state["asked"].conversation_id,
                document_ids=[each.document_id for each in sources],
            )
            return await services.documents.nearest(query, most, Deadline(services.settings.deadlines.retrieval))

        auditor = Auditor(
            services.prompts, model, nearest, state["asked"].rules.length, services.embeddings, services.inference
        )
        tables = await tables_of(services, state["asked"].user_id, sources)
        return await auditor.audit(state["asked"].source_text, sources, state["asked"].language, progress, tables)

    return await done_with_documents(services, state, "audit", "auditing", act)
