"""What people may upload, seen by all and changed by the administrator."""

from __future__ import annotations

from pydantic import Field

from core.workbench import Workbench
from pages.actions import Call, Reply, action
from pages.auth import Identity


class ChangedLimit(Call):
    """``value``: nothing goes back to the default."""

    name: str = Field(max_length=100)
    value: int | None = None


class LimitsPanel:
    """What the script of the panel may call."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity

    @action("library", endpoint="list_limits")
    async def limits(self, user_id: str, call: Call) -> Reply:
        """Each limit with its value, its bounds and whether the environment fixes it."""
        return {
            "limits": [each.model_dump() for each in self._workbench.overrides.all()],
            "may_change": self._identity.is_administrator(user_id),
        }

    @action("library", "settings", endpoint="change_limit", who="administrator")
    async def change_limit(self, user_id: str, call: ChangedLimit) -> Reply:
        """Change one; it holds at once and for everybody."""
        await self._workbench.overrides.change(call.name, call.value)
        return await self.limits(user_id, call)
