"""Holds an open connection to a tool server over any transport: gets its lists, and calls its tools with progress.

Import this module only when a server is started, because importing the SDK takes a second.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TypeVar

import mcp_types as protocol
from mcp import Client
from mcp.client.session import IncomingMessage
from mcp.shared.message import SessionMessage
from mcp_types import methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import JsonValue, ValidationError

from core.errors import PalimpsestError
from core.tools.mcp.child import child
from core.tools.mcp.configuration import Launch, Reached, Remote
from core.tools.mcp.described import one_line
from core.tools.mcp.failures import cause, http_status
from core.tools.mcp.remote import remote
from core.tools.mcp.sign_in import PendingSignIn, SignInStore, needs_sign_in, provider_for
from core.tools.mcp.streams import Streams, metered
from core.tools.tool import Report

log = logging.getLogger(__name__)

MOST_LISTED = 500
"""Maximum number of tools, of resources and of prompts of one server."""
MOST_PAGES = 50
LONGEST_NOTE = 200
UNAUTHORISED, GONE = 401, 404
_CHANGES = (
    protocol.ToolListChangedNotification,
    protocol.ResourceListChangedNotification,
    protocol.PromptListChangedNotification,
)
_PATTERNS = ("pattern", "patternProperties")

Page = TypeVar("Page", protocol.ListToolsResult, protocol.ListResourcesResult, protocol.ListPromptsResult,
               protocol.ListResourceTemplatesResult)  # fmt: skip


@dataclass
class Listed:
    tools: list[protocol.Tool] = field(default_factory=list)
    resources: list[protocol.Resource] = field(default_factory=list)
    templates: list[protocol.ResourceTemplate] = field(default_factory=list)
    prompts: list[protocol.Prompt] = field(default_factory=list)


@dataclass
class Connection:
    """A connection. ``news`` is called when the lists changed or the connection has ended."""

    client: Client
    news: Callable[[], None]
    ended: bool = False
    error: Exception | None = None

    @property
    def software(self) -> str:
        told = self.client.server_info
        return one_line(f"{told.title or told.name} {told.version}".strip(), 80) if told else ""

    @property
    def tells_of_changes(self) -> bool:
        """Whether change notices must be requested, as in the newer protocol; in the older one servers send them
        unasked."""
        return self.client.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def listed(self) -> Listed:
        """The server's lists of tools, resources and prompts. Raises the server's errors."""
        has, client = self.client.server_capabilities, self.client
        found = Listed()
        # A server that declares no capabilities is asked for its tools anyway.
        async for tools in _pages(lambda at: client.list_tools(cursor=at, cache_mode="refresh")):
            found.tools += tools.tools
        if has.resources:
            async for resources in _pages(lambda at: client.list_resources(cursor=at, cache_mode="refresh")):
                found.resources += resources.resources
            async for templates in _pages(lambda at: client.list_resource_templates(cursor=at, cache_mode="refresh")):
                found.templates += templates.resource_templates
        if has.prompts:
            async for prompts in _pages(lambda at: client.list_prompts(cursor=at, cache_mode="refresh")):
                found.prompts += prompts.prompts
        found.tools = found.tools[:MOST_LISTED]
        for each in found.tools:
            _without_patterns(each.output_schema)
        return found

    async def listen(self) -> None:
        """Listen for changes until the connection ends, if they must be requested. Raises the server's errors."""
        async with self.client.listen(
            tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
        ) as changes:
            async for _ in changes:
                self.news()

    async def call(self, tool: str, arguments: Mapping[str, JsonValue], report: Report) -> protocol.CallToolResult:
        """Call a tool. Raises the server's errors; the server is notified when the call is cancelled."""

        async def progressed(progress: float, total: float | None, message: str | None) -> None:
            share = min(1.0, max(0.0, progress / total)) if total and total > 0 else None
            report(share, one_line(message or "", LONGEST_NOTE))

        try:
            return await self.client.call_tool(tool, dict(arguments), progress_callback=progressed)
        except Exception as error:
            if http_status(error) in (UNAUTHORISED, GONE):  # the server no longer knows our session
                self.has_ended(error)
            raise

    def has_ended(self, error: Exception | None) -> None:
        self.ended, self.error = True, error
        self.news()


