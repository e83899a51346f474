"""Asking the person in the middle of a run, and judging what comes back.

A node that asks runs again from its start when the answer comes, and nothing it wrote before is kept. So a node asks
once, asks first, and does nothing that costs: paid work is another node's.
"""

from __future__ import annotations

from langgraph.types import Command, StateSnapshot, interrupt
from pydantic import BaseModel

from core.errors import fail
from core.events import Answered, Choice, Detail, Interrupted, InterruptKind
from core.language.bounded_text import bounded

ALL = "all"
"""The choice of a ``doc_choice`` that means every document it names."""
PREFIX = "ask_"


class Request(BaseModel, frozen=True):
    """A question to the person, in the language of theirs; ``Interrupted`` explains the fields."""

    kind: InterruptKind
    question: str
    details: list[Detail] = []
    choices: list[Choice] = []
    allows_text: bool = False
    several: bool = False


class Reply(BaseModel, frozen=True):
    """Choices, or typed words, never both."""

    choice_ids: list[str] = []
    text: str = ""


class _Resumption(BaseModel):
    """What LangGraph hands back to the node: the library takes no bare ``None``."""

    reply: Reply | None


def ask(request: Request) -> Reply | None:
    """Stop the run here until somebody answers; ``None`` when they cancelled. Once a node."""
    reply = _Resumption.model_validate(interrupt(request.model_dump(mode="json"))).reply
    return reply and Reply(choice_ids=reply.choice_ids, text=bounded(reply.text))


def asked(snapshot: StateSnapshot) -> Interrupted | None:
    """The question a thread has stopped at."""
    if not snapshot.interrupts:
        return None
    pending = snapshot.interrupts[0]
    return Interrupted(interrupt_id=f"{PREFIX}{pending.id}", **Request.model_validate(pending.value).model_dump())


def resumption(interrupt_id: str, reply: Reply | None) -> Command[str]:
    """The input that lets a thread go on from its question."""
    return Command(resume={interrupt_id.removeprefix(PREFIX): _Resumption(reply=reply).model_dump()})


def admit(pending: Interrupted, reply: Reply | None, most_characters: int) -> Answered:
    """The answer as the trail shows it.

    Raises:
        PalimpsestError: the reply does not fit the question, which then still waits.
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
