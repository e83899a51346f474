"""Converts a run's question to a form that a program shows to the user, and the filled-in form to a reply."""

from __future__ import annotations

from typing import Any

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import JsonValue

from core.messages import message
from core.words import Language
from pages.answer_given import AnswerGiven, AskedBack, Offered

KEY = "answer"
CHOICE, CHOICES, STEPS, TEXT = "choice", "choices", "steps", "text"


def form_of(asked: AskedBack, language: Language) -> ElicitRequestFormParams:
    """A form: choices or the steps of a plan as a list, and a text field if free text is allowed."""
    properties: dict[str, Any] = {}
    choose = message("pages.mcp.form.choice").to(language)
    if asked.steps:
        kept = {"anyOf": [{"const": each.id, "title": each.text} for each in asked.steps]}
        title = message("pages.mcp.form.steps").to(language)
        every = [each.id for each in asked.steps]
        properties[STEPS] = {"type": "array", "title": title, "items": kept, "default": every}
    elif asked.choices and asked.several:
        options = [{"const": each.id, "title": _titled(each)} for each in asked.choices]
        properties[CHOICES] = {"type": "array", "title": choose, "items": {"anyOf": options}}
    elif asked.choices:
        names = [_titled(each) for each in asked.choices]
        ids = [each.id for each in asked.choices]
        properties[CHOICE] = {"type": "string", "title": choose, "enum": ids, "enumNames": names}
    if asked.allows_text:
        properties[TEXT] = {"type": "string", "title": message("pages.mcp.form.words").to(language)}
    required = list(properties) if len(properties) == 1 else []
    schema = {"type": "object", "properties": properties, "required": required}
    return ElicitRequestFormParams(message=asked.question, requested_schema=schema)


def put(answer: AnswerGiven, asked: AskedBack) -> InputRequiredResult:
    """The question as the result of a call; the program repeats the call with the user's reply."""
    request = ElicitRequest(params=form_of(asked, answer.language))
    return InputRequiredResult(input_requests={KEY: request}, request_state=f"{answer.run_id} {asked.interrupt_id}")


def reply_to(state: str, given: ElicitResult | None) -> dict[str, JsonValue]:
    """The arguments for the action that replies to a run; if the user closes the form, the run is cancelled.

    The state contains the ids of a run and its question, and is used only if the run belongs to the caller.
    """
    run_id, _, interrupt_id = state.partition(" ")
    reply: dict[str, JsonValue] = {"run_id": run_id, "interrupt_id": interrupt_id}
    content = given.content if given and given.action == "accept" else None
    if content is None:
        return {**reply, "cancel": True}
    text = str(content.get(TEXT) or "").strip()
    if text:
        return {**reply, "text": text}
    steps = content.get(STEPS)
    if isinstance(steps, list):
        return {**reply, "steps": [{"id": str(each)} for each in steps]}
    chosen = content.get(CHOICES) or content.get(CHOICE)
    ids = chosen if isinstance(chosen, list) else [str(chosen)] if chosen else []
    return {**reply, "choice_ids": [*ids]}


def _titled(choice: Offered) -> str:
    hint = choice.hint or ", ".join(choice.samples)
    return f"{choice.label} · {hint}" if hint else choice.label
