"""Builds the LangGraph graph of a turn from services and a checkpointer; it is compiled once per process.

Its edges are in ``core.graph.transitions``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from core.graph.nodes.answer import answer
from core.graph.nodes.ask_action import ask_action
from core.graph.nodes.ask_documents import ask_documents
from core.graph.nodes.ask_missing import ask_missing
from core.graph.nodes.ask_retrieval import ask_retrieval
from core.graph.nodes.ask_subject import ask_subject
from core.graph.nodes.assess import assess
from core.graph.nodes.audit import audit
from core.graph.nodes.compare import compare
from core.graph.nodes.datasets.ask_reading import ask_reading
from core.graph.nodes.datasets.compute import compute
from core.graph.nodes.disambiguate import disambiguate
from core.graph.nodes.documents import documents
from core.graph.nodes.finish import finish
from core.graph.nodes.follow_up_questions import follow_up_questions
from core.graph.nodes.memory.correct import correct
from core.graph.nodes.memory.gate import gate
from core.graph.nodes.memory.learn import learn
from core.graph.nodes.memory.memory_command import memory_command
from core.graph.nodes.memory.recall import recall
from core.graph.nodes.memory.recollect import recollect
from core.graph.nodes.memory.suggest_memories import suggest_memories
from core.graph.nodes.places.courtesy import courtesy
from core.graph.nodes.places.not_here import not_here
from core.graph.nodes.planning.ask_plan import ask_plan
from core.graph.nodes.planning.look_up import look_up
from core.graph.nodes.reread import reread
from core.graph.nodes.retrieve import retrieve
from core.graph.nodes.rewrite_query import rewrite_query
from core.graph.nodes.routing.each_question import each_question
from core.graph.nodes.small_talk import small_talk
from core.graph.nodes.summarize import summarize
from core.graph.nodes.title import title
from core.graph.nodes.tone import tone
from core.graph.nodes.tools.ask_tool import ask_tool
from core.graph.nodes.tools.blend import blend
from core.graph.nodes.tools.consult import consult
from core.graph.nodes.tools.read_links import read_links
from core.graph.nodes.tools.supplement import supplement
from core.graph.nodes.understand import understand
from core.graph.nodes.validate import validate
from core.graph.nodes.verify import verify
from core.graph.nodes.web import web
from core.graph.services import Services
from core.graph.state import State
from core.graph.transitions import EDGES, TRANSITIONS
from core.traces import span

Graph = CompiledStateGraph[State, Services, State, State]
Node = Callable[[Services, State], Awaitable[State]]
"""A step of the graph: takes the services and the state; returns the changes to the state."""

NODES: dict[str, Node] = {
    "listen": small_talk,
    "ask_subject": ask_subject,
    "understand": understand,
    "ask_action": ask_action,
    "complete": rewrite_query,
    "correct": correct,
    "read_links": read_links,
    "compute": compute,
    "ask_reading": ask_reading,
    "documents": documents,
    "ask_documents": ask_documents,
    "validate": validate,
    "ask_missing": ask_missing,
    "recall": recall,
    "recollect": recollect,
    "gate": gate,
    "consult": consult,
    "ask_tool": ask_tool,
    "retrieve": retrieve,
    "ask_plan": ask_plan,
    "look_up": look_up,
    "single_out": disambiguate,
    "assess": assess,
    "reread": reread,
    "ask_retrieval": ask_retrieval,
    "web": web,
    "blend": blend,
    "supplement": supplement,
    "each_question": each_question,
    "answer": answer,
    "summarize": summarize,
    "compare": compare,
    "audit": audit,
    "command": memory_command,
    "courtesy": courtesy,
    "not_here": not_here,
    "check": verify,
    "title": title,
    "tone": tone,
    "suggest": follow_up_questions,
    "finish": finish,
    "offer": suggest_memories,
    "learn": learn,
}


@dataclass(frozen=True)
class Agent:
    """The agent: a ``graph`` with its checkpointer (a thread is a conversation) and the ``services`` as its runtime
    context."""

    graph: Graph
    services: Services


def build_agent(services: Services, checkpointer: BaseCheckpointSaver[Any]) -> Agent:
    return Agent(_compiled().copy({"checkpointer": checkpointer}), services)


def graph_without(steps: frozenset[str]) -> Graph:
    """The graph with ``steps`` that do nothing; without a checkpointer."""
    return _compiled(steps)


@cache
def _compiled(skipped: frozenset[str] = frozenset()) -> Graph:
    graph = StateGraph(State, context_schema=Services)
    for name, node in NODES.items():
        graph.add_node(name, _traced(name, _nothing if name in skipped else node), input_schema=State)
    graph.add_edge(START, "listen")
    for name, after in TRANSITIONS.items():
        graph.add_conditional_edges(name, after, [*NODES, END])
    for name, to in EDGES.items():
        graph.add_edge(name, to)
    return graph.compile()


async def _nothing(services: Services, state: State) -> State:
    return {}


def _traced(name: str, node: Node) -> Any:
    """Wraps a node for LangGraph, with a trace span."""

    async def traced(state: State, runtime: Runtime[Services]) -> State:
        with span(name, {"palimpsest.node": name}, ordinary=(GraphBubbleUp,)):
            return await node(runtime.context, state)

    traced.__name__ = name
    return traced
