"""Connects to a tool server at an address, with headers and sign-in, and passes on its messages.

Requests to private networks are sent only to hosts that an administrator named. A host name is resolved once, and the
connection uses the resulting IP address, so the name cannot lead elsewhere in between. No redirect to another origin is
followed (the SDK ensures this), and no response is read beyond a size limit.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import httpx2
from mcp.client.streamable_http import streamable_http_client

from core.errors import PalimpsestError, fail
from core.tools.mcp.configuration import Remote
from core.tools.mcp.failures import STATUS
from core.tools.mcp.streams import Streams
from core.tools.public_addresses import is_global, resolve

MOST_BYTES = 8_000_000
"""Maximum size of one response, or of one event in a stream."""
CONNECT_SECONDS = 15.0
SILENT_SECONDS = 300.0
"""Timeout of an open stream without events; calls have their own deadlines."""
_PORTS = {"http": 80, "https": 443}


@asynccontextmanager
async def remote(server: Remote, name: str, auth: httpx2.Auth | None) -> AsyncIterator[Streams]:
    """The message streams of a connection. Raises the transport's errors."""
    address = httpx2.URL(server.url)
    transport = GuardedTransport(name, address, [_host_port(address), *server.hosts])
    headers = {key: value.get_secret_value() for key, value in server.headers.items()}
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=SILENT_SECONDS)
    client = httpx2.AsyncClient(transport=transport, headers=headers, timeout=timeout, auth=auth)
    async with client, streamable_http_client(server.url, http_client=client, max_sse_event_size=MOST_BYTES) as streams:
        yield streams


class GuardedTransport(httpx2.AsyncBaseTransport):
    """An HTTP transport that checks each request's address. ``named``: hosts, or hosts with ports, that may be in a
    private network."""

    def __init__(self, name: str, endpoint: httpx2.URL, named: Iterable[str]) -> None:
        self._name = name
        self._endpoint = endpoint
        self._named = frozenset(named)
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises ``PalimpsestError`` ("auth") for an address that is not allowed."""
        if self._named.isdisjoint((request.url.host, _host_port(request.url))):
            await self._lead_to_public(request)
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        if response.status_code >= 400 and request.method == "POST" and self._is_endpoint(request):
            return await _told_status(response)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = _Bounded(response.stream, self._name)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _is_endpoint(self, request: httpx2.Request) -> bool:
        return request.url.path.rstrip("/") == self._endpoint.path.rstrip("/")

    async def _lead_to_public(self, request: httpx2.Request) -> None:
        host, port = request.url.host, request.url.port or _PORTS.get(request.url.scheme, 443)
        addresses = await resolve(host, port)
        if not addresses or not all(map(is_global, addresses)):
            raise fail("auth", "tools.mcp.private_address", server=self._name, host=host, detail=f"{host}: {addresses}")
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=addresses[0])  # the request's Host header was already set


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, name: str) -> None:
        self._stream = stream
        self._name = name

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for piece in self._stream:
            left -= len(piece)
            if left < 0:
                raise flooded(self._name)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _told_status(response: httpx2.Response) -> httpx2.Response:
    """Convert a response to a protocol error that has its HTTP status, unless it already is one: the SDK would drop the
    status."""
    body = b""
    async for piece in response.stream:  # type: ignore[union-attr]
        body = (body + piece)[:100_000]
    await response.aclose()
    try:
        given = json.loads(body)
        is_message = isinstance(given, dict) and isinstance(given.get("error"), dict) and "jsonrpc" in given
    except ValueError:
        is_message = False
    if not is_message:
        status = response.status_code
        error = {"code": -32603, "message": f"HTTP {status}", "data": {STATUS: status}}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    kept = [(key, value) for key, value in response.headers.items() if key not in _REPLACED]
    return httpx2.Response(
        response.status_code, headers=[*kept, ("content-type", "application/json")], content=body,
        extensions=response.extensions,
    )  # fmt: skip


_REPLACED = ("content-type", "content-length", "content-encoding", "transfer-encoding")


def _host_port(url: httpx2.URL) -> str:
    return f"{url.host}:{url.port or _PORTS.get(url.scheme, 443)}"


def flooded(name: str) -> PalimpsestError:
    return fail("server", "tools.mcp.flooded", server=name)
