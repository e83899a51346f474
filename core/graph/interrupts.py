"""Pauses a run to ask the user a question, and validates the reply.

When the reply arrives, the node that asked runs again from its start, and nothing that it wrote before is kept. So a
node asks only once, as its first step, and does no work that costs money; such work belongs in another node.
"""

from __future__ import annotations

from langgraph.types import Command, StateSnapshot, interrupt
from pydantic import BaseModel

from core.errors import fail
from core.events import Answered, Choice, Detail, Interrupted, InterruptKind
from core.language.bounded_text import bounded

ALL = "all"
"""The choice in a ``doc_choice`` that means all listed documents."""
PREFIX = "ask_"


class Request(BaseModel, frozen=True):
    """A question to the user, in the user's language; see ``Interrupted`` for the fields."""

    kind: InterruptKind
    question: str
    details: list[Detail] = []
    choices: list[Choice] = []
    allows_text: bool = False
    several: bool = False


class Reply(BaseModel, frozen=True):
    """The user's reply: choices or typed text, never both."""

    choice_ids: list[str] = []
    text: str = ""


class _Resumption(BaseModel):
    """The value that LangGraph returns to the node, since the library does not accept a plain ``None``."""

    reply: Reply | None


def ask(request: Request) -> Reply | None:
    """Pauses the run until the user replies; returns ``None`` if the user cancelled. Call it only once in a node."""
    reply = _Resumption.model_validate(interrupt(request.model_dump(mode="json"))).reply
    return reply and Reply(choice_ids=reply.choice_ids, text=bounded(reply.text))


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
    if bool(reply.choice_ids) == bool(reply.text):
        raise fail("validation", "graph.interrupts.neither_or_both")
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
