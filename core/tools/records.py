"""What is told of tools: how a call ended, what was agreed to, and how each tool has done."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, JsonValue

from core.errors import Category, Problem
from core.memory.items.records import ToolRun
from core.tools.tool import ServerState, ToolResult
from core.words import Words

Scope = Literal["tool", "server"]
"""What a person is asked about: one call that may change something, or reading with all of a server's tools."""
Decision = Literal["once", "conversation", "always", "never"]
"""*always* is for reading, until the server's list of tools changes."""


class _Record(BaseModel, frozen=True):
    """Never changed once it is made."""


class Agreement(_Record):
    """What a person has decided of a tool, or of reading with a server; ``digest`` is of the tools there were then."""

    id: str
    scope: Scope
    server: str
    tool: str = ""
    conversation_id: str = ""
    decision: Decision
    digest: str = ""
    decided_at: float


class WantedConsent(_Record):
    """A call that waits until its person has agreed."""

    call_id: str
    scope: Scope
    server: str
    tool: str
    title: Words
    arguments: dict[str, JsonValue] = {}


class ToolOutcome(_Record):
    """What became of one call. ``tool`` is the one that was called last; ``runs`` are all attempts, in their order;
    ``warnings`` what was changed of the arguments, ``kept_aside`` those that nothing took.

    Exactly one of ``result``, ``problem`` and ``wants`` is there.
    """

    call_id: str
    asked: str
    tool: str
    title: Words
    arguments: dict[str, JsonValue] = {}
    result: ToolResult | None = None
    problem: Problem | None = None
    wants: WantedConsent | None = None
    warnings: list[Words] = []
    kept_aside: dict[str, JsonValue] = {}
    runs: list[ToolRun] = []
    looped: bool = False


class ToolFigures(BaseModel):
    """How one tool has done since the process began; milliseconds."""

    calls: int = 0
    succeeded: int = 0
    found_nothing: int = 0
    failed: dict[Category, int] = {}
    fell_back: int = 0
    repaired: int = 0
    loops: int = 0
    hebrew: int = 0
    hebrew_found: int = 0
    last: float | None = None
    p50: float = 0.0
    p95: float = 0.0


class ToolRow(BaseModel):
    """One tool as the page shows it. ``on``: it may be called; ``breaker``: left alone for a while when open."""

    name: str
    title: Words
    description: str
    server: str
    category: str
    own: bool
    on: bool
    fixed: bool
    reads_only: bool
    harmless: bool
    sends: bool
    breaker: Literal["closed", "open", "half_open"]
    seconds: float
    fallbacks: list[str]
    parameters: list[dict[str, JsonValue]]
    figures: ToolFigures


class ServerRow(BaseModel):
    """A server as the page shows it."""

    name: str
    own: bool
    state: ServerState
    trouble: Words | None = None
    tools: int


class ToolsView(BaseModel):
    """All tools and servers, and what the person who looks has agreed to."""

    servers: list[ServerRow]
    tools: list[ToolRow]
    agreements: list[Agreement]
    acting: bool
