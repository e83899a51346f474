"""Fixtures: tool servers with a separate record store, stopped at the end of the test."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.clock import system_clock
from core.ids import new_id
from core.settings import Settings
from core.store.sqlite.truth import SqliteTruth
from core.tools.definition_files import OwnDefinitions
from core.tools.mcp import server as life
from core.tools.mcp.configuration import FILE
from core.tools.mcp.server import McpServer, McpTool
from core.tools.mcp.servers import McpServers
from core.tools.registry import ToolRegistry
from core.tools.tool import Caller, ToolResult
from tests.servers.tools import Command

PATIENCE = 60.0
"""Seconds after which a test fails if the condition that it waits for is not met."""
Open = Callable[..., Awaitable["Running"]]


async def until(condition: Callable[[], object], what: str = "the condition") -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, f"{what} never came true"
        await asyncio.sleep(0.01)


class Running:
    """All running tool servers, and the few operations that every test needs."""

    def __init__(self, servers: McpServers, registry: ToolRegistry, home: Path) -> None:
        self.servers = servers
        self.registry = registry
        self.home = home

    def write(self, **entries: Command | dict[str, object]) -> None:
        given = {
            name: {"command": entry[0], "args": entry[1]} if isinstance(entry, tuple) else entry
            for name, entry in entries.items()
        }
        (self.home / FILE).write_text(json.dumps({"mcpServers": given}), encoding="utf-8")

    def one(self, name: str) -> McpServer:
        return next(each for each in self.servers if each.name == name)

    async def settled(self, name: str) -> McpServer:
        server = self.one(name)
        async with asyncio.timeout(PATIENCE):
            await server.settled()
        return server

    async def ready(self, name: str) -> McpServer:
        server = await self.settled(name)
        assert server.condition == "ready", server.problem
        return server

    def tool(self, server: str, name: str) -> McpTool:
        tools = self.one(server).tools()
        found = [each for each in tools if isinstance(each, McpTool) and each.own_name == name]
        assert found, f"no tool {name} among {[each.definition.name for each in tools]}"
        return found[0]

    async def call(self, server: str, name: str, caller: Caller | None = None, **arguments: object) -> ToolResult:
        return await self.tool(server, name).call(arguments, caller or Caller("ada"))  # type: ignore[arg-type]


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Open]:
    """``await running(name=command, …)`` with settings in ``given``: started, and stopped at the end."""
    opened: list[tuple[McpServers, SqliteTruth]] = []

    async def start(given: dict[str, object] | None = None, **entries: Command | dict[str, object]) -> Running:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        settings = Settings(_env_file=None, home=home, **(given or {}))  # type: ignore[call-arg]
        truth = SqliteTruth(home / "truth.sqlite")
        await truth.start()
        registry = ToolRegistry(OwnDefinitions(home / "tools"))
        made = Running(McpServers(truth, settings, registry, system_clock, new_id), registry, home)
        opened.append((made.servers, truth))
        made.write(**entries)
        await made.servers.start()
        return made

    yield start
    for servers, truth in opened:
        await servers.stop()
        await truth.stop()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the pause before a failed server is restarted."""
    monkeypatch.setattr(life, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(life, "LEAST_BETWEEN_LISTS", 0.05)
