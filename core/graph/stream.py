"""Converts a LangGraph stream into typed run events."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from core.events import Interrupted, event_adapter
from core.graph.build import Agent
from core.graph.interrupts import asked
from core.graph.state import State
from core.runs.trace import Emit


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


async def stream_turn(agent: Agent, given: State | Command[str], thread_id: str, emit: Emit) -> Interrupted | None:
    """Runs or resumes a turn and emits the events that the nodes write. Raises what a node raised.

    The state is saved when the turn stops, not after each node. So a turn whose process dies between two nodes cannot
    be resumed from there.

    Returns:
        The question at which the turn paused, or ``None`` if it finished.
    """
    config = _thread(thread_id)
    async for event in agent.graph.astream(
        given, config, context=agent.services.for_turn(), stream_mode="custom", durability="exit"
    ):
        emit(event_adapter.validate_python(event))
    return asked(await agent.graph.aget_state(config))


async def thread_state(agent: Agent, thread_id: str) -> State:
    """Returns the state that a thread has saved; empty if it has none."""
    values: State = (await agent.graph.aget_state(_thread(thread_id))).values  # type: ignore[assignment]
    return values


async def partial_turn(agent: Agent, thread_id: str, run_id: str) -> State | None:
    """Returns the state of a turn whose answer covers only part of its documents, otherwise ``None``."""
    values = await thread_state(agent, thread_id)
    ours = _run_of(values) == run_id
    return values if ours and values["found"].awaited and not values["answer"].cancelled else None


async def pending_question(agent: Agent, thread_id: str, run_id: str) -> Interrupted | None:
    """Returns the question at which the thread is paused in this run."""
    snapshot = await agent.graph.aget_state(_thread(thread_id))
    return asked(snapshot) if _run_of(snapshot.values) == run_id else None


def _run_of(values: State | dict[str, Any]) -> str:
    """Returns the run whose turn was saved last; "" if nothing was saved, or by a version without groups."""
    return values["asked"].run_id if "asked" in values else ""
