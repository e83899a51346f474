"""Brings what the memory knows into the turn [spec M12]; nothing, while there is no memory."""

from __future__ import annotations

from core.graph.services import Services
from core.graph.state import Node, State


def recall(services: Services) -> Node:
    async def node(state: State) -> State:
        return await services.memory.recall(state) if services.memory else {}

    return node
