"""Pauses a run to ask the user a question, and validates the reply.

When the reply arrives, the node that asked runs again from its start, and nothing that it wrote before is kept. So a
node asks only once, as its first step, and does no work that costs money; such work belongs in another node.
"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.types import Command, StateSnapshot, interrupt
from pydantic import BaseModel

from core.errors import fail
from core.events import Answered, Choice, Detail, Interrupted
from core.language.bounded_text import bounded
from core.messages import message
from core.records.interrupts import RUN, InterruptKind, PlanStep
from core.words import Language

ALL = "all"
"""The choice in a ``doc_choice`` that means all listed documents."""
PREFIX = "ask_"


class Request(BaseModel, frozen=True):
    """A question to the user, in the user's language; see ``Interrupted`` for the fields."""

    kind: InterruptKind
    question: str
    details: list[Detail] = []
    choices: list[Choice] = []
    steps: list[PlanStep] = []
    allows_text: bool = False
    several: bool = False


class Reply(BaseModel, frozen=True):
    """The user's reply: choices, typed text, or the steps of a plan to keep; never two of them."""

    choice_ids: Sequence[str] = ()
    text: str = ""
    steps: Sequence[PlanStep] = ()


class _Resumption(BaseModel):
    """The value that LangGraph returns to the node, since the library does not accept a plain ``None``."""

    reply: Reply | None


def ask(request: Request) -> Reply | None:
    """Pauses the run until the user replies; returns ``None`` if the user cancelled. Call it only once in a node."""
    reply = _Resumption.model_validate(interrupt(request.model_dump(mode="json"))).reply
    return reply and reply.model_copy(update={"text": bounded(reply.text)})


def plan_request(steps: Sequence[PlanStep], language: Language) -> Request:
    """Returns the question whether to run a plan of ``steps``, as it is or changed."""
    run = Choice(id=RUN, label=message("graph.interrupts.run_plan").to(language))
    question = message("graph.interrupts.plan").to(language)
    return Request(kind="plan", question=question, steps=list(steps), choices=[run])


def steps_to_run(steps: Sequence[PlanStep], reply: Reply) -> list[PlanStep]:
    """Returns the steps of a plan that the user kept, in the plan's order, with the user's changes."""
    texts = {step.id: bounded(step.text) for step in reply.steps}
    if not texts:
        return list(steps)
    return [PlanStep(id=step.id, text=texts[step.id] or step.text) for step in steps if step.id in texts]


def asked(snapshot: StateSnapshot) -> Interrupted | None:
    """Returns the question at which a thread (conversation) is paused."""
    if not snapshot.interrupts:
        return None
    pending = snapshot.interrupts[0]
    return Interrupted(interrupt_id=f"{PREFIX}{pending.id}", **Request.model_validate(pending.value).model_dump())


def resumption(interrupt_id: str, reply: Reply | None) -> Command[str]:
    """Returns the input that resumes a thread from its question."""
    return Command(resume={interrupt_id.removeprefix(PREFIX): _Resumption(reply=reply).model_dump()})


def admit(pending: Interrupted, reply: Reply | None, most_characters: int) -> Answered:
    """Checks the reply to the question ``pending``; returns it as an entry for the run's history.

    Raises:
        PalimpsestError: the reply does not fit the question, which then stays open.
    """
    if reply is None:
        return Answered(interrupt_id=pending.interrupt_id)
    if [bool(reply.choice_ids), bool(reply.text), bool(reply.steps)].count(True) != 1:
        raise fail("validation", "graph.interrupts.neither_or_both")
    if reply.steps:
        return _changed_plan(pending, reply, most_characters)
    if reply.text:
        if not pending.allows_text:
            raise fail("validation", "graph.interrupts.choose")
        if len(reply.text) > most_characters:
            raise fail("validation", "graph.interrupts.too_long", characters=len(reply.text), most=most_characters)
        return Answered(interrupt_id=pending.interrupt_id, text=reply.text)
    labels = {choice.id: choice.label for choice in pending.choices}
    unknown = [each for each in reply.choice_ids if each not in labels]
    if unknown and not labels:
        raise fail("validation", "graph.interrupts.no_choices")
    if unknown:
        raise fail("validation", "graph.interrupts.no_such_choice", named=", ".join(labels.values()))
    if len(set(reply.choice_ids)) > 1 and not pending.several:
        raise fail("validation", "graph.interrupts.only_one")
    chosen = list(dict.fromkeys(reply.choice_ids))
    return Answered(interrupt_id=pending.interrupt_id, labels=[labels[each] for each in chosen])


def _changed_plan(pending: Interrupted, reply: Reply, most_characters: int) -> Answered:
    ids = [step.id for step in reply.steps]
    if not set(ids) <= {step.id for step in pending.steps} or len(set(ids)) < len(ids):
        raise fail("validation", "graph.interrupts.no_such_step")
    longest = max(len(step.text) for step in reply.steps)
    if longest > most_characters:
        raise fail("validation", "graph.interrupts.too_long", characters=longest, most=most_characters)
    return Answered(interrupt_id=pending.interrupt_id, steps=steps_to_run(pending.steps, reply))
