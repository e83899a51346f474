"""A tool of a server that others wrote: *arguments* → what it found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from core.tools.definition import ToolDefinition
from core.tools.tool import Caller, ToolResult

Call = Callable[["McpTool", Mapping[str, JsonValue], Caller], Awaitable[ToolResult]]


@dataclass(frozen=True)
class McpTool:
    """``own_name`` is what the server calls it."""

    definition: ToolDefinition
    own_name: str
    server_call: Call

    @property
    def title(self) -> str:
        return self.definition.title.en

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        return await self.server_call(self, arguments, caller)
