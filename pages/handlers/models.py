"""Servers of models on this machine, for whoever wants answers to be written and not only quoted."""

from __future__ import annotations

import asyncio

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
        """Servers that listen where they usually do, each with the models that can answer; and the embedding models and
        rerankers of this machine, each with the lines of the environment that use it."""
        found, services = await asyncio.gather(
            self._workbench.find_model_servers(), self._workbench.find_search_services()
        )
        able = [(server, [each.id for each in server.models if not each.embeds]) for server in found]
        return {
            "servers": [
                {"name": server.name, "address": server.address, "models": [*models[:MOST_MODELS]]}
                for server, models in able
                if models
            ],
            "search": [
                {"kind": each.kind, "model": each.model, "lines": [f"{k}={v}" for k, v in each.settings().items()]}
                for each in services
            ],
        }
