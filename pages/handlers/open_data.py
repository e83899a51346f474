"""The catalogue of open data: built anew, taken into a person's memory and graph, and taken out again."""

from __future__ import annotations

from dataclasses import asdict

from core.workbench import Workbench
from pages.actions import Call, Reply, action


class OpenDataDesk:
    """What clients may call."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @action("tools", endpoint="build_open_data", who="administrator")
    async def build_open_data(self, user_id: str, call: Call) -> Reply:
        """Build the map of the portal's catalogue anew; how many data sets it has, and when it was built."""
        state = await self._workbench.open_data.build()
        return state.model_dump(mode="json")

    @action("tools", endpoint="take_in_open_data")
    async def take_in_open_data(self, user_id: str, call: Call) -> Reply:
        """Take the catalogue into the memory and the graph of who asks; again, only what changed."""
        return {**asdict(await self._workbench.open_data.ingest(self._workbench.memory, user_id))}

    @action("tools", endpoint="forget_open_data")
    async def forget_open_data(self, user_id: str, call: Call) -> Reply:
        """Take it out again; how many data sets were there."""
        return {"forgotten": await self._workbench.open_data.forget(self._workbench.memory, user_id)}
