"""Defines the records of a user's message and of its interpretation (the intent)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, JsonValue

from core.events import Action
from core.tools.evidence import Operand
from core.tools.records import WantedConsent

Confidence = Literal["high", "medium", "low"]
How = Literal["tag", "rule", "examples", "model", "follow-up"]
Format = Literal["comparison", "summary", "explanation", "timeline", "definition", "how_to", "debate", "generalist"]
WebReason = Literal["flag", "asked", "facts", "temporal", "model"]
ModelPlace = Literal["documents", "memory", "remember", "forget", "web", "small_talk", "not_here"]
"""Places that a model may name for a message."""
CommandKind = Literal[
    "add_goal",
    "list_goals",
    "remove_goal",
    "add_value",
    "list_values",
    "remove_value",
    "remember",
    "forget",
    "correct",
    "recall",
    "help",
]


class _Record(BaseModel, frozen=True):
    """Base class of the records in this module, which are immutable."""


class Message(_Record):
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


class IntentRequest(_Record):
    """A message to classify. ``tagged`` is the action that the user selected, ``web`` the user's wish for a web search,
    ``image`` whether a picture is attached. ``past``: earlier messages, newest last. ``manifold``: a model may propose
    sub-questions."""

    text: str
    tagged: Action | None = None
    web: bool = False
    image: bool = False
    past: tuple[Message, ...] = ()
    manifold: bool = False


class Command(_Record):
    """A memory command; ``text`` is the text to add, remember, forget or remove."""

    kind: CommandKind
    text: str = ""


class AskedCall(_Record):
    """A tool call as sent by a model or a rule."""

    id: str
    name: str
    arguments: dict[str, JsonValue] = {}


class ToolRound(_Record):
    """Tool calls made together, with the result text that the model received for each, in order."""

    calls: tuple[AskedCall, ...]
    told: tuple[str, ...]


class Consultation(_Record):
    """The progress of an answer with its tool calls, so that it can continue after the user was asked for consent.

    ``rounds`` are the finished rounds of calls; ``calls`` are those of the round that waits for the user, ``told`` the
    results that some of them already have, ``wants`` the calls that still need the user's consent, ``agreed`` and
    ``declined`` the decisions on others. ``written`` is the text so far; ``sources`` is the number of sources before
    any tool call; ``seen`` counts identical calls; ``operands`` are the figures that a calculation may use.
    ``by_model``: a model requested the calls, not a rule.
    """

    rounds: tuple[ToolRound, ...] = ()
    calls: tuple[AskedCall, ...] = ()
    told: dict[str, str] = {}
    wants: tuple[WantedConsent, ...] = ()
    agreed: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    written: str = ""
    sources: int = 0
    seen: dict[str, int] = {}
    operands: tuple[Operand, ...] = ()
    by_model: bool = False


class Intent(_Record):
    """The interpretation of a message.

    ``text`` is the message without action tags. ``parts`` are its questions if several belong to one action.
    ``alternatives`` are the actions between which the user must choose, empty if the action is clear: if ``several``,
    the message requested all of them, otherwise they are the most likely ones. ``web`` is the reason for a web search.
    ``books``: the user wants a quotation from a book. ``explicit``: the user selected the action. ``steps`` are the
    sub-questions that a model proposed with its classification, ``place`` where it says that the answer comes from.
    """

    action: Action
    confidence: Confidence
    how: How
    text: str
    parts: tuple[str, ...] = ()
    web: WebReason | None = None
    format: Format = "generalist"
    alternatives: tuple[Action, ...] = ()
    several: bool = False
    command: Command | None = None
    books: bool = False
    steps: tuple[str, ...] = ()
    place: ModelPlace | None = None

    @property
    def wants_web(self) -> bool:
        return self.web is not None

    @property
    def explicit(self) -> bool:
        return self.how == "tag"

    @property
    def asks(self) -> bool:
        """Whether the user must choose the action."""
        return len(self.alternatives) > 1


@dataclass(frozen=True)
class SearchedStep:
    """A step of the plan, with the numbers of the sources that were found for it."""

    text: str
    numbers: tuple[int, ...] = ()

    def line(self, shown: Collection[int]) -> str:
        """Returns the step for a prompt, with the numbers that are ``shown`` there."""
        cited = " ".join(f"[{number}]" for number in self.numbers if number in shown)
        return f"{self.text} ({cited or 'nothing found'})"
