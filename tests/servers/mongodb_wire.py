"""A local server with MongoDB's wire protocol that answers as a test sets it, for example with MongoDB's documented
errors.

It stores nothing. A command without a prepared answer is acknowledged as done.
"""

from __future__ import annotations

import asyncio
import struct
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Self

import bson

Document = dict[str, Any]

SILENCE: Document = {}
"""Means that the server never answers the command."""
_HEADER = struct.Struct("<iiii")
_REPLY, _QUERY, _MESSAGE = 1, 2004, 2013
_AGREED = {"maxWireVersion": 21, "minWireVersion": 0, "logicalSessionTimeoutMinutes": 30, "helloOk": True, "ok": 1}


def error(code: int, name: str, *labels: str) -> Document:
    return {"ok": 0, "code": code, "codeName": name, "errmsg": f"the server says {name}", "errorLabels": list(labels)}


class MongoWire:
    """``answers``: for each command name, the answers that it gets one after the other. ``seen``: all received commands
    except those that the driver sends by itself."""

    def __init__(self, *, sharded: bool = False, answers: dict[str, Sequence[Document]] | None = None) -> None:
        self._sharded = sharded
        self._answers = {name: list(each) for name, each in (answers or {}).items()}
        self.seen: list[Document] = []

    async def __aenter__(self) -> Self:
        self._open: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self.uri = f"mongodb://{self.address}/" if self._sharded else f"mongodb://{self.address}/?replicaSet=rs0"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def commands(self, name: str) -> list[Document]:
        return [each for each in self.seen if next(iter(each)) == name]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        try:
            while True:
                await self._answer_one(reader, writer)
        except (ConnectionError, asyncio.CancelledError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length, number, _, operation = _HEADER.unpack(await reader.readexactly(_HEADER.size))
        body = await reader.readexactly(length - _HEADER.size)
        answer = self._answer(_query(body) if operation == _QUERY else _message(body))
        if answer is SILENCE:
            await asyncio.Event().wait()
        packed = bson.encode(answer)
        if operation == _QUERY:
            raw, kind = struct.pack("<iqii", 0, 0, 0, 1) + packed, _REPLY
        else:
            raw, kind = struct.pack("<IB", 0, 0) + packed, _MESSAGE
        writer.write(_HEADER.pack(_HEADER.size + len(raw), 1, number, kind) + raw)
        await writer.drain()

    def _answer(self, command: Document) -> Document:
        name = next(iter(command))
        if name.lower() in ("hello", "ismaster"):
            if self._sharded:
                return {**_AGREED, "isWritablePrimary": True, "ismaster": True, "msg": "isdbgrid"}
            members = {"setName": "rs0", "hosts": [self.address], "me": self.address, "primary": self.address}
            return {**_AGREED, "isWritablePrimary": True, "ismaster": True, **members}
        if name != "endSessions":
            self.seen.append(command)
        if self._answers.get(name):
            return self._answers[name].pop(0)
        return _done(name, command)


def _done(name: str, command: Document) -> Document:
    given = len(command.get("documents") or command.get("updates") or command.get("deletes") or ())
    done: dict[str, Document] = defaultdict(dict)
    done["find"] = {"cursor": {"id": 0, "ns": f"{command['$db']}.{command[name]}", "firstBatch": []}}
    done["findAndModify"] = {"value": None}
    done["insert"] = done["delete"] = {"n": given}
    done["update"] = {"n": given, "nModified": given}
    return {"ok": 1, **done[name]}


def _query(body: bytes) -> Document:
    return bson.decode(body[body.index(0, 4) + 1 + 8 :])


def _message(body: bytes) -> Document:
    """The document of a message, with the document lists that were sent with it."""
    found: Document = {}
    beside: dict[str, list[Document]] = {}
    at = 4
    while at < len(body):
        kind, (size,) = body[at], struct.unpack_from("<i", body, at + 1)
        part = body[at + 1 : at + 1 + size]
        if kind == 0:
            found = bson.decode(part)
        else:
            end = part.index(0, 4)
            beside[part[4:end].decode()] = bson.decode_all(part[end + 1 :])
        at += 1 + size
    return {**found, **beside}
