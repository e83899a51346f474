"""A test tool server that sends too much: a long line, endless notices, endless lists, or a result of megabytes."""

from __future__ import annotations

import sys

from raw import Call, Message, notify, send, serve, text, tool


def call(one: Call) -> object:
    if one.name == "line":
        while True:
            sys.stdout.write("x" * 65_536)
    if one.name == "notices":
        while not one.cancelled.is_set():
            notify("notifications/message", level="info", data="x" * 100)
        return None
    if one.name == "complains":
        for _ in range(20_000):
            print("x" * 1_000, file=sys.stderr)
        return text("complained")
    if one.name == "changes":
        for _ in range(200):
            notify("notifications/tools/list_changed")
        return text(str(lists))
    if one.name == "rows":
        return text("", structuredContent={"items": [{"n": n, "text": "x" * 2_000} for n in range(3_000)]})
    return text("א" * 1_000_000)


lists = 0


def before(message: Message) -> bool:
    global lists
    if message.get("method") != "tools/list":
        return False
    lists += 1
    if "pages" not in sys.argv:
        return False
    at = int((message.get("params") or {}).get("cursor") or 0)
    page = [tool(f"tool_{at}_{n}") for n in range(100)]
    send({"id": message["id"], "result": {"tools": page, "nextCursor": str(at + 1)}})
    return True


serve(lambda: [tool(name) for name in ("line", "notices", "complains", "changes", "rows", "text")], call, before)
