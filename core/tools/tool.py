"""Defines tools that can be called: their arguments, their caller, and their results as text for a model and as citable
sources."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, JsonValue

from core.events import Source
from core.memory.recall.turn import Turn
from core.tools.definition import ToolDefinition
from core.tools.evidence import Evidence
from core.words import Language, Words

Cell = str | int | float | bool | None
Report = Callable[[float | None, str], None]
"""Receives a call's progress (0..1, if known) and a text, as often as the tool sends them."""


def unheard(done: float | None, note: str) -> None:
    """A callback for callers that need no progress; it does nothing."""


@dataclass(frozen=True)
class Caller:
    """The user, the conversation, and the language for errors and tables.

    ``turn`` holds the results found for the question so far, so that the numbering of memories continues;
    ``evidence`` does the same for sources and figures.
    """

    user_id: str
    language: Language = "en"
    conversation_id: str | None = None
    report: Report = unheard
    turn: Turn | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence(answers=False))


class FoundText(BaseModel):
    """A text that an answer can cite; ``date`` is in the source's format."""

    title: str
    text: str
    url: str | None = None
    section: str | None = None
    date: str = ""


ColumnRole = Literal["number", "place", "latitude", "longitude", "date", "year", "text"]
"""The role of a column in sorting, charts and maps."""


class FoundTable(BaseModel):
    """Rows from one source. ``total`` is the source's own count of matches; ``rows`` may be only a part of them.

    ``roles`` are the roles of the columns, in their order; empty if the source does not give any.
    """

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    total: int | None = None
    url: str | None = None
    changed: str = ""
    """When the data last changed, according to the source."""
    roles: list[ColumnRole] = []
    publisher: str = ""


class KeptRows(BaseModel):
    """Rows that were kept as a dataset of the document ``document_id``; ``schema_text`` describes it for a model.

    The other fields say what the question asks of them, as the tool understood it: ``filters`` are the allowed values
    of columns; ``groups`` are columns to group by; ``sums`` are columns to add up; ``is_counted``: rows are counted.
    ``fits``: the rows account for the places, the year and the columns of the question. ``notes`` are for the reader
    of a result that is computed from the rows.
    """

    document_id: str
    schema_text: str = ""
    filters: dict[str, list[Cell]] = {}
    groups: list[str] = []
    sums: list[str] = []
    is_counted: bool = False
    fits: bool = True
    notes: list[Words] = []


class ToolResult(BaseModel):
    """A tool's result. ``text`` is for the model; ``found`` is false if nothing was found, which is not a failure."""

    text: str
    parts: list[str] = []
    """The same text in parts, the best first, for use if not all of it fits."""
    found: bool = True
    sources: list[Source] = []
    """Passages of the user's documents, as citations."""
    cited: bool = False
    """Whether the text already has the numbers of its passages, which are then in the caller's evidence."""
    texts: list[FoundText] = []
    tables: list[FoundTable] = []
    kept: list[KeptRows] = []
    """Rows of ``tables`` that were kept, so that queries can compute over all of them."""
    notes: list[Words] = []
    """Notes for the reader, such as that only part of the rows is shown or the catalogue is old."""


class Tool(Protocol):
    """One tool of a server."""

    @property
    def definition(self) -> ToolDefinition: ...

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        """Call the tool with validated arguments. The call is cancelled when its time is over.

        Raises:
            PalimpsestError: in the failure's category.
        """


Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True)
class RunTool(Generic[Asked]):
    """A tool that runs in this process: the model of its arguments, and the function that answers."""

    definition: ToolDefinition
    asked: type[Asked]
    run: Callable[[Asked, Caller], Awaitable[ToolResult]]

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        return await self.run(self.asked.model_validate(arguments), caller)


class ToolServer(Protocol):
    """A source of tools: a built-in part of the workbench, an API, or an MCP server."""

    @property
    def name(self) -> str: ...

    def tools(self) -> Sequence[Tool]:
        """Tools that can be called now; the list may change while the server runs."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


ServerState = Literal["up", "starting", "down"]


@runtime_checkable
class StatedServer(Protocol):
    """A server that can report that it is unavailable; servers of other types are assumed to be available."""

    @property
    def state(self) -> ServerState: ...

    @property
    def trouble(self) -> Words | None:
        """Why the server is unavailable, as a text for users."""
