"""Does what a message tells the memory to do: goals, values, what to remember."""

from __future__ import annotations

from core.events import Response
from core.graph.services import Services
from core.graph.state import State
from core.graph.tracing import node_trace
from core.messages import message
from core.words import Words

NO_MEMORY = message("graph.memory_command.no_memory")


async def memory_command(services: Services, state: State) -> State:
    _, trace = node_trace("m")
    with trace.step("remembering"):
        if services.memory:
            return {"response": await services.memory.command(state)}
    return {"response": _response(state, NO_MEMORY)}


def _response(state: State, words: Words) -> Response:
    return Response(kind="told", text=words.to(state["language"]), language=state["language"], action="memory")
