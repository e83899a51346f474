"""A LangGraph stream as typed events of the run."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig

from core.events import event_adapter
from core.graph.build import Agent
from core.graph.state import State
from core.runs.trace import Emit


async def stream_turn(agent: Agent, turn: State, thread_id: str, emit: Emit) -> None:
    """Run one turn; what the nodes write is emitted as it comes. Raises what a node raised."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
    async for event in agent.astream(turn, config, stream_mode="custom"):
        emit(event_adapter.validate_python(event))
