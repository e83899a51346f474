"""An MCP server inside a command that only relays messages: it sends each request to the workbench as a client, and
returns the result.

The workbench asks the user a question by returning it as a result. Some programs support only questions during a call;
for these, the relay asks the question and repeats the call with the reply.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from core.errors import explain, problem_of
from core.words import Language
from pages.mcp.about import named_server
from pages.mcp.callers import Context, is_stateless, may_ask, program_of, put_to_person
from pages.mcp.questions import KEY

log = logging.getLogger(__name__)

ClientOf = Callable[[str, bool], Awaitable[Client]]
"""Takes a program's name and whether it can show forms; yields a client that acts for the program."""
Listed = TypeVar("Listed")
Listing = Callable[[Context, PaginatedRequestParams | None], Awaitable[Listed]]


class Relay:
    """Relays messages. If the workbench cannot be reached, says why in ``language``."""

    def __init__(self, client_of: ClientOf, language: Language) -> None:
        self._client_of = client_of
        self._language = language

    def listing(self, ask: Callable[..., Awaitable[Listed]]) -> Listing[Listed]:
        """Answers a list request by calling the client's method ``ask`` for the same page of the list."""

        async def listed(context: Context, asked: PaginatedRequestParams | None) -> Listed:
            async with self._client(context) as client:
                return await ask(client, cursor=asked.cursor if asked else None)

        return listed

    async def read_resource(self, context: Context, asked: ReadResourceRequestParams) -> ReadResourceResult:
        async with self._client(context) as client:
            return await client.read_resource(asked.uri)

    async def get_prompt(self, context: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        async with self._client(context) as client:
            return await client.get_prompt(asked.name, asked.arguments)

    async def call_tool(self, context: Context, asked: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """The tool's result. If relaying fails, the error is returned as the tool's error, so that a model can report
        it."""
        try:
            async with self._client(context) as client:
                result = await _called(client, context, asked)
                while isinstance(result, InputRequiredResult) and not is_stateless(context):
                    result = await _answered(client, context, asked, result)
                return result
        except MCPError as error:
            if error.code != INTERNAL_ERROR:
                raise
            return CallToolResult(content=[TextContent(text=error.message)], is_error=True)

    @asynccontextmanager
    async def _client(self, context: Context) -> AsyncIterator[Client]:
        try:
            yield await self._client_of(program_of(context), may_ask(context))
        except MCPError as error:
            if error.code != CONNECTION_CLOSED:
                raise
            lost = problem_of("connection", "command.lost")
            raise MCPError(INTERNAL_ERROR, " ".join(lost.to(self._language))) from error
        except Exception as error:
            log.warning("a request was not passed on", exc_info=True)
            raise MCPError(INTERNAL_ERROR, " ".join(explain(error).to(self._language))) from error


async def _called(
    client: Client,
    context: Context,
    asked: CallToolRequestParams,
    given: ElicitResult | None = None,
    state: str | None = None,
) -> CallToolResult | InputRequiredResult:
    """Calls the tool with the reply ``given`` and the ``state``; if they are missing, with those that the program sent
    when it repeated the call."""
    result = await client.session.call_tool(
        asked.name,
        asked.arguments,
        progress_callback=context.session.report_progress,
        input_responses={KEY: given} if given else asked.input_responses,
        request_state=state or asked.request_state,
        allow_input_required=True,
    )
    assert isinstance(result, CallToolResult | InputRequiredResult)
    return result


async def _answered(
    client: Client, context: Context, asked: CallToolRequestParams, pending: InputRequiredResult
) -> CallToolResult | InputRequiredResult:
    """Shows the question to the user and returns the reply. If the program cancels the call before a reply, the run is
    cancelled."""
    request = (pending.input_requests or {}).get(KEY)
    assert isinstance(request, ElicitRequest)
    assert isinstance(request.params, ElicitRequestFormParams)
    given = ElicitResult(action="cancel")
    leave = partial(_called, client, context, asked, given, pending.request_state)
    given = await put_to_person(context, request.params, leave) or given
    return await _called(client, context, asked, given, pending.request_state)


def build_relay(client_of: ClientOf, language: Language) -> Server[Any]:
    """Builds the relay. It describes itself as the workbench's own MCP server does."""
    relay = Relay(client_of, language)
    return named_server(
        on_list_tools=relay.listing(Client.list_tools),
        on_call_tool=relay.call_tool,
        on_list_resources=relay.listing(Client.list_resources),
        on_list_resource_templates=relay.listing(Client.list_resource_templates),
        on_read_resource=relay.read_resource,
        on_list_prompts=relay.listing(Client.list_prompts),
        on_get_prompt=relay.get_prompt,
    )
