"""A tool server at an address: *address, headers, how somebody signed in* → its messages.

Nothing is sent to a private network but to the hosts that an administrator named. Where a name leads is looked up
once, and the connection goes there: a name cannot lead elsewhere in between. No redirect is followed to another origin
(the SDK sees to that), and no reply is read beyond its bound.
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
"""Of one reply, or of one event of a stream."""
CONNECT_SECONDS = 15.0
SILENT_SECONDS = 300.0
"""Of a stream that is open: calls have a deadline of their own."""
_PORTS = {"http": 80, "https": 443}


@asynccontextmanager
async def remote(server: Remote, name: str, auth: httpx2.Auth | None) -> AsyncIterator[Streams]:
    """The streams of a connection. Raises what the transport raises."""
    address = httpx2.URL(server.url)
    transport = GuardedTransport(name, address, [_host_port(address), *server.hosts])
    headers = {key: value.get_secret_value() for key, value in server.headers.items()}
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=SILENT_SECONDS)
    client = httpx2.AsyncClient(transport=transport, headers=headers, timeout=timeout, auth=auth)
    async with client, streamable_http_client(server.url, http_client=client, max_sse_event_size=MOST_BYTES) as streams:
        yield streams


class GuardedTransport(httpx2.AsyncBaseTransport):
    """``named``: hosts, or hosts with ports, that may be in a private network."""

    def __init__(self, name: str, endpoint: httpx2.URL, named: Iterable[str]) -> None:
        self._name = name
        self._endpoint = endpoint
        self._named = frozenset(named)
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises ``PalimpsestError`` ("auth") for an address that may not be asked."""
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
        request.url = request.url.copy_with(host=addresses[0])  # its Host header was made before


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
    """The same reply with its status as an error of the protocol, where it is none already: the SDK would drop it."""
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
