"""Adds security headers to every reply, and a content security policy to each page.

Gradio writes inline scripts into its page, compiles scripts of its components from text, and sets styles on elements.
So scripts may come from this server; inline scripts are allowed only if the page was served with them (by their
hashes); scripts may be compiled from text (``unsafe-eval``); and inline styles are allowed.
"""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_POLICY = (
    "default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self' blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
_INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)


def content_policy(page: str) -> str:
    """The content security policy of an HTML page: only its own inline scripts may run."""
    digests = (hashlib.sha256(each.encode()).digest() for each in _INLINE.findall(page))
    hashes = dict.fromkeys(f"'sha256-{base64.b64encode(each).decode()}'" for each in digests)
    return _POLICY.format(scripts=" ".join(["'self'", "'unsafe-eval'", *hashes]))


class SecurityHeaders:
    """ASGI middleware. Only HTML pages are buffered until they are complete; streams pass through.

    Pages are requested uncompressed, because their scripts are hashed; ``head`` is the script that this product adds to
    a page.
    """

    def __init__(self, app: ASGIApp, head: str = "") -> None:
        self._app = app
        self._head = head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if "text/html" in Headers(scope=scope).get("accept", ""):
            scope = {**scope, "headers": [each for each in scope["headers"] if each[0] != b"accept-encoding"]}
        await self._app(scope, receive, _Guarded(send, self._head))


class _Guarded:
    """Forwards a reply with added headers; ``_begun`` holds the start of a page until its text is complete."""

    def __init__(self, send: Send, head: str) -> None:
        self._send = send
        self._head = head
        self._begun: Message | None = None
        self._page = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in ALWAYS.items():
                headers.setdefault(name, value)
            if _is_page(headers):
                headers.setdefault("Cache-Control", "no-store")
                self._begun = message
                return
        elif self._begun is not None and message["type"] == "http.response.body":
            self._page += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._begun)
            return
        await self._send(message)

    async def _send_page(self, begun: Message) -> None:
        self._begun = None
        MutableHeaders(scope=begun)["Content-Security-Policy"] = content_policy(self._page.decode() + self._head)
        await self._send(begun)
        await self._send({"type": "http.response.body", "body": self._page})


def _is_page(headers: Headers) -> bool:
    return headers.get("content-type", "").startswith("text/html")
