"""Runs one tool server: starts it, restarts it with growing pauses, checks its health, calls it, stops it."""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from pydantic import JsonValue

from core.errors import PalimpsestError, Problem, fail
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.runs.scheduler import wait
from core.settings import Settings
from core.tools.definition import ToolDefinition
from core.tools.mcp.configuration import Configured, Remote
from core.tools.mcp.described import LONGEST_DESCRIPTION, definition_of, one_line, paragraph
from core.tools.mcp.failures import call_failed, cause, connect_failed, tool_failed
from core.tools.mcp.records import Condition, Offered, PromptLine, ResourceLine, ToolLine
from core.tools.mcp.sign_in import SECONDS as SIGN_IN_SECONDS
from core.tools.mcp.sign_in import PendingSignIn, SignInStore, needs_sign_in
from core.tools.tool import Caller, ServerState, Tool, ToolResult
from core.words import Words

if TYPE_CHECKING:  # importing the SDK takes a second, and only running servers need it
    from mcp_types import CallToolResult

    from core.tools.mcp.connection import Connection, Listed
    from core.tools.mcp.results import ResultReader

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds to wait before a restart; each failure doubles them, and a minute without a failure resets them."""
STEADY = 60.0
CHECK_SECONDS = 60.0
"""Seconds between health checks: an idle server is asked for its lists this often."""
LEAST_BETWEEN_LISTS = 1.0
"""Minimum seconds between two list requests to a server that keeps reporting changes."""


Call = Callable[["McpTool", Mapping[str, JsonValue], Caller], Awaitable[ToolResult]]


@dataclass(frozen=True)
class McpTool:
    """An external server's tool; ``own_name`` is the server's name for it."""

    definition: ToolDefinition
    own_name: str
    server_call: Call

    @property
    def title(self) -> str:
        return self.definition.title.en

    async def call(self, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        return await self.server_call(self, arguments, caller)


@dataclass
class Usage:
    """Usage since the workbench started; ``latency`` is the last call's duration in seconds."""

    calls: int = 0
    failures: int = 0
    latency: float | None = None


@dataclass(frozen=True)
class ServerParts:
    """Services that all servers share."""

    settings: Settings
    sign_ins: SignInStore
    reader: Callable[[], ResultReader]
    changed: Callable[[], None]
    """Called when a server's state or its tools, resources or prompts change."""


