"""Asks in Deep whether to run a plan as it is, or changed."""

from __future__ import annotations

from core.figures.panel.question import reworded
from core.figures.panel.records import SubQuestion
from core.graph.interrupts import ask, plan_request, steps_to_run
from core.graph.services import Services
from core.graph.state import Found, State, TurnAnswer
from core.records.interrupts import PlanStep


async def ask_plan(_: Services, state: State) -> State:
    steps = state["found"].plan
    offered = [PlanStep(id=each.id, text=each.text) for each in steps]
    reply = ask(plan_request(offered, state["asked"].language))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    kept = {step.id: step.text for step in steps_to_run(offered, reply)}
    return {"found": Found(plan=[_changed(each, kept[each.id]) for each in steps if each.id in kept], agreed_plan=True)}


def _changed(step: SubQuestion, text: str) -> SubQuestion:
    """Returns the step with the user's words for its measure, if the user has changed them. A step
    without a period is about those of the question."""
    if text == step.text:
        return step
    if step.question is None:
        return step.model_copy(update={"text": text})
    before, _, after = step.text.partition(step.question.measure)
    measure = text.removeprefix(before).removesuffix(after).replace(step.organisation, " ").strip(" ·:,")
    return step.model_copy(update={"text": text, "question": reworded(step.question, measure)})
