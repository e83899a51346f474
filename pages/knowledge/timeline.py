"""The timeline of the Knowledge tab: dated events of the chosen documents."""

from __future__ import annotations

import asyncio

from pydantic import Field

from core.knowledge.views import Event
from core.lru_cache import LruCache
from core.workbench import Workbench
from pages.actions import Handlers, Reply, action
from pages.auth import Identity
from pages.knowledge.choices import chosen_documents
from pages.knowledge.requests import DocumentChoice
from viz.knowledge.timeline import events_csv, timeline

MOST_DOCUMENTS = 60
"""Number of documents that are read for one timeline, the newest first."""
KEPT = 16


class TimelineView(DocumentChoice):
    """The requested part of the timeline. ``at``: a decade, year, month or day (``199``, ``1998``, ``1998-05``,
    ``1998-05-07``), or nothing for all of it; ``search``: words of the events."""

    at: str = Field("", pattern=r"^(\d{3,4}(-\d{2}(-\d{2})?)?)?$")
    search: str = Field("", max_length=200)


class TimelineDesk(Handlers):
    """Actions that show and export the timeline."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        super().__init__(workbench, identity)
        self._kept: LruCache[tuple[str, ...], list[Event]] = LruCache(KEPT)

    @action(endpoint="list_events", scope="read")
    async def events(self, user_id: str, call: TimelineView) -> Reply:
        """The dated events of the chosen documents as data: date, sentence, who, source."""
        events, _ = await self._events(user_id, call)
        return {"events": [each.model_dump(mode="json") for each in events if each.when.startswith(call.at)]}

    @action("knowledge", scope="read")
    async def timeline(self, user_id: str, call: TimelineView) -> Reply:
        """The dated events of the chosen documents."""
        events, left_out = await self._events(user_id, call)
        html = await asyncio.to_thread(timeline, events, call.at, call.ui, left_out=left_out)
        return {"html": str(html)}

    @action("knowledge", scope="read", noted="exported")
    async def export_timeline(self, user_id: str, call: TimelineView) -> Reply:
        """Export the dated events of the chosen documents as CSV."""
        events, _ = await self._events(user_id, call)
        within = [event for event in events if event.when.startswith(call.at)]
        return {"name": "timeline.csv", "type": "text/csv", "text": events_csv(within, call.ui)}

    async def _events(self, user_id: str, call: TimelineView) -> tuple[list[Event], int]:
        """The events that match, and the number of documents that were not read."""
        documents = await chosen_documents(self._workbench, user_id, call)
        read = documents[:MOST_DOCUMENTS]
        version = (await self._workbench.knowledge.state(user_id)).version
        key = (user_id, version, call.search, *(each.id for each in read))
        events = self._kept.use(key)
        if events is None:
            events = await self._workbench.knowledge.events(user_id, [each.id for each in read], call.search)
            self._kept[key] = events
        return events, len(documents) - len(read)
