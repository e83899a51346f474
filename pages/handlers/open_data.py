"""The catalogue of open data: how it is, searched, built anew, taken into a person's memory and graph and out again."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field, JsonValue

from pages.actions import Call, Handlers, Reply, action
from pages.handlers.tools import outcome_of

SEARCH = "datagov_search"


class DataSearch(Call):
    """Words that say what data are looked for; at most ``limit`` sets."""

    query: str = Field(min_length=1, max_length=500)
    limit: int = Field(5, ge=1, le=20)


class OpenDataDesk(Handlers):
    """What clients and the script of the page may call."""

    @action("tools", endpoint="open_data", scope="read")
    async def open_data(self, user_id: str, call: Call) -> Reply:
        """When the map was built and what is in it, and how many data sets this person has taken in."""
        open_data = self._workbench.open_data
        taken_in = await open_data.taken_in(self._workbench.memory, user_id)
        state = open_data.catalogue.state.model_dump(mode="json")
        return {**state, "taken_in": taken_in, "enabled": self._workbench.settings.datagov.enabled}

    @action(endpoint="search_open_data", scope="read")
    async def search_open_data(self, user_id: str, call: DataSearch) -> Reply:
        """Find data sets, each with how well it fits and why."""
        self._workbench.open_data.demand_enabled()
        given: dict[str, JsonValue] = {"query": call.query, "limit": call.limit}
        return outcome_of(await self._workbench.tools.try_out(user_id, call.ui, SEARCH, given), call.ui)

    @action("tools", endpoint="build_open_data", who="administrator", noted="changed")
    async def build_open_data(self, user_id: str, call: Call) -> Reply:
        """Build the map of the portal's catalogue anew; how many data sets it has, and when it was built."""
        await self._workbench.open_data.build()
        return await self.open_data(user_id, call)

    @action("tools", endpoint="take_in_open_data", noted="changed")
    async def take_in_open_data(self, user_id: str, call: Call) -> Reply:
        """Take the catalogue into the memory and the graph of who asks; again, only what changed."""
        return {**asdict(await self._workbench.open_data.ingest(self._workbench.memory, user_id))}

    @action("tools", endpoint="forget_open_data", noted="deleted")
    async def forget_open_data(self, user_id: str, call: Call) -> Reply:
        """Take it out again; how many data sets were there."""
        return {"forgotten": await self._workbench.open_data.forget(self._workbench.memory, user_id)}
