"""The catalogue taken into a person's memory and graph: each data set as what it is, who publishes it, what it tells.

With it the memory knows what data there is without a call to the portal. It is taken in when somebody asks for it,
as often as they like, and goes again as a whole.
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
"""That of the catalogue's titles."""


async def ingest(catalogue: Catalogue, memory: Memory, user_id: str) -> TakenIn:
    """Remember every data set, with its columns once they have been looked at; the graph reads the memories as it
    reads all others.

    Raises:
        PalimpsestError: there is no map, and the portal cannot be asked for one.
    """
    await catalogue.current()
    await catalogue.settled()
    current = await catalogue.current()
    texts = {each.dataset.id: statement(each, current) for each in current.index.datasets}
    return await memory.take_in(user_id, SOURCE, texts)


def statement(indexed: IndexedDataset, current: Searchable) -> str:
    """One data set in words: a sentence that the graph reads things out of, which therefore stand together."""
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
