"""Manages sessions: a signed-in user's browser gets a token, which identifies the user until the session ends or
expires.

A token is 32 random bytes and new at each sign-in. The record store has only its SHA-256, so a copy of the store is of
no use to an attacker. After sign-out the record is deleted, and the old cookie no longer works.
"""

from __future__ import annotations

import secrets

from core.accounts.records import Session
from core.clock import Clock
from core.ids import hashed_id
from core.store.truth import Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

COLLECTION = "sessions"
KIND = "session"
LONGEST_BROWSER = 200


class Sessions:
    """Sessions that last ``seconds``."""

    def __init__(self, truth: Truth, clock: Clock, seconds: float) -> None:
        self._truth = truth
        self._all = TypedCollection(truth.collection(COLLECTION), Session)
        self._clock = clock
        self._seconds = seconds

    async def ensure(self) -> None:
        await self._all.rows.ensure(sort=[Sorted(("user_id", "created_at")), Sorted(("expires_at",))])

    async def begin(self, user_id: str, address: str = "", browser: str = "") -> str:
        """Start a session; returns its token, which cannot be shown again."""
        token, now = secrets.token_urlsafe(32), self._clock()
        session = Session(
            id=hashed_id(KIND, token),
            user_id=user_id,
            created_at=now,
            expires_at=now + self._seconds,
            address=address,
            browser=browser[:LONGEST_BROWSER],
        )
        await self._of(user_id).put(session)
        return token

    async def owner_of(self, token: str) -> str | None:
        session = await self._all.get(hashed_id(KIND, token))
        return session.user_id if session and session.expires_at > self._clock() else None

    async def all(self, user_id: str) -> list[Session]:
        """Valid sessions, the newest first."""
        return await self._of(user_id).find({"expires_at": {"$gt": self._clock()}}, sort=[("created_at", -1)])

    async def end(self, token: str) -> str | None:
        """End a session; returns its user."""
        owner = await self.owner_of(token)
        await self._all.rows.delete({"_id": hashed_id(KIND, token)})
        return owner

    async def end_all(self, user_id: str) -> int:
        """End all sessions of a user; returns how many."""
        return await self._of(user_id).rows.delete({})

    async def compact(self) -> None:
        """Delete expired sessions."""
        await self._all.rows.delete({"expires_at": {"$lte": self._clock()}})

    def _of(self, user_id: str) -> TypedCollection[Session]:
        return records_of(self._truth, user_id, COLLECTION, Session)
