"""Prepares a message that asks several questions: each is answered apart, or is a step of a model's plan."""

from __future__ import annotations

from core.figures.panel.records import SubQuestion
from core.graph.planning.proposal import may_propose
from core.graph.services import Services
from core.graph.state import Found, State, question_of
from core.graph.understanding.intent.several_questions import questions_in


async def several_questions(services: Services, state: State) -> Found:
    """Returns the questions; with a model they are searched for one by one, and it answers them together, unless it
    makes a plan itself. Returns no change for one question, an action on documents, or a question that was computed
    from data."""
    asked, found = state["asked"], state["found"]
    if asked.action != "inquire" or found.plan or found.planned or found.unsure_query or asked.ask.follows:
        return Found()
    questions = questions_in(asked.text)
    if not questions:
        return Found()
    if not services.models.configured:
        return Found(questions=questions)
    if await may_propose(services, state, question_of(state)):
        return Found()
    steps = [SubQuestion(id=f"s{place}", text=text) for place, text in enumerate(questions, 1)]
    return Found(plan=steps, agreed_plan=True, proposed=True)
