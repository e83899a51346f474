"""Maps failures of a tool server to the eight failure categories, with our texts; the server's text is only logged."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator

from core.errors import Category, PalimpsestError, category_of_status, explain, fail, status_code
from core.tools.failures import category_of_text

log = logging.getLogger(__name__)

LONGEST_LOGGED = 2_000
STATUS = "palimpsest_http_status"
"""Key under which ``http.py`` passes on the HTTP status of a response that is not a protocol message."""
CONNECTION_CLOSED, REQUEST_TIMEOUT = -32000, -32001
_CODES: dict[int, Category] = {
    CONNECTION_CLOSED: "connection",
    REQUEST_TIMEOUT: "timeout",
    -32002: "not_found",
    -32600: "server",
    -32601: "not_found",
    -32602: "validation",
    -32603: "server",
    -32700: "server",
}
"""Error codes of JSON-RPC 2.0 and of the protocol (-32002: no such resource)."""


def tool_failed(server: str, tool: str, text: str) -> PalimpsestError:
    """The error for a tool that reported a failure itself."""
    log.info("the tool %s of %s failed: %s", tool, server, text[:LONGEST_LOGGED])
    return _of(category_of_text(text[:LONGEST_LOGGED]), server, tool)


def call_failed(error: BaseException, server: str, tool: str) -> PalimpsestError:
    """The error for an exception in a call."""
    error = cause(error)
    if isinstance(error, PalimpsestError):
        return error
    log.warning("a call of the tool %s of %s failed: %r", tool, server, _shortened(error))
    category = category_of(error)
    if category == "connection":
        return fail("connection", "tools.mcp.ended", server=server, tool=tool)
    return _of(category, server, tool)


def connect_failed(error: BaseException, server: str) -> PalimpsestError:
    """The error for a server that failed to start or failed while running."""
    error = cause(error)
    if isinstance(error, PalimpsestError):
        return error
    log.warning("the tool server %s failed: %r", server, _shortened(error))
    category = category_of(error)
    if category in ("connection", "timeout", "auth", "not_found"):
        return fail(category, f"tools.mcp.unreached.{category}", server=server)
    return fail("server", "tools.mcp.unreached.server", server=server)


def category_of(error: BaseException) -> Category:
    """The category of an error: decided by HTTP status, then by protocol code, then by type of exception."""
    status = http_status(error)
    if status is not None:
        return "not_found" if status == 405 else category_of_status(status)
    code = getattr(error, "code", None)
    if isinstance(code, int) and code in _CODES:
        said = category_of_text(str(error)) if code == -32603 else "unknown"
        return _CODES[code] if said == "unknown" else said
    name = type(error).__name__
    if isinstance(error, asyncio.TimeoutError) or "Timeout" in name:
        return "timeout"
    if isinstance(error, ConnectionError | EOFError) or re.search(r"Connect|Closed|Broken|Protocol|Network|Read", name):
        return "connection"
    if name.startswith("OAuth"):
        return "auth"
    return "server" if name in ("ValidationError", "RuntimeError", "ValueError") else explain(error).category


def http_status(error: BaseException) -> int | None:
    data = getattr(getattr(error, "error", None), "data", None)
    told = data.get(STATUS) if isinstance(data, dict) else None
    return told if isinstance(told, int) else status_code(error)


def cause(error: BaseException) -> BaseException:
    """The first exception inside nested exception groups, because task groups wrap exceptions at any depth."""
    return next(_leaves(error), error)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    ours = sorted(error.exceptions, key=lambda each: not isinstance(cause(each), PalimpsestError))
    for each in ours:
        yield from _leaves(each)


def _of(category: Category, server: str, tool: str) -> PalimpsestError:
    return fail(category, f"tools.mcp.failed.{category}", server=server, tool=tool)


def _shortened(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST_LOGGED]
