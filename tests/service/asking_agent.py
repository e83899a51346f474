"""A small test agent that pays for a model call, asks the user twice, and answers; it uses no real nodes."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph

from core.events import Choice, Response
from core.graph.build import Agent
from core.graph.interrupts import ALL, Reply, Request, ask, plan_request, steps_to_run
from core.graph.nodes.finish import finish
from core.graph.services import Services
from core.graph.state import NO_QUESTION, Asked, State, TurnAnswer
from core.records.interrupts import PlanStep
from core.runs.trace import Trace

WHICH = "Which document do you mean?"
WHAT = "What should it be compared with?"
STEPS = [PlanStep(id="1", text="The rent of 2023"), PlanStep(id="2", text="The rent of 2024")]
COLUMNS = [
    Choice(id="c1", label="Date of order", samples=["2024-01-05", "2024-02-11"]),
    Choice(id="c2", label="Date of delivery", samples=["2024-01-09"]),
]


async def think(services: Services) -> str:
    if not services.models.configured:
        return "thought"
    pieces = services.models.stream(None, [HumanMessage("think")])
    return "".join([piece.text async for piece in pieces if piece.kind == "text"])


def build(services: Services, checkpointer: Any) -> Agent:
    async def understand(state: State) -> State:
        with Trace(get_stream_writer(), prefix="u").step("understanding"):
            await think(services)
        documents = await services.library.find(state["asked"].user_id)
        return {"conversation_docs": {each.filename: each.id for each in documents}}

    async def ask_which(state: State) -> State:
        if "plan" in state["asked"].text:
            return planned(ask(plan_request(STEPS, "en")))
        if "column" in state["asked"].text:
            return taken(ask(Request(kind="column_choice", question=WHICH, choices=COLUMNS)))
        named = [Choice(id=id, label=name) for name, id in state["conversation_docs"].items()]
        kind = "retrieval_low" if not named else "doc_choice"
        choices = [*named, Choice(id=ALL, label="All of these")] if named else [Choice(id="continue", label="Go on")]
        return taken(ask(Request(kind=kind, question=WHICH, choices=choices, several="several" in state["asked"].text)))

    async def ask_what(state: State) -> State:
        if "once" in state["asked"].text:
            return {}
        return taken(ask(Request(kind="text_input", question=WHAT, allows_text=True)))

    async def answer(state: State) -> State:
        emit = get_stream_writer()
        with Trace(emit, prefix="a").step("generating"):
            text = await think(services)
        said = state["asked"].document_ids or []
        response = Response(kind="generated", text=f"{text} about {', '.join(said)}", language="en")
        emit(response)
        return {"answer": TurnAnswer(response=response)}

    async def finished(state: State) -> State:
        return await finish(services, state)

    graph = StateGraph(State)
    for name, node in (("understand", understand), ("ask_which", ask_which), ("ask_what", ask_what)):
        graph.add_node(name, node)
    graph.add_node("answer", answer)
    graph.add_node("finish", finished)
    graph.add_edge(START, "understand")
    graph.add_edge("understand", "ask_which")
    graph.add_conditional_edges("ask_which", going_on("ask_what"))
    graph.add_conditional_edges("ask_what", going_on("answer"))
    graph.add_edge("answer", "finish")
    graph.add_edge("finish", END)
    return Agent(graph.compile(checkpointer=checkpointer), services)


def planned(reply: Reply | None) -> State:
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    return {"asked": Asked(question=NO_QUESTION.naming([step.text for step in steps_to_run(STEPS, reply)]))}


def taken(reply: Reply | None) -> State:
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    return {"asked": Asked(question=NO_QUESTION.naming([*reply.choice_ids, *([reply.text] if reply.text else [])]))}


def going_on(to: str) -> Any:
    return lambda state: "finish" if state["answer"].cancelled else to
