"""Sessions: *somebody who signed in* → a token for their browser; *a token* → whose it is, until it ends or expires.

A token is 32 random bytes and new with every sign-in; the truth keeps its SHA-256, so that a copy of the truth opens
nothing. What is signed out is gone from the truth, and no cookie brings it back.
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
    """``seconds``: how long one lasts."""

    def __init__(self, truth: Truth, clock: Clock, seconds: float) -> None:
        self._truth = truth
        self._all = TypedCollection(truth.collection(COLLECTION), Session)
        self._clock = clock
        self._seconds = seconds

    async def ensure(self) -> None:
        await self._all.rows.ensure(sort=[Sorted(("user_id", "created_at")), Sorted(("expires_at",))])

    async def begin(self, user_id: str, address: str = "", browser: str = "") -> str:
        """The token, which nobody can be told again."""
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
        """Those that open something, the newest first."""
        return await self._of(user_id).find({"expires_at": {"$gt": self._clock()}}, sort=[("created_at", -1)])

    async def end(self, token: str) -> str | None:
        """Whose it was."""
        owner = await self.owner_of(token)
        await self._all.rows.delete({"_id": hashed_id(KIND, token)})
        return owner

    async def end_all(self, user_id: str) -> int:
        """Of one person, in every browser; how many there were."""
        return await self._of(user_id).rows.delete({})

    async def compact(self) -> None:
        """Forget those that have expired."""
        await self._all.rows.delete({"expires_at": {"$lte": self._clock()}})

    def _of(self, user_id: str) -> TypedCollection[Session]:
        return records_of(self._truth, user_id, COLLECTION, Session)
