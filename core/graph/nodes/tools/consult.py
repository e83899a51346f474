"""Calls what a question asks for plainly, where no model is there that could call it."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError
from core.events import Notice, Source, Sources
from core.graph.records import AskedCall, Consultation
from core.graph.services import Services
from core.graph.state import Node, State, asked_in_full
from core.graph.tools.by_rule import plain_calls
from core.graph.tools.calling import caller_of, consulted, shown
from core.graph.tools.found_sources import sources_of
from core.graph.tools.tool_answer import tool_answer
from core.graph.tools.toolbox import Toolbox, spec_of
from core.graph.tracing import node_trace
from core.models.stream import ToolCall
from core.runs.trace import Emit
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from core.words import Words


def consult(services: Services) -> Node:
    async def node(state: State) -> State:
        so_far = state.get("consultation")
        calls = _waiting(so_far) if so_far else await _plain(services, state)
        if not calls:
            return {"consultation": None}
        emit, trace = node_trace("b")
        toolbox = _toolbox(services, state, calls)
        asked = [ToolCall(each.id, each.name, dict(each.arguments)) for each in calls]
        async with shown(toolbox, asked, trace) as reports:
            watched = [SentCall(each.id, each.name, each.arguments, each.agreed, reports[each.id]) for each in calls]
            outcomes = await services.tools.run(watched, toolbox.caller)
        wants = tuple(each.wants for each in outcomes if each.wants is not None)
        if wants:
            kept = tuple(AskedCall(id=each.id, name=each.name, arguments=dict(each.arguments)) for each in calls)
            return {"consultation": Consultation(calls=kept, wants=wants)}
        return _answered(state, emit, outcomes)

    return node


async def _plain(services: Services, state: State) -> list[SentCall]:
    """None where a model calls tools itself."""
    calls = plain_calls(services.tools, state)
    return [] if calls and await _model_calls(services, state, calls) else calls


async def _model_calls(services: Services, state: State, calls: Sequence[SentCall]) -> bool:
    if not services.models.configured:
        return False
    entries = [services.tools.registry.find(each.name) for each in calls]
    try:
        return await services.models.can_be_offered([spec_of(each) for each in entries if each], state.get("model"))
    except PalimpsestError:
        return False


def _waiting(so_far: Consultation) -> list[SentCall]:
    """The calls at which the person was asked, those without which that was declined."""
    return [
        SentCall(each.id, each.name, each.arguments, agreed=each.id in so_far.agreed)
        for each in so_far.calls
        if each.id not in so_far.declined
    ]


def _toolbox(services: Services, state: State, calls: Sequence[SentCall]) -> Toolbox:
    known = [services.tools.registry.find(each.name) for each in calls]
    turn = services.memory.turn(state) if services.memory else None
    return Toolbox(
        services.tools, caller_of(state, turn), [each for each in known if each], asked_in_full(state), after=0
    )


def _answered(state: State, emit: Emit, outcomes: Sequence[ToolOutcome]) -> State:
    """What was found is the answer; else it is said, and the documents are asked."""
    looked_up: State = {
        "consulted": consulted(state, [run for each in outcomes for run in each.runs]),
        "consultation": None,
    }
    for problem in (each.problem for each in outcomes if each.problem is not None):
        emit(Notice(words=Words.joined([problem.what, problem.why, problem.remedy])))
    sources: list[Source] = []
    for each in outcomes:
        sources += sources_of(each, 1 + len(sources), asked_in_full(state))
    if not sources:
        return looked_up
    emit(Sources(sources=sources, confidence="high"))
    notes = [note.to(state["language"]) for each in outcomes if each.result for note in each.result.notes]
    response = tool_answer(sources, state["language"], notes)
    return {**looked_up, "sources": sources, "confidence": "high", "response": response}
