"""A base for test tool servers: it writes plain JSON lines without a library, so that it can send any message."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Message = dict[str, Any]
Handler = Callable[["Call"], object]
_gate = threading.Lock()


def send(message: Message) -> None:
    line = json.dumps({"jsonrpc": "2.0", **message})
    with _gate:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def notify(method: str, **params: object) -> None:
    send({"method": method, "params": params})


class Call:
    """One ``tools/call``: ``cancelled`` is set when the client no longer waits."""

    def __init__(self, request: Message) -> None:
        self.id = request["id"]
        self.name = request["params"]["name"]
        self.arguments: Mapping[str, Any] = request["params"].get("arguments") or {}
        self.token = (request["params"].get("_meta") or {}).get("progressToken")
        self.cancelled = threading.Event()

    def progress(self, done: float, total: float | None, message: str) -> None:
        notify("notifications/progress", progressToken=self.token, progress=done, total=total, message=message)


def text(words: str, **more: object) -> Message:
    return {"content": [{"type": "text", "text": words}], **more}


def tool(name: str, schema: object = None, **more: object) -> Message:
    return {"name": name, "description": f"The tool {name}.", "inputSchema": schema or {"type": "object"}, **more}


def serve(
    tools: Callable[[], Sequence[Message]], call: Handler, before: Callable[[Message], bool] | None = None
) -> None:
    """Serves until the input ends. ``before`` gets each message first and returns whether it has handled the message
    itself."""
    calls: dict[Any, Call] = {}
    for line in sys.stdin:
        message = json.loads(line)
        if before and before(message):
            continue
        method, id = message.get("method"), message.get("id")
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            about = {"name": "misbehaving", "version": "1"}
            can = {"tools": {"listChanged": True}}
            send({"id": id, "result": {"protocolVersion": version, "capabilities": can, "serverInfo": about}})
        elif method == "tools/list":
            send({"id": id, "result": {"tools": list(tools())}})
        elif method == "tools/call":
            one = calls[id] = Call(message)
            threading.Thread(target=_answer, args=(one, call), daemon=True).start()
        elif method == "notifications/cancelled":
            found = calls.get(message["params"]["requestId"])
            if found:
                found.cancelled.set()
        elif id is not None and method:
            send({"id": id, "error": {"code": -32601, "message": "Method not found"}})


def _answer(call: Call, handler: Handler) -> None:
    result = handler(call)
    if result is not None:
        send({"id": call.id, "result": result})
