"""Sets the documents of the turn beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.records import TableEvidence
from core.events import Source
from core.graph.actions.compare import Comparer
from core.graph.actions.records import ActionResult, Progress
from core.graph.answering.evidence import origin_of
from core.graph.nodes.action import action
from core.graph.services import Services
from core.graph.state import Node, State, asked_in_full
from core.models.structured import PurposeModel
from core.prompts.templates import Prompts

MOST_WITH_TABLES = 4
"""Documents whose tables are looked through."""


def compare(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def act(state: State, sources: list[Source], model: PurposeModel | None, progress: Progress) -> ActionResult:
        comparer = Comparer(prompts, model, length=state["rules"].length, embeddings=services.embeddings)
        tables = await tables_of(services, state["user_id"], sources)
        focus = state.get("focus") or asked_in_full(state)
        return await comparer.compare(sources, state["language"], focus, progress, tables)

    return action(services, "compare", "compare", "comparing", act)


async def tables_of(services: Services, user_id: str, sources: Sequence[Source]) -> list[TableEvidence]:
    """All tables of the first documents, in their order; where one cannot be read, it has none."""
    wanted = [source for source in sources if source.kind == "document"][:MOST_WITH_TABLES]
    found: list[TableEvidence] = []
    for source in wanted:
        document = await services.library.get(user_id, source.document_id)
        origin = origin_of(source, document)
        read = await services.tables.get(user_id, document)
        found += [TableEvidence(origin, index, table) for index, table in enumerate(read)]
    return found
