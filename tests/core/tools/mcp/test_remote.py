"""Tests remote servers: requests sent, allowed addresses, and handling of invalid replies."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from core.errors import PalimpsestError
from core.tools.mcp import remote
from tests.core.tools.mcp.conftest import Open, until
from tests.servers.local import LocalServer, Reply, Request, hang_up, json_reply, text_reply


def speaking(call: Callable[[Request], Reply] | None = None) -> Callable[[Request], Reply]:
    """Returns the replies of a small tool server; ``call`` answers ``tools/call`` requests."""

    def respond(request: Request) -> Reply:
        if request.method != "POST":
            return json_reply({}, 405)
        method, id = request.body.get("method"), request.body.get("id")
        if method == "initialize":
            about = {"name": "small", "version": "1"}
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": about}
            return json_reply({"jsonrpc": "2.0", "id": id, "result": result})
        if method == "tools/list":
            tool = {"name": "ask", "inputSchema": {"type": "object"}}
            return json_reply({"jsonrpc": "2.0", "id": id, "result": {"tools": [tool]}})
        if method == "tools/call" and call:
            return call(request)
        if id is None:
            return json_reply({}, 202)
        return json_reply({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no"}})

    return respond


async def test_headers_are_sent_and_told_to_nobody(running: Open) -> None:
    async with LocalServer(responder=speaking()) as server:
        house = await running(small={"url": f"{server.url}/mcp", "headers": {"X-Key": "canary-1"}})
        await house.ready("small")
    assert {each.headers["x-key"] for each in server.requests} == {"canary-1"}
    assert "canary-1" not in str(house.servers.views())


@pytest.mark.parametrize(
    ("status", "expected"),
    [(429, "rate_limit"), (403, "auth"), (500, "server"), (503, "server"), (504, "timeout"), (400, "validation")],
)
async def test_a_status_puts_a_failed_call_in_its_category(status: int, expected: str, running: Open) -> None:
    async with LocalServer(responder=speaking(lambda request: text_reply("<html>no</html>", status))) as server:
        house = await running(small={"url": f"{server.url}/mcp"})
        await house.ready("small")
        with pytest.raises(PalimpsestError) as failed:
            await house.call("small", "ask")
    assert failed.value.problem.category == expected


@pytest.mark.parametrize(
    ("reply", "state", "expected"),
    [
        (json_reply({}, 404), "failing", "not_found"),
        (json_reply({}, 401), "sign_in", "auth"),
        (json_reply({}, 403), "failing", "auth"),
        (text_reply("<html>hello</html>"), "failing", "server"),
        (hang_up(), "failing", "connection"),
    ],
)
async def test_what_is_no_tool_server_is_said(reply: Reply, state: str, expected: str, running: Open) -> None:
    async with LocalServer(responder=lambda request: reply) as server:
        house = await running(small={"url": f"{server.url}/mcp"})
        one = await house.settled("small")
        assert one.problem
        assert (one.condition, one.problem.category) == (state, expected)


async def test_a_server_that_has_forgotten_us_is_connected_with_anew(running: Open) -> None:
    """The server answers 404 for an expired session."""
    asked: list[str] = []

    def call(request: Request) -> Reply:
        asked.append("call")
        if len(asked) == 1:
            return json_reply({}, 404)
        result = {"content": [{"type": "text", "text": "here"}]}
        return json_reply({"jsonrpc": "2.0", "id": request.body["id"], "result": result})

    async with LocalServer(responder=speaking(call)) as server:
        house = await running(small={"url": f"{server.url}/mcp"})
        await house.ready("small")
        with pytest.raises(PalimpsestError):
            await house.call("small", "ask")
        opened = [each for each in server.requests if each.body and each.body.get("method") == "initialize"]
        await until(
            lambda: (
                sum(1 for each in server.requests if each.body and each.body.get("method") == "initialize")
                > len(opened)
                or len(opened) > 1
            ),
            "the new session",
        )
        await house.ready("small")
        assert "here" in (await house.call("small", "ask")).text


async def test_a_redirect_elsewhere_is_not_followed(running: Open) -> None:
    async with LocalServer(responder=speaking()) as other:

        def redirect(writer_url: str) -> Reply:
            async def reply(writer) -> None:  # type: ignore[no-untyped-def]
                head = f"HTTP/1.1 307 X\r\nLocation: {writer_url}\r\nContent-Length: 0\r\n"
                writer.write(f"{head}Connection: close\r\n\r\n".encode())
                await writer.drain()

            return reply

        async with LocalServer(responder=lambda request: redirect(f"{other.url}/mcp")) as server:
            house = await running(small={"url": f"{server.url}/mcp", "headers": {"X-Key": "canary-2"}})
            assert (await house.settled("small")).condition == "failing"
    assert other.requests == []


async def test_a_reply_without_end_is_not_read_to_it(running: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MOST_BYTES", 20_000)

    def call(request: Request) -> Reply:
        result = {"content": [{"type": "text", "text": "x" * 100_000}]}
        return text_reply(json.dumps({"jsonrpc": "2.0", "id": request.body["id"], "result": result}))

    async with LocalServer(responder=speaking(call)) as server:
        house = await running(small={"url": f"{server.url}/mcp"})
        await house.ready("small")
        with pytest.raises(PalimpsestError) as flooded:
            await house.call("small", "ask")
    assert flooded.value.problem.category in ("server", "connection")
