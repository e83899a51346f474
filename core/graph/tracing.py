"""Traces one step of the graph."""

from __future__ import annotations

from langgraph.config import get_config, get_stream_writer

from core.runs.trace import Emit, Trace


def node_trace(prefix: str) -> tuple[Emit, Trace]:
    """Returns where a node writes its events. A node that runs twice in a thread gets new step ids each time."""
    emit = get_stream_writer()
    step = get_config().get("metadata", {}).get("langgraph_step", 0)
    return emit, Trace(emit, prefix=f"{prefix}{step}-")
