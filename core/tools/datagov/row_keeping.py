"""Fetches the rows of a resource that answers a question, so that they are kept and queries can compute over them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from core.clock import Clock
from core.library.records import PortalRows, WebOrigin
from core.tools.datagov.reading import Filters, RowReader, Rows, Wanted
from core.tools.datagov.records import Dataset, Resource
from core.tools.tool import Caller, Cell, KeptRows

log = logging.getLogger(__name__)

MOST_KEPT = 50_000
"""Maximum number of rows that are fetched for queries."""


@dataclass(frozen=True)
class FetchedRows:
    """Rows of one resource, with their source."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    origin: WebOrigin


@dataclass(frozen=True)
class ChosenResource:
    """A resource whose rows are kept. ``url`` is the page of its data set. ``fits``: it is likely the one that was
    asked for."""

    dataset: Dataset
    resource: Resource
    url: str
    fits: bool = True


class RowStore(Protocol):
    """Keeps fetched rows as datasets of the caller."""

    async def find(self, caller: Caller, rows: PortalRows) -> KeptRows | None:
        """Returns rows of the same resource that were fetched a short time ago, under the same limits."""

    async def keep(self, caller: Caller, fetched: FetchedRows) -> KeptRows | None:
        """Keeps the rows; returns ``None`` if they are not ready in time."""


class RowKeeping:
    """Keeps the rows of resources of the portal at ``address``; without a ``store`` it keeps nothing."""

    def __init__(self, reader: RowReader, address: str, clock: Clock) -> None:
        self._reader, self._portal, self._clock = reader, urlsplit(address).netloc, clock
        self.store: RowStore | None = None

    async def keep(self, caller: Caller, chosen: ChosenResource, wanted: Wanted, seen: Rows) -> KeptRows | None:
        """Keeps all rows of the resource, or only the ``wanted`` ones if they are too many. ``seen`` are the rows that
        were read for the answer. A failure is logged, because the answer does not
        depend on it. Calls outside a conversation keep nothing."""
        resource = chosen.resource
        if self.store is None or caller.conversation_id is None or not seen.rows:
            return None
        try:
            limited = Wanted(filters=wanted.filters, words=wanted.words)
            if _is_everything(seen, wanted):
                return await self._kept(self.store, caller, chosen, Wanted(), seen)
            total = resource.rows
            if total is None:
                total = (await self._reader.read(resource, Wanted(limit=1))).total
            kept = limited if total is not None and total > MOST_KEPT else Wanted()
            return await self._kept(self.store, caller, chosen, kept, None)
        except Exception:
            log.warning("the rows of %s are not kept", resource.id, exc_info=True)
            return None

    async def _kept(
        self, store: RowStore, caller: Caller, chosen: ChosenResource, wanted: Wanted, rows: Rows | None
    ) -> KeptRows | None:
        dataset, resource = chosen.dataset, chosen.resource
        source = PortalRows(
            portal=self._portal,
            resource_id=resource.id,
            publisher=dataset.publisher,
            changed=(resource.changed or dataset.changed)[:10],
            fetched=0,
            limited_to=_limits(wanted.filters, wanted.words),
            fits=chosen.fits,
        )
        if found := await store.find(caller, source):
            return found
        rows = rows or await self._reader.whole(resource, wanted, MOST_KEPT)
        total = len(rows.rows) if rows.complete else rows.total
        source = source.model_copy(update={"fetched": len(rows.rows), "total": total})
        columns = [column.name for column in rows.columns]
        origin = WebOrigin(url=chosen.url, fetched_at=self._clock(), rows=source)
        return await store.keep(caller, FetchedRows(dataset.title, columns, rows.rows, origin))


def _is_everything(seen: Rows, wanted: Wanted) -> bool:
    is_part = wanted.filters or wanted.words or wanted.columns or wanted.offset
    return not is_part and seen.complete and len(seen.rows) == seen.total


def _limits(filters: Filters, words: str) -> str:
    said = [f"{name}: {', '.join(map(str, values))}" for name, values in filters.items()]
    return "; ".join([*said, *filter(None, [words])])
