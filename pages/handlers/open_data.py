"""The open data catalogue: its status, search in it, rebuilding it, importing it into a user's memory and graph, and
removing it there."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field, JsonValue

from pages.actions import Call, Handlers, Reply, action
from pages.handlers.tools import outcome_of

SEARCH = "datagov_search"


class DataSearch(Call):
    """Words that describe the data; at most ``limit`` data sets are returned."""

    query: str = Field(min_length=1, max_length=500)
    limit: int = Field(5, ge=1, le=20)


class OpenDataDesk(Handlers):
    """Actions that clients and the page's script can call."""

    @action("tools", endpoint="open_data", scope="read")
    async def open_data(self, user_id: str, call: Call) -> Reply:
        """When the map of the catalogue was built, its size, and how many data sets the caller has imported."""
        open_data = self._workbench.open_data
        taken_in = await open_data.taken_in(self._workbench.memory, user_id)
        state = open_data.catalogue.state.model_dump(mode="json")
        return {**state, "taken_in": taken_in, "enabled": self._workbench.settings.datagov.enabled}

    @action(endpoint="search_open_data", scope="read")
    async def search_open_data(self, user_id: str, call: DataSearch) -> Reply:
        """Find data sets, each with its score and the reason."""
        self._workbench.open_data.demand_enabled()
        given: dict[str, JsonValue] = {"query": call.query, "limit": call.limit}
        return outcome_of(await self._workbench.tools.try_out(user_id, call.ui, SEARCH, given), call.ui)

    @action("tools", endpoint="build_open_data", who="administrator", noted="changed")
    async def build_open_data(self, user_id: str, call: Call) -> Reply:
        """Rebuild the map of the portal's catalogue. Returns the number of data sets and the duration."""
        await self._workbench.open_data.build()
        return await self.open_data(user_id, call)

    @action("tools", endpoint="take_in_open_data", noted="changed")
    async def take_in_open_data(self, user_id: str, call: Call) -> Reply:
        """Import the catalogue into the caller's memory and graph. A repeated import adds only changes."""
        return {**asdict(await self._workbench.open_data.ingest(self._workbench.memory, user_id))}

    @action("tools", endpoint="forget_open_data", noted="deleted")
    async def forget_open_data(self, user_id: str, call: Call) -> Reply:
        """Remove the imported catalogue from the caller's memory and graph. Returns the number of data sets removed."""
        return {"forgotten": await self._workbench.open_data.forget(self._workbench.memory, user_id)}
