"""Which requests of a browser are let in: *host, origin, fetch metadata* → admitted, or why not.

A page of another site must neither act here nor read what is here, though a browser carries its requests
(W3C "Fetch Metadata Request Headers", resource isolation policy; RFC 6454 for origins; DNS rebinding by the host).
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

log = logging.getLogger(__name__)

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_OWN = ("same-origin", "none")
"""``none``: somebody typed the address or opened a bookmark."""


class ResourceIsolation:
    """ASGI middleware in front of everything; ``hosts`` are the names under which this server is reached.

    While ``any_host`` holds names are not looked at: where people sign in, a rebound name brings no cookie with it.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], *, any_host: Callable[[], bool]) -> None:
        self._app = app
        self._hosts = {*LOOPBACK, *(each.lower() for each in hosts)}
        self._any_host = any_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = self._refusal(scope) if scope["type"] == "http" else None
        if reason is None:
            await self._app(scope, receive, send)
            return
        log.warning("refused %s %s: %s", scope["method"], scope["path"], reason)
        await PlainTextResponse(reason, status_code=403)(scope, receive, send)

    def _refusal(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(_name(host)):
            return "This host name is not allowed. Add it to PALIMPSEST_ALLOWED_HOSTS."
        if _is_foreign(headers, host) and not _is_visit(scope["method"], headers):
            return "Requests from other websites are not allowed."
        return None

    def _is_ours(self, name: str) -> bool:
        """An address is nobody's to rebind; only names are."""
        return self._any_host() or name in self._hosts or _is_address(name)


def _is_foreign(headers: Headers, host: str) -> bool:
    """Whether a page of another origin asks; who is no browser sends neither of the headers."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in _OWN:
        return True
    return origin is not None and urlsplit(origin).netloc.lower() != host.lower()


def _is_visit(method: str, headers: Headers) -> bool:
    """A link that was followed in a window of its own, which shows the page and changes nothing."""
    mode, place = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return method == "GET" and mode == "navigate" and place == "document"


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
