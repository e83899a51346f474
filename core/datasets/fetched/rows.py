"""Keeps fetched rows as documents that only queries over datasets read, one for each resource and conversation."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from core.clock import Clock
from core.datasets.service import Datasets
from core.datasets.tools.schemas import schema_of
from core.library.guard import safe_filename
from core.library.intake.submission import PageSource
from core.library.library import Library
from core.library.records import UNREAD, Document, PortalRows
from core.resilience.dependencies import Deadline
from core.store.items import is_fetched, scope_of_fetched
from core.tools.datagov.row_keeping import FetchedRows
from core.tools.tool import Caller, KeptRows

FRESH_SECONDS = 24 * 3600.0
"""Rows that are older are fetched again when a question needs them."""
KEPT_SECONDS = 30 * 24 * 3600.0
"""Rows that are older are deleted when others are kept."""
MOST_KEPT = 40
"""Maximum number of resources whose rows are kept for a user; the oldest are deleted first."""
MOST_BYTES = 20_000_000
"""Maximum size in bytes of the rows of one resource."""
READY_SECONDS = 30.0
"""Maximum time to wait until kept rows can be queried."""
_POLL_SECONDS = 0.05
_LONGEST_NAME = 80


async def fetched_documents(library: Library, user_id: str, conversation_id: str | None) -> list[Document]:
    """Returns the documents with rows that were fetched for a conversation, or for all of the user's, newest first."""
    if conversation_id is not None:
        return await library.catalogue.all(user_id, scope=scope_of_fetched(conversation_id))
    return [each for each in await library.catalogue.all(user_id) if is_fetched(each.scope)]


class FetchedRowStore:
    """Keeps fetched rows for the conversation of the caller. Every method is limited to the caller's data."""

    def __init__(self, library: Library, datasets: Datasets, clock: Clock) -> None:
        self._library, self._datasets, self._clock = library, datasets, clock

    async def find(self, caller: Caller, rows: PortalRows) -> KeptRows | None:
        """Returns rows of the same resource that were fetched a short time ago, under the same limits."""
        assert caller.conversation_id is not None
        for document in await fetched_documents(self._library, caller.user_id, caller.conversation_id):
            origin = document.origin
            if origin is None or origin.rows is None or self._clock() - origin.fetched_at > FRESH_SECONDS:
                continue
            known = (origin.rows.resource_id, origin.rows.limited_to, origin.rows.changed)
            if known == (rows.resource_id, rows.limited_to, rows.changed):
                if origin.rows.fits != rows.fits:
                    fresh = origin.model_copy(update={"rows": origin.rows.model_copy(update={"fits": rows.fits})})
                    await self._library.catalogue.change(caller.user_id, document.id, origin=fresh)
                return await self._ready(caller.user_id, document)
        return None

    async def keep(self, caller: Caller, fetched: FetchedRows) -> KeptRows | None:
        """Keeps the rows in place of earlier ones of the same resource; returns ``None`` if they cannot be queried
        in time."""
        assert caller.conversation_id is not None
        rows = fetched.origin.rows
        assert rows is not None
        earlier = await fetched_documents(self._library, caller.user_id, caller.conversation_id)
        same = [each for each in earlier if each.origin and each.origin.rows]
        same = [each for each in same if each.origin.rows.resource_id == rows.resource_id]  # type: ignore[union-attr]
        name = safe_filename(f"{fetched.title[:_LONGEST_NAME].strip()}.jsonl")
        with TemporaryDirectory(prefix="palimpsest-rows-") as folder:
            file = Path(folder, "rows.jsonl")
            written = await asyncio.to_thread(_write, file, fetched)
            source = rows.model_copy(update={"fetched": written, "total": rows.total or None})
            origin = fetched.origin.model_copy(update={"rows": source})
            submitted = await self._library.submit(
                caller.user_id,
                file,
                name,
                scope=scope_of_fetched(caller.conversation_id),
                choice="keep_both",
                source=PageSource(origin, same[0].id if same else None),
            )
        if submitted.status == "duplicate":  # The same rows were fetched again, so they are fresh.
            await self._library.catalogue.change(caller.user_id, submitted.document.id, origin=origin)
        await self._library.prefer(caller.user_id, [submitted.document.id])
        await self._remove_old(caller.user_id)
        return await self._ready(caller.user_id, submitted.document)

    async def _ready(self, user_id: str, document: Document) -> KeptRows | None:
        """Waits until the rows can be queried."""
        deadline = Deadline(READY_SECONDS)
        while not deadline.expired():
            datasets = await self._datasets.known(user_id, [document.id])
            if datasets:
                titles = {document.id: document.metadata.title}
                schemas = [schema_of(dataset, titles) for dataset in datasets]
                return KeptRows(document_id=document.id, schema_text="\n\n".join(schemas))
            known = await self._library.catalogue.find(user_id, document.id)
            if known is None or known.state in UNREAD:
                return None
            await asyncio.sleep(_POLL_SECONDS)
        return None

    async def _remove_old(self, user_id: str) -> None:
        kept = await fetched_documents(self._library, user_id, None)
        too_old = self._clock() - KEPT_SECONDS
        for place, each in enumerate(kept):
            if place >= MOST_KEPT or each.added_at < too_old:
                await self._library.delete(user_id, each.id)


def _write(file: Path, fetched: FetchedRows) -> int:
    """Writes the rows as JSON objects, which keep the types of cells, up to ``MOST_BYTES``; returns how many were
    written."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for place, row in enumerate(fetched.rows):
            if place % 1_000 == 0 and out.tell() > MOST_BYTES:
                return place
            out.write(json.dumps(dict(zip(fetched.columns, row, strict=True)), ensure_ascii=False) + "\n")
    return len(fetched.rows)
