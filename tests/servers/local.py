"""A real HTTP server on a free local port that answers as a test sets it, including misbehaviour.

async with LocalServer(json_reply({"ok": True})) as server:
    ...  # server.url, server.requests
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


ABOUT_ITSELF = ("/models", "/v1/models")
Reply = Callable[[asyncio.StreamWriter], Awaitable[None]]
Responder = Callable[[Request], Reply]


@dataclass
class LocalServer:
    """Answers with ``responder`` (a function of the request), or with ``replies`` in order, repeating the last one."""

    replies: Sequence[Reply] | Reply | None = None
    responder: Responder | None = None
    requests: list[Request] = field(default_factory=list)
    url: str = ""
    describes_itself: bool = False
    """Whether the test also answers requests for a model server's own details (such as its context size); otherwise
    they get "not found"."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self._open: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def __enter__(self) -> Self:
        """Serves from a separate thread, for tests that are not coroutines."""
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(self.__aenter__(), self._loop).result(10)

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.__aexit__(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        try:
            request = await _read(reader)
            if request.method == "GET" and request.path in ABOUT_ITSELF and not self.describes_itself:
                return await json_reply({}, 404)(writer)
            self.requests.append(request)
            await self._reply(request)(writer)
        except (ConnectionError, asyncio.CancelledError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _reply(self, request: Request) -> Reply:
        if self.responder:
            return self.responder(request)
        replies = self.replies if isinstance(self.replies, Sequence) else [self.replies]
        reply = replies[min(len(self.requests), len(replies)) - 1]
        assert reply is not None
        return reply


async def _read(reader: asyncio.StreamReader) -> Request:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = lines[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    return Request(method, path, headers, raw.decode() if form else json.loads(raw) if raw else None)


def json_reply(body: object, status: int = 200) -> Reply:
    return text_reply(json.dumps(body), status)


def text_reply(text: str, status: int = 200) -> Reply:
    async def reply(writer: asyncio.StreamWriter) -> None:
        raw = text.encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(raw)}\r\n"
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + raw)
        await writer.drain()

    return reply


def silence() -> Reply:
    """Takes the request and never answers."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    return reply


def hang_up() -> Reply:
    """Takes the request and closes the connection."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    return reply


def chat_stream(
    *pieces: str, ending: str = "done", usage: tuple[int, int] | None = (11, 7), finish: str | None = "stop"
) -> Reply:
    """An OpenAI-compatible stream of ``pieces``; ``ending``: "done", "cut" (the connection breaks), "close" (the server
    closes normally without finishing) or "hang"."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
        writer.write(b"Connection: close\r\n\r\n" if ending == "close" else b"Transfer-Encoding: chunked\r\n\r\n")
        await _send(writer, _delta({"role": "assistant", "content": ""}), ending)
        for piece in pieces:
            await _send(writer, _delta({"content": piece}), ending)
        if ending == "hang":
            await asyncio.Event().wait()
        if ending != "done":
            return
        await _send(writer, _delta({}, finish), ending)
        if usage:
            tokens = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
            await _send(writer, {**_delta({}), "choices": [], "usage": tokens}, ending)
        await _send(writer, "[DONE]", ending)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    return reply


def tool_stream(*calls: tuple[str, dict[str, Any]], usage: tuple[int, int] = (5, 3)) -> Reply:
    """An OpenAI-compatible stream of tool calls, each with its arguments in two pieces."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        await _send(writer, _delta({"role": "assistant", "content": ""}), "done")
        for index, (name, arguments) in enumerate(calls):
            given = json.dumps(arguments)
            half = len(given) // 2
            head = {"index": index, "id": f"call_{index}", "type": "function"}
            for part in (
                {**head, "function": {"name": name, "arguments": given[:half]}},
                {"index": index, "function": {"arguments": given[half:]}},
            ):
                await _send(writer, _delta({"tool_calls": [part]}), "done")
        await _send(writer, _delta({}, "tool_calls"), "done")
        tokens = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        await _send(writer, {**_delta({}), "choices": [], "usage": tokens}, "done")
        await _send(writer, "[DONE]", "done")
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    return reply


def asks_for_json(request: Request) -> bool:
    """Returns whether a chat request asks for a judgement in JSON and not for an answer."""
    return "bare JSON" in str(request.body["messages"][0]["content"])


def judgement(sufficient: bool = True) -> Reply:
    """A reply that is valid for any judgement request; it counts as one token."""
    said = {"sentences": [], "sufficient": sufficient, "title": "Hotels", "actions": ["inquire"], "confidence": "high"}
    return chat_stream(json.dumps(said), usage=(1, 1))


def answering(*replies: Reply) -> Responder:
    """Returns ``replies`` in order for answer requests and repeats the last one. Judgement requests get an empty
    judgement that counts as one token."""
    given = iter(replies)
    last = replies[-1]

    def respond(request: Request) -> Reply:
        if asks_for_json(request):
            return judgement()
        return next(given, last)

    return respond


def _delta(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


async def _send(writer: asyncio.StreamWriter, event: object, ending: str) -> None:
    raw = f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode()
    writer.write(raw if ending == "close" else f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
    await writer.drain()
