"""Imports the catalogue into a user's memory and graph: each data set's title, publisher and columns.

The memory then knows which data sets exist without calling the portal. Users import it on request, as often as they
like, and can remove it completely.
"""

from __future__ import annotations

from core.memory.items.sourced import TakenIn
from core.memory.memory import Memory
from core.messages import message
from core.tools.datagov.catalogue import Catalogue, Searchable
from core.tools.datagov.index import IndexedDataset
from core.tools.datagov.telling import category_name
from core.words import Language

SOURCE = "open-data"
MOST_COLUMNS = 12
LANGUAGE: Language = "he"
"""The language of the catalogue's titles."""


async def ingest(catalogue: Catalogue, memory: Memory, user_id: str) -> TakenIn:
    """Store each data set as a memory, with its columns if known; the graph is updated from memories as usual.

    Raises:
        PalimpsestError: there is no map, and the portal is not available.
    """
    current = await catalogue.whole()
    texts = {each.dataset.id: statement(each, current) for each in current.index.datasets}
    return await memory.take_in(user_id, SOURCE, texts)


def statement(indexed: IndexedDataset, current: Searchable) -> str:
    """One data set as one sentence, so that the graph connects the entities that the sentence names."""
    dataset = indexed.dataset
    names = [column.name.replace("_", " ") for one in dataset.resources for column in one.columns or []]
    columns = ", ".join(dict.fromkeys(names[:MOST_COLUMNS]))
    told = message(
        "tools.datagov.remembered",
        title=dataset.title,
        publisher=dataset.publisher,
        category=category_name(indexed.category, LANGUAGE),
        id=dataset.name,
    )
    parts = [told.to(LANGUAGE)]
    if columns:
        parts.append(message("tools.datagov.remembered_columns", columns=columns).to(LANGUAGE))
    parts.append(current.map.page(dataset))
    return " ".join(parts)
