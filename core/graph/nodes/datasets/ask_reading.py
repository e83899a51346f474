"""Asks which column or measure a question about data means."""

from __future__ import annotations

from core.events import Choice
from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import State, TurnAnswer, Waiting
from core.messages import message


async def ask_reading(_: Services, state: State) -> State:
    waiting, language = state["waiting"], state["asked"].language
    choices = [Choice(id=str(place), label=each.name) for place, each in enumerate(waiting.data_readings)]
    key = "which" if waiting.data_word else "which_table"
    question = message(f"graph.computing.{key}", word=waiting.data_word).to(language)
    reply = ask(Request(kind="column_choice", question=question, choices=choices))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    chosen = next((place for place in map(str, range(len(choices))) if place in reply.choice_ids), "0")
    return {"waiting": Waiting(data_reading=waiting.data_readings[int(chosen)], data_readings=[])}
