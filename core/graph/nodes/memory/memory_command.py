"""Runs a message's memory command: goals, values, texts to remember."""

from __future__ import annotations

from core.events import Response
from core.graph.services import Services
from core.graph.state import State, TurnAnswer
from core.graph.tracing import node_trace
from core.messages import message

NO_MEMORY = message("graph.memory_command.no_memory")


async def memory_command(services: Services, state: State) -> State:
    _, trace = node_trace("m")
    with trace.step("remembering"):
        if services.memory:
            return {"answer": TurnAnswer(response=await services.memory.command(state))}
    language = state["asked"].language
    return {
        "answer": TurnAnswer(
            response=Response(kind="told", text=NO_MEMORY.to(language), language=language, action="memory")
        )
    }