@dataclass(frozen=True)
class Destination:
    """A server to connect to; ``pending``: a user is signing in at the moment."""

    id: str
    name: str
    reached: Reached
    sign_ins: SignInStore
    pending: PendingSignIn | None = None


@asynccontextmanager
async def connected(to: Destination, news: Callable[[], None]) -> AsyncIterator[Connection]:
    """An open connection. The server gets no access to our models or folders; its requests for them are refused.

    Raises:
        PalimpsestError: a program or folder does not exist, an address is not allowed, or a user must sign in.
        Exception: other errors of the SDK, often as a group.
    """
    opened: list[Connection] = []
    reasons: list[PalimpsestError] = []

    def ended(error: Exception | None) -> None:
        reasons.extend([error] if isinstance(error, PalimpsestError) else [])
        for each in opened:
            each.has_ended(error)

    async def heard(message: IncomingMessage) -> None:
        if isinstance(message, _CHANGES):
            news()

    client = Client(
        metered(await _transport(to), lambda message: _keep_valid(message, opened), ended),
        message_handler=heard,
        client_info=protocol.Implementation(name="palimpsest", version=version("palimpsest")),
        cache=None,
    )
    try:
        async with client:
            opened.append(Connection(client, news))
            yield opened[0]
    except Exception as error:
        wanted = isinstance(to.reached, Remote) and not _authorised(to.reached)
        if wanted and http_status(cause(error)) == UNAUTHORISED:
            raise needs_sign_in(to.name) from error
        if reasons:
            raise reasons[0] from error
        raise


async def _transport(to: Destination) -> AbstractAsyncContextManager[Streams]:
    if isinstance(to.reached, Launch):
        return child(to.reached, to.name)
    auth = None
    if not _authorised(to.reached):
        auth = await provider_for(to.sign_ins, to.id, to.reached.url, to.pending, to.name)
    return remote(to.reached, to.name, auth)


def _authorised(reached: Remote) -> bool:
    """Whether a header already authenticates the requests."""
    return any(name.lower() == "authorization" for name in reached.headers)


def _keep_valid(message: SessionMessage, opened: list[Connection]) -> None:
    """Drop invalid tool descriptions, so that one of them does not make the whole list fail."""
    reply = message.message
    if not opened or not isinstance(reply, protocol.JSONRPCResponse):
        return
    tools = reply.result.get("tools")
    if isinstance(tools, list):
        version = opened[0].client.protocol_version
        valid = [each for each in tools if _is_valid({**reply.result, "tools": [each]}, version)]
        reply.result["tools"] = valid


def _is_valid(listing: Mapping[str, JsonValue], version: str) -> bool:
    try:
        methods.validate_server_result("tools/list", version, listing)
    except ValidationError as error:
        log.warning("a tool was left out: it is not as the protocol has it (%d errors)", error.error_count())
        return False
    return True


async def _pages(ask: Callable[[str | None], Awaitable[Page]]) -> AsyncIterator[Page]:
    """All pages of a list, up to a limit."""
    at: str | None = None
    for _ in range(MOST_PAGES):
        page = await ask(at)
        yield page
        if page.next_cursor is None or page.next_cursor == at:
            return
        at = page.next_cursor


def _without_patterns(schema: JsonValue) -> None:
    """Remove regular expressions from a schema in place: a server's pattern, matched with the server's own text, could
    run forever."""
    if isinstance(schema, dict):
        for name in _PATTERNS:
            schema.pop(name, None)
        for each in schema.values():
            _without_patterns(each)
    elif isinstance(schema, list):
        for each in schema:
            _without_patterns(each)
