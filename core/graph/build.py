"""The graph: understand → retrieve → answer → finish."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from core.graph.nodes.answer import answer
from core.graph.nodes.finish import finish
from core.graph.nodes.retrieve import retrieve
from core.graph.nodes.understand import understand
from core.graph.services import Services
from core.graph.state import State

Agent = CompiledStateGraph[State, Any, State, State]


def build_agent(services: Services, checkpointer: BaseCheckpointSaver[Any]) -> Agent:
    """Compile it over ``checkpointer``; threads are conversations."""
    graph = StateGraph(State)
    graph.add_node("understand", understand(services))
    graph.add_node("retrieve", retrieve(services))
    graph.add_node("answer", answer(services))
    graph.add_node("finish", finish())
    graph.add_edge(START, "understand")
    graph.add_edge("understand", "retrieve")
    graph.add_edge("retrieve", "answer")
    graph.add_edge("answer", "finish")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)
