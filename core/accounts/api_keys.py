"""Manages API keys. A key is shown only once, and gives its owner's programs access until it is revoked or expires.

A key is 32 random bytes, so its plain SHA-256 can be neither guessed nor reversed. Its record's id is derived from the
hash, so a key is looked up with one read.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Sequence

from core.accounts.names import LONGEST_NAME, plain_name
from core.accounts.records import KEY_SCOPES, ApiKey, KeyScope
from core.clock import DAY, Clock
from core.errors import fail
from core.ids import hashed_id
from core.store.truth import Change, Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

log = logging.getLogger(__name__)

COLLECTION = "api_keys"
PREFIX = "pal_"
SHOWN = 12
"""Number of a key's first characters that are shown, so that its owner recognises it."""
ALL_SCOPES: tuple[KeyScope, ...] = (*KEY_SCOPES, "administer")
MOST = 50
"""Maximum number of keys for one user."""
USED_SECONDS = 60.0
"""Minimum seconds between two updates of a key's time of last use."""


class ApiKeys:
    """API keys. Every method except ``presented`` works for the given user."""

    def __init__(self, truth: Truth, clock: Clock) -> None:
        self._truth = truth
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure(sort=[Sorted(("user_id", "created_at"))])

    async def create(
        self, user_id: str, name: str, scopes: Sequence[KeyScope] = KEY_SCOPES, days: float | None = None
    ) -> tuple[ApiKey, str]:
        """Create a key. Returns its record and the key itself, which cannot be shown again. It is valid for ``days``
        days, or without ``days`` until it is revoked.

        Raises:
            PalimpsestError: the name is invalid, or there are too many keys.
        """
        named, now = plain_name(name), self._clock()
        if named is None:
            raise fail("validation", "accounts.no_name", longest=LONGEST_NAME)
        if not scopes:
            raise fail("validation", "accounts.no_scope")
        if len(await self.all(user_id)) >= MOST:
            raise fail("validation", "accounts.too_many_keys", most=MOST)
        text = PREFIX + secrets.token_urlsafe(32)
        key = ApiKey(
            id=hashed_id("key", text),
            user_id=user_id,
            name=named,
            prefix=text[:SHOWN],
            digest=_digest(text),
            created_at=now,
            expires_at=now + days * DAY if days else None,
            scopes=tuple(each for each in ALL_SCOPES if each in scopes),
        )
        await self._of(user_id).put(key)
        return key, text

    async def all(self, user_id: str) -> list[ApiKey]:
        """A user's keys, the newest first."""
        return await self._of(user_id).find(sort=[("created_at", -1)])

    async def revoke(self, user_id: str, key_id: str) -> None:
        """Revoke a key immediately. Raises ``PalimpsestError`` ("not_found")."""
        if not await self._of(user_id).rows.delete({"_id": key_id}):
            raise fail("not_found", "accounts.no_key")

    async def presented(self, text: str) -> ApiKey | None:
        """The record of the key that a request contains; ``None`` if the key never existed or was revoked.

        Raises:
            PalimpsestError: it has expired ("auth").
        """
        key = await self._of(None).get(hashed_id("key", text))
        if key is None or not hmac.compare_digest(key.digest, _digest(text)):
            return None
        if key.expires_at is not None and key.expires_at <= self._clock():
            raise fail("auth", "accounts.key_expired", name=key.name)
        await self._note_use(key)
        return key

    async def _note_use(self, key: ApiKey) -> None:
        now = self._clock()
        if key.last_used_at is not None and now - key.last_used_at < USED_SECONDS:
            return
        try:
            await self._of(key.user_id).rows.update(key.id, Change(set={"last_used_at": now}))
        except Exception:
            log.warning("the use of an API key was not noted", exc_info=True)

    def _of(self, user_id: str | None) -> TypedCollection[ApiKey]:
        return records_of(self._truth, user_id, COLLECTION, ApiKey)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
