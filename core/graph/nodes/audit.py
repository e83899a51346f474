"""Audits the user's text against the selected documents, clause by clause; without a text, the documents themselves."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Source
from core.graph.nodes.action import done_with_documents, tables_of
from core.graph.services import Services
from core.graph.state import State
from core.library.records import Document
from core.library.rereading import AGAIN
from core.models.structured import PurposeModel
from core.resilience.dependencies import Deadline
from core.review.actions.audit import Auditor
from core.review.actions.consistency.self_audit import self_audit
from core.review.actions.records import ActionResult, Progress, whole_source
from core.search.documents.search import DocumentQuery

MOST_OTHERS = 5
"""Maximum number of documents of the same kind that an audited document is compared with, the newest first."""


async def audit(services: Services, state: State) -> State:
    asked = state["asked"]

    async def act(sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        async def nearest(clause: str, most: int) -> list[str]:
            query = DocumentQuery(
                user_id=asked.user_id,
                text=clause,
                mode=asked.ask.mode,
                conversation_id=asked.conversation_id,
                document_ids=[each.document_id for each in sources],
            )
            return await services.documents.nearest(query, most, Deadline(services.settings.deadlines.retrieval))

        tables = await tables_of(services, asked.user_id, sources)
        if not asked.source_text and sources:
            others = await _others(services, state, [each.document_id for each in sources])
            found = await services.contradictions.of_documents(asked.user_id, asked.document_ids or [])
            return await self_audit(sources, others, tables, found, asked.language, progress)
        auditor = Auditor(services.prompts, model, nearest, asked.rules.length, services.embeddings, services.inference)
        return await auditor.audit(asked.source_text, sources, asked.language, progress, tables)

    return await done_with_documents(services, state, "audit", "auditing", act)


async def _others(services: Services, state: State, audited: Sequence[str]) -> list[Source]:
    """Returns the person's other documents of the kind of an audited one, and by the same organisation if both name
    one; the newest first. Their numbers follow those of the audited ones."""
    listed = await services.turn.listed(state)
    ours = [each for each in listed if each.id in audited]
    found: list[Source] = []
    for each in listed:
        if each.id in audited or not each.is_stored or not any(_is_alike(each, other) for other in ours):
            continue
        chunks = await services.library.chunks(state["asked"].user_id, each.id)
        if items := [item for item in chunks if item.place.order < AGAIN]:
            found.append(whole_source(len(audited) + len(found) + 1, items))
        if len(found) == MOST_OTHERS:
            break
    return found


def _is_alike(one: Document, other: Document) -> bool:
    ours, theirs = one.metadata, other.metadata
    names, others = ({each.name for each in of.organisations[:1]} for of in (ours, theirs))
    return ours.kind == theirs.kind and ours.kind != "other" and (not (names and others) or bool(names & others))
