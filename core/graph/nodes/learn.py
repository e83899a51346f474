"""Gives a completed turn to the memory [spec M0]; a cancelled one never comes here."""

from __future__ import annotations

import logging

from core.graph.services import Services
from core.graph.state import Node, State

log = logging.getLogger(__name__)


def learn(services: Services) -> Node:
    async def node(state: State) -> State:
        if services.memory:
            try:
                await services.memory.learn(state)
            except Exception:
                log.exception("a turn was not remembered")
        return {}

    return node
