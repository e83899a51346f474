"""Migrates a MongoDB database, whose format is stored in a separate document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bson import encode
from pymongo import MongoClient
from pymongo.collection import Collection

from core.settings import Settings
from core.store.files import BUCKET
from core.store.migrations.stored import ALIVE_SECONDS, FIRST, FORMAT_NOTED, PROCESSES, Rewrite

_VALUES = (("checkpoints", "checkpoint"), ("checkpoint_writes", "value"))


class StoredInMongo:
    """``Stored`` in the database of the settings."""

    def __init__(self, settings: Settings) -> None:
        uri = settings.mongodb_uri.get_secret_value() if settings.mongodb_uri else ""
        milliseconds = int(settings.deadlines.truth * 1000)
        self._client: MongoClient[dict[str, Any]] = MongoClient(
            uri, journal=True, w="majority", serverSelectionTimeoutMS=milliseconds, appname="palimpsest"
        )
        self._database = self._client[settings.mongodb_database]

    def format(self) -> int | None:
        names = self._database.list_collection_names()
        if FORMAT_NOTED in names and (noted := self._database[FORMAT_NOTED].find_one({"_id": "format"})):
            return int(noted["number"])
        return FIRST if names else None

    def note_format(self, number: int) -> None:
        self._database[FORMAT_NOTED].update_one({"_id": "format"}, {"$set": {"number": number}}, upsert=True)

    def in_use(self, now: float) -> list[str]:
        alive = self._database[PROCESSES].find({"seen_at": {"$gte": now - ALIVE_SECONDS}}).sort("_id", 1)
        return [f"{each['host']}:{each['pid']}" for each in alive]

    def back_up(self, folder: Path) -> None:
        """Write one BSON file per collection, as ``mongorestore`` reads it; original files are not changed by any
        migration."""
        for name in self._database.list_collection_names():
            if not name.startswith((f"{BUCKET}.", "system.")):
                with (folder / f"{name}.bson").open("wb") as file:
                    for document in self._database[name].find():
                        file.write(encode(document))

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        for name, field in _VALUES:
            collection: Collection[dict[str, Any]] = self._database[name]
            for document in collection.find({"type": "msgpack"}, {field: 1}):
                if holding in document[field]:
                    collection.update_one({"_id": document["_id"]}, {"$set": {field: change(document[field])}})

    def close(self) -> None:
        self._client.close()
