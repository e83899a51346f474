"""Effects of settings for tool servers: which are started, their timeouts, and limits on their results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.clock import system_clock
from core.ids import new_id
from core.store.sqlite.truth import SqliteTruth
from core.tools.definition_files import OwnDefinitions
from core.tools.mcp.configuration import FILE
from core.tools.mcp.server import McpServer
from core.tools.mcp.servers import McpServers
from core.tools.registry import ToolRegistry
from core.tools.tool import Caller
from tests.servers.tools import Command, ours
from tests.service.effects.experiment import LONG, Bench, attempt, changes

SOON = "0.3"
"""Seconds that are enough to start a server, and to make a call."""


@asynccontextmanager
async def served(bench: Bench, command: Command) -> AsyncIterator[McpServers]:
    """Starts one server from the configuration file; waits until it is ready or is known to have failed."""
    entry = {"command": command[0], "args": command[1]}
    (bench.folder / FILE).write_text(json.dumps({"mcpServers": {"one": entry}}), encoding="utf-8")
    truth = SqliteTruth(bench.folder / "truth.sqlite")
    await truth.start()
    servers = McpServers(
        truth, bench.settings, ToolRegistry(OwnDefinitions(bench.folder / "tools")), system_clock, new_id
    )
    await servers.start()
    try:
        for each in servers:
            await each.settled()
        yield servers
    finally:
        await servers.stop()
        await truth.stop()


def only(servers: McpServers) -> McpServer:
    (one,) = servers
    return one


@changes("tool_servers", "off", "file")
async def which_servers_are_started(bench: Bench) -> object:
    async with served(bench, ours("lying")) as servers:
        return [(each.name, each.condition) for each in servers]


@changes("deadlines.tool_server_start", "0.01", LONG)
async def whether_a_server_is_given_the_time_to_start(bench: Bench) -> object:
    async with served(bench, ours("lying")) as servers:
        return only(servers).condition


@changes("deadlines.tool_server", SOON, LONG)
async def whether_a_slow_call_is_waited_for(bench: Bench) -> object:
    async with served(bench, ours("slow", str(bench.folder / "noted"))) as servers:
        (tool,) = only(servers).tools()
        return await attempt(tool.call({"seconds": 1.0}, Caller("ada")))


@changes("limits.tool_result_characters", "100", "1000")
async def how_much_of_a_result_is_taken(bench: Bench) -> object:
    async with served(bench, ours("flooding")) as servers:
        tool = next(each for each in only(servers).tools() if each.definition.name.endswith("text"))
        return len((await tool.call({}, Caller("ada"))).texts[0].text)
