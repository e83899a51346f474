"""Each provider's wire format: recorded events, their framing, and the client's own types."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.servers.local import Reply

GOLDEN = Path(__file__).parent / "golden"
Ending = Literal["done", "abort", "close"]


@dataclass(frozen=True)
class Wire:
    """A provider's wire format, and how its client is configured.

    ``base``: the environment variable from which the client reads the provider's address; ``root``: the path that is
    added to the local server's address.

    ``named``: each event has its name on a separate line; ``done``: the stream ends with ``[DONE]``; ``thinks``: the
    provider sends the model's thinking. The client treats a server as OpenAI if OpenAI's host name is in its address,
    and otherwise as OpenAI-compatible.
    """

    provider: str
    model: str
    key: str
    base: str
    root: str = ""
    named: bool = False
    done: bool = True
    thinks: bool = True

    def recorded(self, name: str) -> Any:
        return json.loads((GOLDEN / self.provider / f"{name}.json").read_text(encoding="utf-8"))

    def reply(self, name: str, events: int | None = None, ending: Ending = "done") -> Reply:
        """The recorded stream ``name``: all of it, or its first ``events`` events followed by ``ending``."""
        return stream(self, self.recorded(name)[:events], ending)


WIRES = {
    wire.provider: wire
    for wire in (
        Wire("openai", "openai:gpt-4.1", "openai_api_key", "OPENAI_BASE_URL", "/api.openai.com/v1", thinks=False),
        Wire("compatible", "qwen3:8b", "openai_api_key", "OPENAI_BASE_URL", "/v1"),
        Wire(
            "anthropic",
            "anthropic:claude-sonnet-4-6",
            "anthropic_api_key",
            "ANTHROPIC_API_URL",
            named=True,
            done=False,
        ),
        Wire("mistral", "mistral:mistral-large-latest", "mistral_api_key", "MISTRAL_BASE_URL", "/v1"),
        Wire("cohere", "cohere:command-a-03-2025", "cohere_api_key", "CO_API_URL", named=True, done=False),
    )
}


def stream(wire: Wire, events: list[dict[str, Any]], ending: Ending) -> Reply:
    """Server-sent events; "abort" drops the connection after them, "close" closes it normally without finishing."""

    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for event in events:
            name = f"event: {event['type']}\n" if wire.named else ""
            await _chunk(writer, f"{name}data: {json.dumps(event)}\n\n")
        if ending == "abort":
            return
        if ending == "done" and wire.done:
            await _chunk(writer, "data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    return reply


def refusal(status: int, body: object, **headers: str) -> Reply:
    async def reply(writer: asyncio.StreamWriter) -> None:
        raw = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(raw)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + raw)
        await writer.drain()

    return reply


async def _chunk(writer: asyncio.StreamWriter, text: str) -> None:
    raw = text.encode()
    writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
    await writer.drain()
