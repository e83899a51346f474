"""Identifies the caller over MCP: a request's context → the user, the user's language, and the program that acts for
the user."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp_types import ElicitRequestFormParams, ElicitResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from core.words import Language
from pages.actions import Actions, language_of
from pages.auth import Requested

Context = ServerRequestContext[Any, Any]
RequestOf = Callable[[Context], Requested | None]
"""The HTTP request that identifies the user: the one that carries the call."""

log = logging.getLogger(__name__)

GIVING_UP = 5.0
"""Time limit in seconds for cleaning up a call that its program cancelled."""
UNNAMED = "mcp"
LONGEST_NAME = 100


def http_request(context: Context) -> Requested | None:
    request: Requested | None = context.request
    return request


def program_of(context: Context) -> str:
    """The program's name; never empty."""
    about = context.session.client_params
    return (about.client_info.name[:LONGEST_NAME] if about else "") or UNNAMED


def asking(actions: Actions, request: Requested | None) -> tuple[str, Language]:
    """The user and the language of the answer. Raises ``PalimpsestError``."""
    return actions.user_of(request), language_of(request)


async def put_to_person(
    context: Context, form: ElicitRequestFormParams, leave: Callable[[], Awaitable[object]]
) -> ElicitResult | None:
    """Shows a form to the user and returns the reply; ``None`` if the program could not show it. If the program cancels
    the call before a reply, ``leave`` is called."""
    try:
        return await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
    except Exception as error:
        log.info("a question was not put to the person: %s", error)
        return None
    except BaseException:
        with anyio.move_on_after(GIVING_UP, shield=True):
            await leave()
        raise


def is_stateless(context: Context) -> bool:
    """Whether the protocol version allows a server to ask the user only by returning the question as a result."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def may_ask(context: Context) -> bool:
    """Whether the program can show a form to the user now."""
    able = context.session.client_capabilities
    forms = able.elicitation if able else None
    if forms is None or (forms.form is None and forms.url is not None):
        return False
    return is_stateless(context) or context.session.can_send_request
