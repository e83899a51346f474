"""What is asked, and what it was understood as."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, JsonValue

from core.events import Action
from core.tools.records import WantedConsent

Confidence = Literal["high", "medium", "low"]
How = Literal["tag", "rule", "examples", "model", "follow-up"]
Format = Literal["comparison", "summary", "explanation", "timeline", "definition", "how_to", "debate", "generalist"]
WebReason = Literal["flag", "asked", "facts", "temporal", "model"]
CommandKind = Literal[
    "add_goal",
    "list_goals",
    "remove_goal",
    "add_value",
    "list_values",
    "remove_value",
    "remember",
    "forget",
    "recall",
    "help",
]


class _Record(BaseModel, frozen=True):
    """Never changed once it is made."""


class Message(_Record):
    """One of the messages before this one."""

    role: Literal["user", "assistant"]
    text: str


class IntentRequest(_Record):
    """``tagged`` is the action picked by hand, ``web`` the person's own wish for a web search, ``image`` whether a
    picture is attached. ``past``: the messages before, the newest last."""

    text: str
    tagged: Action | None = None
    web: bool = False
    image: bool = False
    past: tuple[Message, ...] = ()


class Command(_Record):
    """What to do with the memory; ``text`` is what to add, remember, forget or remove."""

    kind: CommandKind
    text: str = ""


class AskedCall(_Record):
    """A call of a tool as a model or a rule sent it."""

    id: str
    name: str
    arguments: dict[str, JsonValue] = {}


class ToolRound(_Record):
    """Calls that were made together, with what the model was told of each, in their order."""

    calls: tuple[AskedCall, ...]
    told: tuple[str, ...]


class Consultation(_Record):
    """How far an answer has come with its tools, so that it can go on after its person was asked.

    ``rounds`` are over; ``calls`` are those of the round that waits, ``told`` what has come of some of them, ``wants``
    what the person is still to be asked about, ``agreed`` and ``declined`` what they said of others. ``written`` is the
    text before; ``sources`` counts those that were there before any tool was called; ``seen`` counts calls alike.
    ``by_model``: a model asked for the calls, and not a rule.
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
    by_model: bool = False


class Intent(_Record):
    """What a message asks for.

    ``text`` is the message without the tags of actions. ``parts`` are its questions when there are several of one
    action. ``alternatives`` are the actions between which a person has to choose, none when it is clear: ``several``
    says that all of them were asked for, otherwise they are the likeliest. ``web`` says why the world outside is
    wanted. ``books``: a quotation from a book is looked for. ``explicit``: the action was picked by hand.
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

    @property
    def wants_web(self) -> bool:
        return self.web is not None

    @property
    def explicit(self) -> bool:
        return self.how == "tag"

    @property
    def asks(self) -> bool:
        """Whether a person has to choose the action."""
        return len(self.alternatives) > 1
