"""Holds the user's text against the documents of the turn, clause by clause."""

from __future__ import annotations

from core.events import Source
from core.graph.actions.audit import Auditor
from core.graph.actions.records import ActionResult, Progress
from core.graph.nodes.action import action, tables_of
from core.graph.services import Services
from core.graph.state import Node, State
from core.models.structured import PurposeModel
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery


def audit(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def act(state: State, sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        async def nearest(clause: str, most: int) -> list[str]:
            query = DocumentQuery(
                user_id=state["user_id"],
                text=clause,
                mode=state["mode"],
                conversation_id=state["conversation_id"],
                document_ids=[each.document_id for each in sources],
            )
            return await services.documents.nearest(query, most, Deadline(services.settings.deadlines.retrieval))

        auditor = Auditor(prompts, model, nearest, state["rules"].length, services.embeddings, services.inference)
        tables = await tables_of(services, state["user_id"], sources)
        return await auditor.audit(state.get("source_text", ""), sources, state["language"], progress, tables)

    return action(services, "audit", "audit", "auditing", act)
