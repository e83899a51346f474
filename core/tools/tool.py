"""A tool that can be called: *arguments, who asks* -> what it found, as people cite it and as a model reads it."""

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
"""Told how far a call has come (0..1 where known) and in what words, as often as the tool likes."""


def unheard(done: float | None, note: str) -> None:
    """For callers who do not watch."""


@dataclass(frozen=True)
class Caller:
    """Who asks, for which conversation, and in which language errors and tables are told.

    ``turn`` is what its question has looked up so far, so that numbers of memories go on.
    """

    user_id: str
    language: Language = "en"
    conversation_id: str | None = None
    report: Report = unheard
    turn: Turn | None = None


class FoundText(BaseModel):
    """A text that an answer can cite; ``date`` as its source tells it."""

    title: str
    text: str
    url: str | None = None
    section: str | None = None
    date: str = ""


ColumnRole = Literal["number", "place", "latitude", "longitude", "date", "year", "text"]
"""As what a column may be sorted, charted or drawn on a map."""


class FoundTable(BaseModel):
    """Rows of one source; ``total`` is the source's own count of what matched, of which ``rows`` may be a part.

    ``roles`` are of the columns, in their order; none are given where the source tells nothing of them.
    """

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    total: int | None = None
    url: str | None = None
    changed: str = ""
    """When the source says that it last changed."""
    roles: list[ColumnRole] = []
    publisher: str = ""


class ToolResult(BaseModel):
    """``text`` is what a model reads; ``found`` is false where there was nothing, which is no failure."""

    text: str
    parts: list[str] = []
    """The same text in parts, the best first, where there may be room for some of them only."""
    found: bool = True
    sources: list[Source] = []
    """Passages of the user's own documents, as they are cited."""
    texts: list[FoundText] = []
    tables: list[FoundTable] = []
    notes: list[Words] = []
    """What its reader has to know: a part of the rows, an old catalogue."""


class Tool(Protocol):
    """One tool of a server."""

    @property
    def definition(self) -> ToolDefinition: ...

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        """Call it with arguments that are checked already. Cancelled when its time is over.

        Raises:
            PalimpsestError: in the category of what went wrong.
        """


Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True)
class RunTool(Generic[Asked]):
    """A tool of a server in this process: what it is asked, and the function that answers."""

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
        """Those that can be called now; they may change while it runs."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


ServerState = Literal["up", "starting", "down"]


@runtime_checkable
class StatedServer(Protocol):
    """A server that may be away, and says so; what does not say so counts as there."""

    @property
    def state(self) -> ServerState: ...

    @property
    def trouble(self) -> Words | None:
        """Why it is away, for people."""
