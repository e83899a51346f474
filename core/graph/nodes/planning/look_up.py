"""Runs a plan: looks up the figures of each sub-question and puts them side by side."""

from __future__ import annotations

import asyncio

from core.events import Sources
from core.figures.panel.answer import panel_answer
from core.figures.panel.build import build_panel
from core.figures.panel.lengths import months_compared, of_one_length
from core.figures.panel.records import Panel, PanelQuestion, PanelSeries, SubQuestion
from core.graph.planning.evidence import cited
from core.graph.planning.step_search import searched
from core.graph.services import Services
from core.graph.state import Found, State
from core.graph.tracing import node_trace
from core.messages import message
from core.runs.trace import Emit, Step, Trace


async def look_up(services: Services, state: State) -> State:
    """Adds the answers of the plan, and its rows or passages to the sources. Adds nothing if no step found a value."""
    emit, trace = node_trace("u")
    if any(step.question is None for step in state["found"].plan):
        return await _search(services, state, emit, trace)
    with trace.step("looking_up") as parent:
        found = await asyncio.gather(*(_run(services, state, step, trace, parent) for step in state["found"].plan))
        pairs = list(zip(state["found"].plan, found, strict=True))
        panels = [await _completed(services, state, panel, trace, parent) for panel in _panels(pairs)]
    known = await services.turn.by_id(state)
    user_id = state["asked"].user_id
    evidence = await cited(services.library, user_id, panels, known, state["found"].sources)
    answers = [
        answer
        for panel in panels
        if (answer := panel_answer(panel, evidence.numbers, evidence.items, state["asked"].language)) is not None
    ]
    if not answers:
        return {}
    emit(Sources(sources=evidence.sources, confidence="high"))
    return {"found": Found(planned=answers, sources=evidence.sources, confidence="high", sufficient=True)}


async def _search(services: Services, state: State, emit: Emit, trace: Trace) -> State:
    with trace.step("searching") as parent:
        steps, sources = await searched(services, state, state["found"].plan, trace, parent)
    if not any(step.passages for step in steps):
        return {"found": Found(plan=[])}
    confidence = state["found"].confidence if state["found"].confidence != "none" else "medium"
    emit(Sources(sources=sources, confidence=confidence))
    return {"found": Found(plan=steps, sources=sources, confidence=confidence, sufficient=True)}


async def _run(services: Services, state: State, step: SubQuestion, trace: Trace, parent: Step) -> PanelSeries:
    assert step.question is not None
    with trace.step("looking_up_one", parent) as shown:
        panel = await build_panel(
            services.figures, state["asked"].user_id, step.question, {step.organisation: step.reports}
        )
        series = panel.series[0]
        shown.detail(message("graph.planning.found", step=step.text, count=len(series.points)))
    return series


async def _completed(services: Services, state: State, panel: Panel, trace: Trace, parent: Step) -> Panel:
    """Returns a ranking for whose organisations of another length values of the compared length are looked up."""
    months = months_compared(panel)
    if months is None:
        return panel
    left_out = {point.organisation for point in panel.unlike}
    question = panel.question.model_copy(update={"months": months})
    steps = [
        step.model_copy(update={"question": question})
        for step in state["found"].plan
        if step.question == panel.question and step.organisation in left_out
    ]
    again = await asyncio.gather(*(_run(services, state, step, trace, parent) for step in steps))
    new = {series.organisation: series for series in again if series.points}
    series = [new.get(each.organisation, each) for each in panel.series]
    unlike = [point for point in panel.unlike if point.organisation not in new]
    return of_one_length(panel.model_copy(update={"series": tuple(series), "unlike": tuple(unlike)}))


def _panels(found: list[tuple[SubQuestion, PanelSeries]]) -> list[Panel]:
    """Puts the series of the same measure into one panel; one that ranks has values of one length."""
    by_question: dict[PanelQuestion, list[PanelSeries]] = {}
    for step, series in found:
        if step.question is not None:
            by_question.setdefault(step.question, []).append(series)
    return [of_one_length(Panel(question=question, series=tuple(series))) for question, series in by_question.items()]
