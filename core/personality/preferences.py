"""Stores a user's page preferences: language, theme and depth, which apply on all the user's devices."""

from __future__ import annotations

import re

from core.personality.records import Preferences
from core.store.scope import ScopedTruth
from core.store.truth import Json, Truth

COLLECTION = "preferences"
PREFERENCES_ID = re.compile(r".{1,400}/preferences", re.DOTALL)


class PreferencesStore:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure()

    async def of(self, user_id: str) -> Preferences:
        row = await ScopedTruth(self._truth, user_id).collection(COLLECTION).get(_row_id(user_id))
        return Preferences.model_validate(row or {})

    async def prefer(self, user_id: str, changed: Preferences) -> Preferences:
        """Store the preferences that ``changed`` contains; others stay unchanged."""
        row = (await self.of(user_id)).model_dump() | changed.model_dump(exclude_none=True)
        await ScopedTruth(self._truth, user_id).collection(COLLECTION).upsert({"_id": _row_id(user_id), **row})
        return Preferences.model_validate(row)


def preferences_of_user(row: Json, user_id: str) -> Json:
    """The row for ``user_id``, with its id derived from the user."""
    return {**row, "_id": _row_id(user_id)}


def _row_id(user_id: str) -> str:
    return f"{user_id}/preferences"
