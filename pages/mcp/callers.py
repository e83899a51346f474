"""Who calls over MCP: a request's context -> the person, their language, the program that speaks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from pages.auth import Requested

Context = ServerRequestContext[Any, Any]
RequestOf = Callable[[Context], Requested | None]
"""Where the request stands that says who asks: over HTTP it is the one that carries the call."""

UNNAMED = "mcp"
LONGEST_NAME = 100


def http_request(context: Context) -> Requested | None:
    request: Requested | None = context.request
    return request


def program_of(context: Context) -> str:
    """What the program calls itself; never empty."""
    about = context.session.client_params
    return (about.client_info.name[:LONGEST_NAME] if about else "") or UNNAMED


def is_stateless(context: Context) -> bool:
    """Whether the protocol's version lets a server ask only by what it returns."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def may_ask(context: Context) -> bool:
    """Whether the program can put a form to the person now."""
    able = context.session.client_capabilities
    forms = able.elicitation if able else None
    if forms is None or (forms.form is None and forms.url is not None):
        return False
    return is_stateless(context) or context.session.can_send_request
