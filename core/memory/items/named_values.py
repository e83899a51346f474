"""Stores small named values for a user's tools."""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

from core.clock import Clock
from core.errors import fail
from core.ids import id_of
from core.store.scope import ScopedTruth
from core.store.truth import Truth

DATA = "memory_data"
LONGEST = 64_000
"""Maximum number of characters in one value as JSON."""

_KEY = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


class ArbitraryData:
    """Values by key, separate for each user."""

    def __init__(self, truth: Truth, clock: Clock) -> None:
        self._truth = truth
        self._clock = clock

    async def store(self, user_id: str, key: str, value: JsonValue) -> None:
        """Raises ``PalimpsestError`` ("validation") when the key is invalid or the value is too long."""
        _check(key, value)
        row = {"_id": data_id(user_id, key), "key": key, "value": value, "updated_at": self._clock()}
        await ScopedTruth(self._truth, user_id).collection(DATA).upsert(row)

    async def retrieve(self, user_id: str, key: str) -> JsonValue:
        """The value; ``None`` if the key is unknown."""
        row = await ScopedTruth(self._truth, user_id).collection(DATA).get(data_id(user_id, key))
        return row["value"] if row else None


def data_id(user_id: str, key: str) -> str:
    return id_of("data", user_id, key)


def _check(key: str, value: JsonValue) -> None:
    if not _KEY.fullmatch(key):
        raise fail("validation", "memory.named_values.name_cannot_used")
    if len(json.dumps(value, ensure_ascii=False)) > LONGEST:
        raise fail("validation", "memory.named_values.value_too_long_keep", longest=LONGEST)
