"""Defines the tools' records: call results, users' decisions, and statistics."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, JsonValue

from core.errors import Category, Problem
from core.events import Source
from core.memory.items.records import ToolRun
from core.tools.tool import ServerState, ToolResult
from core.words import Words

Scope = Literal["tool", "server"]
"""What a user consents to: one call that may change something, or reading with all tools of a server."""
Decision = Literal["once", "conversation", "always", "never"]
"""How long a consent lasts. *always* applies to reading, until the server's list of tools changes."""


class _Record(BaseModel, frozen=True):
    """Base of the immutable records."""


class Agreement(_Record):
    """A user's decision on a tool, or on reading with a server's tools; ``digest`` is a hash of the tools at that
    time."""

    id: str
    scope: Scope
    server: str
    tool: str = ""
    conversation_id: str = ""
    decision: Decision
    digest: str = ""
    decided_at: float


class WantedConsent(_Record):
    """A call that waits for the user's consent."""

    call_id: str
    scope: Scope
    server: str
    tool: str
    title: Words
    arguments: dict[str, JsonValue] = {}


class ToolOutcome(_Record):
    """A call's result. ``tool`` is the last tool called; ``runs`` are all attempts, in order. ``warnings`` are changes
    made to the arguments, ``kept_aside`` the arguments that fit no parameter.

    Exactly one of ``result``, ``problem`` and ``wants`` is set.
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


class ProgramTool(_Record):
    """A tool that programs may call. ``arguments`` is the JSON Schema of its arguments."""

    name: str
    title: Words
    description: str
    arguments: dict[str, JsonValue]


class ProgramReply(BaseModel):
    """A tool's result for a program. ``text`` cites its sources as [n]; ``found`` is false if there is nothing."""

    text: str
    found: bool
    sources: list[Source] = []


class ToolFigures(BaseModel):
    """One tool's statistics since the process started; times in milliseconds."""

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
    """A tool as the page shows it. ``on``: it may be called. ``breaker``: its circuit breaker; if open, calls are
    paused for a while."""

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
    """All tools and servers, and the current user's decisions."""

    servers: list[ServerRow]
    tools: list[ToolRow]
    agreements: list[Agreement]
    acting: bool
