"""Gives a model the schemas of the datasets that it can query for a question."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.datasets.records import Dataset
from core.datasets.tools.schemas import names_of, schemas_within, shared_with
from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State, asked_in_full

log = logging.getLogger(__name__)

MOST_TOKENS = 600
"""Maximum tokens of the schemas in a prompt."""


@dataclass(frozen=True)
class OfferedDatasets:
    """The ``schemas`` of the datasets that a question may mean, or only the ``names`` of all if it names none of their
    columns and values."""

    schemas: Sequence[str] = ()
    names: str = ""


async def offered_datasets(services: Services, state: State) -> OfferedDatasets:
    """Returns the datasets that the turn can see; none if a query or the memory has already answered the question, or
    if they cannot be read."""
    asked, found = state["asked"], state["found"]
    if found.planned or found.from_memory or found.recollected:
        return OfferedDatasets()
    try:
        known = await services.turn.by_id(state)
        wanted = asked.document_ids or [*known, *(each.id for each in await services.turn.fetched(state))]
        datasets = await services.datasets.known(asked.user_id, wanted)
    except PalimpsestError:
        log.warning("a model gets no schemas of datasets", exc_info=True)
        return OfferedDatasets()
    if not datasets:
        return OfferedDatasets()
    titles = {document.id: document.metadata.title for document in known.values()}
    is_of_data = asked.question.destination.place == "data" or bool(asked.document_ids)
    return await asyncio.to_thread(_offered, datasets, titles, asked_in_full(state), is_of_data)


def _offered(
    datasets: Sequence[Dataset], titles: Mapping[str, str], question: str, is_of_data: bool
) -> OfferedDatasets:
    if is_of_data or any(shared_with(question, datasets, titles)):
        return OfferedDatasets(schemas=schemas_within(datasets, titles, question, MOST_TOKENS))
    return OfferedDatasets(names=names_of([each.name for each in datasets]))