class McpServer:
    """One external server. ``start`` returns immediately; calls made while the server starts wait for it.

    ``name`` is the configured name, or a changed one if a built-in server has that name.
    """

    def __init__(self, configured: Configured, name: str, prefix: str, parts: ServerParts) -> None:
        self.configured = configured
        self.name = name
        self.prefix = prefix
        self.condition: Condition = "off"
        self.problem: Problem | None = None
        self.offered = Offered()
        self.usage = Usage()
        self.software = ""
        self._parts = parts
        self._tools: list[McpTool] = []
        self._connection: Connection | None = None
        self._life: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._again = asyncio.Event()
        self._settled = asyncio.Event()
        self.pending: PendingSignIn | None = None
        self._running = 0
        self._stopping = False
        breakers = parts.settings.breakers
        self.breaker = CircuitBreaker.of(breakers)
        self._dependency = Dependency(self.name, self.call_seconds, self.breaker)

    @property
    def state(self) -> ServerState:
        states: dict[Condition, ServerState] = {"ready": "up", "starting": "starting"}
        return states.get(self.condition, "down")

    @property
    def trouble(self) -> Words | None:
        return self.problem.what if self.problem else None

    @property
    def call_seconds(self) -> float:
        return self._parts.settings.deadlines.tool_server

    def tools(self) -> Sequence[Tool]:
        return list(self._tools) if self.condition == "ready" else []

    # -- start and stop --------------------------------------------------------------------

    async def start(self) -> None:
        if self._life or not self.configured.enabled:
            return
        if self.configured.reached is None:
            self._leave("failing", self.configured.problem)
            return
        self._begin()
        self._life = asyncio.create_task(self._live(), name=f"tool server {self.name}")

    async def stop(self) -> None:
        """Stop the server and its program."""
        if self._life:
            self._stopping = True
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        self._life, self._stopping = None, False
        self._leave("off", None)

    async def refresh(self) -> None:
        """Request the server's lists again, or restart it immediately if it has failed; returns when that is done."""
        if self._life is None:
            return
        self._settled.clear()
        self._news.set()
        self._again.set()
        await self.settled()

    async def settled(self) -> None:
        """Wait until the server is ready or has failed."""
        if self._life:
            await self._settled.wait()

    async def sign_in(self, back_to: str) -> PendingSignIn:
        """Connect again while a user signs in; the result contains the address where the user is sent, if there is
        one."""
        if not isinstance(self.configured.reached, Remote):
            raise fail("validation", "tools.mcp.no_sign_in", server=self.name)
        await self.stop()
        self.pending = pending = PendingSignIn(self.name, back_to, self._wait_for_person)
        self._begin()
        self._life = asyncio.create_task(self._live(pending), name=f"tool server {self.name}")
        return pending

    async def _live(self, pending: PendingSignIn | None = None) -> None:
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            ended: Exception = fail("connection", "tools.mcp.gone", server=self.name)
            try:
                await self._connect(pending)
            except Exception as error:
                ended = error
            problem = connect_failed(ended, self.name).problem
            waits = isinstance(cause(ended), PalimpsestError) and problem == needs_sign_in(self.name).problem
            self._leave("sign_in" if waits else "failing", problem)
            if self._stopping:
                return  # the SDK's task groups may turn a cancellation into another error
            if pending:
                pending.give_up()
                pending = None
            pause = FIRST_PAUSE if time.monotonic() - began > STEADY else pause
            self._again.clear()
            await wait(self._again, None if self.condition == "sign_in" else pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            self._begin()

    async def _connect(self, pending: PendingSignIn | None) -> None:
        """Stay connected until the connection ends. Raises the error that ended it."""
        connections = await asyncio.to_thread(_sdk)
        reached = self.configured.reached
        assert reached is not None
        to = connections.Destination(self.configured.id, self.name, reached, self._parts.sign_ins, pending)
        seconds = self._parts.settings.deadlines.tool_server_start + (SIGN_IN_SECONDS if pending else 0.0)
        self._news.clear()
        async with asyncio.timeout(seconds) as starting, connections.connected(to, self._news.set) as connection:
            self._take(await connection.listed())
            self.software = connection.software
            starting.reschedule(None)
            self._connection, self.condition, self.problem = connection, "ready", None
            self.breaker.succeeded()
            self._tell()
            if pending:
                pending.give_up()
            await self._watch(connection)

    async def _watch(self, connection: Connection) -> None:
        """Apply changes and run health checks until the connection ends. Raises the server's errors."""
        listening = asyncio.create_task(_listen(connection)) if connection.tells_of_changes else None
        try:
            while True:
                listed_at = time.monotonic()
                await self._something_new()
                if connection.ended:
                    break
                await asyncio.sleep(max(0.0, listed_at + LEAST_BETWEEN_LISTS - time.monotonic()))
                self._news.clear()
                async with asyncio.timeout(self._parts.settings.deadlines.tool_server_start):
                    self._take(await connection.listed())
                self._tell()
            if connection.error:
                raise connection.error
        finally:
            if listening:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def _something_new(self) -> None:
        """Wait for a reported change or the next health check. No check runs during a call, because some servers can
        only do one thing at a time."""
        while True:
            await wait(self._news, CHECK_SECONDS)
            if self._news.is_set() or not self._running:
                return

    def _begin(self) -> None:
        self.condition = "starting"
        self._settled.clear()
        self._parts.changed()

    def _wait_for_person(self) -> None:
        self._leave("sign_in", needs_sign_in(self.name).problem)

    def _leave(self, condition: Condition, problem: Problem | None) -> None:
        self._connection = None
        self.condition, self.problem = condition, problem
        self._tell()

    def _tell(self) -> None:
        self._settled.set()
        self._parts.changed()

    def _take(self, listed: Listed) -> None:
        """Apply the server's current lists."""
        found: dict[str, McpTool] = {}
        for each in listed.tools:
            definition = definition_of(each, self.name, self.prefix, self.call_seconds)
            found.setdefault(definition.name, McpTool(definition, each.name, self.call))
        self._tools = list(found.values())
        self.offered = _offered(self._tools, listed)

    # -- calls -----------------------------------------------------------------------------

    async def call(self, tool: McpTool, arguments: Mapping[str, JsonValue], caller: Caller) -> ToolResult:
        """Raises ``PalimpsestError`` in the failure's category."""
        began = time.monotonic()
        self._running += 1
        self.usage.calls += 1
        try:
            result = await self._dependency.attempt(
                lambda: self._ask(tool, arguments, caller), seconds=self.call_seconds
            )
            if result.is_error:
                raise tool_failed(self.name, tool.title, " ".join(getattr(each, "text", "") for each in result.content))
            self.usage.latency = time.monotonic() - began
            return self._parts.reader().read(result, tool.title, self.name)
        except Exception:
            self.usage.failures += 1
            raise
        finally:
            self._running -= 1

    async def _ask(self, tool: McpTool, arguments: Mapping[str, JsonValue], caller: Caller) -> CallToolResult:
        if self.condition == "starting":
            await self.settled()
        connection = self._connection
        if connection is None:
            raise self._not_there()
        try:
            return await connection.call(tool.own_name, arguments, caller.report)
        except Exception as error:
            flooded = connection.error if isinstance(connection.error, PalimpsestError) else None
            raise flooded or call_failed(error, self.name, tool.title) from error

    def _not_there(self) -> PalimpsestError:
        if self.condition == "sign_in":
            return needs_sign_in(self.name)
        return fail("connection", "tools.mcp.not_running", server=self.name)


def _sdk() -> ModuleType:
    """Import the SDK, with all that a first call needs, in a thread, because the import would block the event loop for
    seconds."""
    for each in ("jsonschema", "core.tools.mcp.results"):
        importlib.import_module(each)
    return importlib.import_module("core.tools.mcp.connection")


async def _listen(connection: Connection) -> None:
    try:
        await connection.listen()
    except Exception as error:  # health checks find changes anyway
        log.debug("changes are not told: %r", cause(error))


def _offered(tools: Sequence[McpTool], listed: Listed) -> Offered:
    resources = [
        ResourceLine(name=one_line(r.title or r.name, 120), uri=one_line(r.uri, 500),
                     description=one_line(r.description or "", 300), template=False)
        for r in listed.resources[:500]
    ]  # fmt: skip
    resources += [
        ResourceLine(name=one_line(r.title or r.name, 120), uri=one_line(r.uri_template, 500),
                     description=one_line(r.description or "", 300), template=True)
        for r in listed.templates[:500]
    ]  # fmt: skip
    return Offered(
        tools=[
            ToolLine(
                name=each.own_name,
                called=each.definition.name,
                title=each.title,
                description=paragraph(each.definition.description, LONGEST_DESCRIPTION),
                arguments=[one.name for one in each.definition.parameters],
                effects=each.definition.effects,
            )
            for each in tools
        ],
        resources=resources,
        prompts=[
            PromptLine(name=one_line(p.title or p.name, 120), description=one_line(p.description or "", 300),
                       arguments=[one_line(a.name, 60) for a in (p.arguments or [])[:20]])
            for p in listed.prompts[:500]
        ],
    )  # fmt: skip
