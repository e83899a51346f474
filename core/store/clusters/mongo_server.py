"""Identifies a MongoDB server: *address* → version and kind, over a separate connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pymongo
from pymongo import AsyncMongoClient
from pymongo.errors import PyMongoError

from core.store.mongo import translated_error


@dataclass(frozen=True)
class MongoServer:
    """A MongoDB server; ``name`` is that of its replica set."""

    version: str
    kind: Literal["single", "replica set", "sharded"]
    name: str = ""


async def look_at(uri: str, seconds: float) -> MongoServer:
    """Identify the server. Raises ``PalimpsestError``: no answer ("connection"), or wrong name or password ("auth")."""
    milliseconds = int(seconds * 1000)
    try:
        with pymongo.timeout(seconds):
            async with AsyncMongoClient[dict[str, Any]](uri, serverSelectionTimeoutMS=milliseconds) as client:
                hello = await client.admin.command("hello")
                version = str((await client.admin.command("buildInfo"))["version"])
    except PyMongoError as error:
        raise translated_error(error, seconds) from error
    if hello.get("msg") == "isdbgrid":
        return MongoServer(version, "sharded")
    name = hello.get("setName")
    return MongoServer(version, "replica set", str(name)) if name else MongoServer(version, "single")
