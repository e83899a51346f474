"""Simulates a client program that uses MCP as one user: returns the protocol's official client, connected to a
workbench in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from mcp import Client
from mcp_types import CallToolResult

from pages.actions import Actions
from pages.handlers import all_handlers
from pages.mcp.server import build_server
from tests.service.calling import Someone
from tests.service.house import House

ERAS = ("legacy", "auto")
"""Two protocol versions: in the first, clients get questions for the user during a call; in the second, in the call's
result."""


@asynccontextmanager
async def program(
    house: House, user: str = "ada", *, mode: str = "auto", language: str = "en", **given: Any
) -> AsyncIterator[Client]:
    someone: Any = Someone(user)
    actions = Actions(someone, all_handlers(house.workbench, someone))
    request = SimpleNamespace(cookies={}, headers={"accept-language": language})
    server = build_server(house.workbench, actions, lambda _: request)
    async with Client(server, mode=mode, cache=None, **given) as client:
        yield client


def told(result: CallToolResult) -> str:
    """Returns the text that a model reads from a tool result."""
    return "\n".join(str(getattr(each, "text", "")) for each in result.content)


def data(result: CallToolResult) -> dict[str, Any]:
    """Returns the data that a program reads from a tool result."""
    assert not result.is_error, told(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content
