"""The graph: understand → retrieve (→ assess → reread → ask) → answer → check → finish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from core.graph.nodes.answer import answer
from core.graph.nodes.ask_retrieval import ask_retrieval
from core.graph.nodes.assess import assess
from core.graph.nodes.check import check
from core.graph.nodes.finish import finish
from core.graph.nodes.learn import learn
from core.graph.nodes.recall import recall
from core.graph.nodes.reread import reread
from core.graph.nodes.retrieve import retrieve
from core.graph.nodes.understand import understand
from core.graph.services import Services
from core.graph.state import State

Agent = CompiledStateGraph[State, Any, State, State]


def build_agent(services: Services, checkpointer: BaseCheckpointSaver[Any]) -> Agent:
    """Compile it over ``checkpointer``; threads are conversations."""
    graph = StateGraph(State)
    graph.add_node("understand", understand(services))
    graph.add_node("recall", recall(services))
    graph.add_node("retrieve", retrieve(services))
    graph.add_node("assess", assess(services))
    graph.add_node("reread", reread(services))
    graph.add_node("ask_retrieval", ask_retrieval(web=False))
    graph.add_node("answer", answer(services))
    graph.add_node("check", check(services))
    graph.add_node("learn", learn(services))
    graph.add_node("finish", finish(services))
    graph.add_edge(START, "understand")
    graph.add_edge("understand", "recall")
    graph.add_edge("recall", "retrieve")
    graph.add_conditional_edges("retrieve", after_retrieval, ["assess", "answer"])
    graph.add_conditional_edges("assess", after_assessment, ["answer", "reread", "ask_retrieval"])
    graph.add_conditional_edges("reread", after_rereading, ["retrieve", "ask_retrieval"])
    graph.add_conditional_edges("ask_retrieval", unless_cancelled("answer"), ["answer", "finish"])
    graph.add_edge("answer", "check")
    graph.add_edge("check", "finish")
    graph.add_conditional_edges("finish", lambda state: END if state.get("cancelled") else "learn", ["learn", END])
    graph.add_edge("learn", END)
    return graph.compile(checkpointer=checkpointer)


def after_retrieval(state: State) -> str:
    """The first tier answers straight away; where there is nothing at all, that is the answer."""
    return "answer" if state["confidence"] in ("high", "none") else "assess"


def after_assessment(state: State) -> str:
    if state["sufficient"]:
        return "answer"
    return "ask_retrieval" if state["reread"] else "reread"


def after_rereading(state: State) -> str:
    return "retrieve" if state["added"] else "ask_retrieval"


def unless_cancelled(node: str) -> Callable[[State], str]:
    return lambda state: "finish" if state.get("cancelled") else node
