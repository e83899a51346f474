"""Defines tools that can be called: *arguments, a caller* -> the result, as text for a model and as citable sources."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, JsonValue

from core.events import Source
from core.memory.recall.turn import Turn
from core.tools.definition import ToolDefinition
from core.words import Language, Words

Cell = str | int | float | bool | None
Report = Callable[[float | None, str], None]
"""Receives a call's progress (0..1 if known) and a text, as often as the tool sends it."""


def unheard(done: float | None, note: str) -> None:
    """A callback for callers that need no progress; it does nothing."""


@dataclass(frozen=True)
class Caller:
    """The user, the conversation, and the language for errors and tables.

    ``turn`` holds the results of the question so far, so that memory numbers continue.
    """

    user_id: str
    language: Language = "en"
    conversation_id: str | None = None
    report: Report = unheard
    turn: Turn | None = None


class FoundText(BaseModel):
    """A text that an answer can cite; ``date`` as its source gives it."""

    title: str
    text: str
    url: str | None = None
    section: str | None = None
    date: str = ""


ColumnRole = Literal["number", "place", "latitude", "longitude", "date", "year", "text"]
"""How a column may be sorted, charted or mapped."""


class FoundTable(BaseModel):
    """Rows of one source; ``total`` is the source's own count of matches, of which ``rows`` may be a part.

    ``roles`` are the columns', in their order; empty if the source says nothing about them.
    """

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    total: int | None = None
    url: str | None = None
    changed: str = ""
    """When it last changed, according to the source."""
    roles: list[ColumnRole] = []
    publisher: str = ""


class ToolResult(BaseModel):
    """A tool's result. ``text`` is for the model; ``found`` is false if nothing was found, which is not a failure."""

    text: str
    parts: list[str] = []
    """The same text in parts, the best first, in case only some of them fit."""
    found: bool = True
    sources: list[Source] = []
    """Passages of the user's documents, as citations."""
    texts: list[FoundText] = []
    tables: list[FoundTable] = []
    notes: list[Words] = []
    """Notes for the reader: only part of the rows, an old catalogue."""


class Tool(Protocol):
    """One tool of a server."""

    @property
    def definition(self) -> ToolDefinition: ...

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        """Call it with validated arguments. Cancelled when its time is over.

        Raises:
            PalimpsestError: in the failure's category.
        """


Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True)
class RunTool(Generic[Asked]):
    """A tool in this process: its arguments' model, and the function that answers."""

    definition: ToolDefinition
    asked: type[Asked]
    run: Callable[[Asked, Caller], Awaitable[ToolResult]]

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        return await self.run(self.asked.model_validate(arguments), caller)


class ToolServer(Protocol):
    """A source of tools: a part of the workbench, an API, an MCP server."""

    @property
    def name(self) -> str: ...

    def tools(self) -> Sequence[Tool]:
        """Tools that can be called now; they may change while it runs."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


ServerState = Literal["up", "starting", "down"]


@runtime_checkable
class StatedServer(Protocol):
    """A server that can be unavailable and reports it; a server without this is assumed available."""

    @property
    def state(self) -> ServerState: ...

    @property
    def trouble(self) -> Words | None:
        """Why it is unavailable, for users."""
