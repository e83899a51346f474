"""Servers of models on this machine, for whoever wants answers to be written and not only quoted."""

from __future__ import annotations

from core.workbench import Workbench
from pages.actions import Call, Reply, action

MOST_MODELS = 5
"""Of one server, that are told."""


class ModelFinder:
    """What the hint under a quoted answer may call."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @action("chat", "settings", endpoint="find_models", who="administrator")
    async def find_models(self, user_id: str, call: Call) -> Reply:
        """Servers that listen where they usually do, each with the models that can answer."""
        found = await self._workbench.find_model_servers()
        able = [(server, [each.id for each in server.models if not each.embeds]) for server in found]
        return {
            "servers": [
                {"name": server.name, "address": server.address, "models": [*models[:MOST_MODELS]]}
                for server, models in able
                if models
            ]
        }
