"""Checks where a browser's request comes from, by host, origin and fetch metadata: it is accepted, or refused with a
reason.

A page of another site must neither change nor read anything here, although the browser sends its requests (W3C "Fetch
Metadata Request Headers", resource isolation policy; RFC 6454 for origins; DNS rebinding is prevented by checking the
host).
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
"""Accepted values of ``Sec-Fetch-Site``. ``none``: the user typed the address or opened a bookmark."""


class ResourceIsolation:
    """ASGI middleware that runs before everything else; ``hosts``: the names of this server.

    While ``any_host`` is true, host names are not checked: if users sign in, a request with a rebound name has no
    session cookie.
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
        """Whether the host is this server. DNS rebinding works only with names, so an IP address is always accepted."""
        return self._any_host() or name in self._hosts or _is_address(name)


def _is_foreign(headers: Headers, host: str) -> bool:
    """Whether the request comes from a page of another origin. Clients that are not browsers send neither header."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in _OWN:
        return True
    return origin is not None and urlsplit(origin).netloc.lower() != host.lower()


def _is_visit(method: str, headers: Headers) -> bool:
    """Whether the request opens a link as a whole page, which displays the page and changes nothing."""
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
