"""If no model is available to call tools, calls the tool that the question clearly asks for."""

from __future__ import annotations

from core.events import Sources
from core.graph.nodes.datasets.fetched import compute_fetched
from core.graph.records import Consultation
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer, Waiting, asked_in_full
from core.graph.tools.by_rule import plain_calls, rule_arguments
from core.graph.tools.rule_calls import RuleFinds, made_by_rule, model_calls, waiting_calls
from core.graph.tools.tool_answer import tool_answer
from core.graph.tracing import node_trace
from core.records.answer import Sureness
from core.runs.trace import Emit
from core.tools.execution import SentCall


async def consult(services: Services, state: State) -> State:
    so_far = state["waiting"].consultation
    calls = waiting_calls(so_far) if so_far else await _plain(services, state)
    if not calls:
        return {"waiting": Waiting(consultation=None)}
    emit, trace = node_trace("b")
    found = await made_by_rule(services, state, calls, trace)
    if isinstance(found, Consultation):
        return {"waiting": Waiting(consultation=found)}
    fetched = await compute_fetched(services, state, found.outcomes, emit, trace)
    if computed := fetched.get("found"):
        found.tell_problems(emit)
        return {**fetched, "found": found.looked_up(state) | computed, "waiting": Waiting(consultation=None)}
    return {**fetched, **_answered(state, emit, found)}


async def _plain(services: Services, state: State) -> list[SentCall]:
    """Returns the tool calls to make without a model; none if a model calls tools itself."""
    question, ids = asked_in_full(state), state["asked"].document_ids or []
    calls = plain_calls(services.tools, question, ids) or _sent_to(services, state)
    return [] if calls and await model_calls(services, state, calls) else calls


def _sent_to(services: Services, state: State) -> list[SentCall]:
    """Returns the call of the tool that the message is surely for."""
    destination = state["asked"].question.destination
    entry = services.tools.registry.find(destination.wish.tool) if destination.place == "tool" else None
    if entry is None or not destination.sure:
        return []
    arguments = rule_arguments(entry.definition, asked_in_full(state), ())
    return [] if arguments is None else [SentCall(f"rule-{entry.name}", entry.name, arguments)]


def _answered(state: State, emit: Emit, found: RuleFinds) -> State:
    """Uses the tool's results as the answer; if there are none, says so, and the documents are searched."""
    looked_up = found.looked_up(state)
    found.tell_problems(emit)
    if not found.sources:
        return {"found": looked_up, "waiting": Waiting(consultation=None)}
    kept = [rows for each in found.outcomes if each.result for rows in each.result.kept]
    confidence: Sureness = "high" if all(rows.fits for rows in kept) else "medium"
    emit(Sources(sources=found.sources, confidence=confidence))
    response = tool_answer(found.sources, state["asked"].language, found.notes(state["asked"].language))
    return {
        "found": looked_up | Found(sources=found.sources, confidence=confidence),
        "answer": TurnAnswer(response=response),
        "waiting": Waiting(consultation=None),
    }
