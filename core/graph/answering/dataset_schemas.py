"""Gives a model the schemas of the datasets that it can query for a question."""

from __future__ import annotations

import asyncio
import logging

from core.datasets.tools.schemas import schemas_within
from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State, asked_in_full

log = logging.getLogger(__name__)

MOST_TOKENS = 600
"""Maximum tokens of the schemas in a prompt."""


async def dataset_schemas(services: Services, state: State) -> list[str]:
    """Returns the schemas of the datasets that the turn can see; none if a query has already answered the question, or
    if they cannot be read."""
    asked, found = state["asked"], state["found"]
    if found.planned or found.from_memory:
        return []
    try:
        known = await services.turn.by_id(state)
        wanted = asked.document_ids or [*known, *(each.id for each in await services.turn.fetched(state))]
        datasets = await services.datasets.known(asked.user_id, wanted)
    except PalimpsestError:
        log.warning("a model gets no schemas of datasets", exc_info=True)
        return []
    if not datasets:
        return []
    titles = {document.id: document.metadata.title for document in known.values()}
    return await asyncio.to_thread(schemas_within, datasets, titles, asked_in_full(state), MOST_TOKENS)
