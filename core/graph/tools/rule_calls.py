"""Runs tool calls made by rules when no model can make them; shows each step, and pauses for the user's consent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import PalimpsestError
from core.events import Notice, Source
from core.graph.records import AskedCall, Consultation
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.graph.tools.calling import caller_of, consulted, shown
from core.graph.tools.found_sources import sources_of
from core.graph.tools.toolbox import Toolbox, spec_of
from core.models.stream import ToolCall
from core.runs.trace import Emit, Trace
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from core.words import Language


@dataclass(frozen=True)
class RuleFinds:
    """The results of tool calls: numbered sources, and notes for the user."""

    outcomes: Sequence[ToolOutcome]
    sources: list[Source]

    def notes(self, language: Language) -> list[str]:
        return [note.to(language) for each in self.outcomes if each.result for note in each.result.notes]

    def looked_up(self, state: State) -> Found:
        return Found(consulted=consulted(state, [run for each in self.outcomes for run in each.runs]))

    def tell_problems(self, emit: Emit) -> None:
        for problem in (each.problem for each in self.outcomes if each.problem is not None):
            emit(Notice(words=problem.words))


async def model_calls(services: Services, state: State, calls: Sequence[SentCall]) -> bool:
    """Returns whether a model is available that calls these tools itself."""
    if not services.models.configured:
        return False
    entries = [services.tools.registry.find(each.name) for each in calls]
    try:
        return await services.models.can_be_offered(
            [spec_of(each) for each in entries if each], state["asked"].ask.model
        )
    except PalimpsestError:
        return False


def waiting_calls(so_far: Consultation) -> list[SentCall]:
    """Returns the calls that waited for the user's consent, without those that the user declined."""
    return [
        SentCall(each.id, each.name, each.arguments, agreed=each.id in so_far.agreed)
        for each in so_far.calls
        if each.id not in so_far.declined
    ]


async def made_by_rule(
    services: Services,
    state: State,
    calls: Sequence[SentCall],
    trace: Trace,
    after: int = 0,
) -> RuleFinds | Consultation:
    """Runs calls made by rules; returns the results, numbered after ``after``, or the progress so far if the user must
    be asked for consent."""
    toolbox = _toolbox(services, state, calls)
    asked = [ToolCall(each.id, each.name, dict(each.arguments)) for each in calls]
    async with shown(toolbox, asked, trace) as reports:
        watched = [SentCall(each.id, each.name, each.arguments, each.agreed, reports[each.id]) for each in calls]
        outcomes = await services.tools.run(watched, toolbox.caller)
    wants = tuple(each.wants for each in outcomes if each.wants is not None)
    if wants:
        kept = tuple(AskedCall(id=each.id, name=each.name, arguments=dict(each.arguments)) for each in calls)
        return Consultation(calls=kept, wants=wants)
    sources: list[Source] = []
    for each in outcomes:
        sources += sources_of(each, after + 1 + len(sources), asked_in_full(state))
    return RuleFinds(outcomes, sources)


def _toolbox(services: Services, state: State, calls: Sequence[SentCall]) -> Toolbox:
    known = [services.tools.registry.find(each.name) for each in calls]
    turn = services.memory.turn(state) if services.memory else None
    return Toolbox(
        services.tools, caller_of(state, turn), [each for each in known if each], asked_in_full(state), after=0
    )
