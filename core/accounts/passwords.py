"""Hashes passwords with argon2id and checks them.

The cost parameters are those of OWASP's Password Storage Cheat Sheet (19 MiB, two passes, one lane), because other
users' questions run on the same two cores. Hashing runs in a thread, at most two at a time.
"""

from __future__ import annotations

import asyncio
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from core.errors import fail

SHORTEST = 8
LONGEST = 1024
AT_ONCE = 2
MEBIBYTES, PASSES, LANES = 19, 2, 1


class Passwords:
    """Hashes passwords and compares them with hashes."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=MEBIBYTES * 1024, parallelism=LANES)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        async with self._room:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def belongs(self, known: str | None, password: str) -> bool:
        """Whether ``password`` matches the hash. For ``None`` (no such account) it takes equally long and is always
        false."""
        async with self._room:
            return await asyncio.to_thread(self._belongs, known, password)

    def is_dated(self, known: str) -> bool:
        """Whether the hash was made with outdated cost parameters."""
        return self._hasher.check_needs_rehash(known)

    def _belongs(self, known: str | None, password: str) -> bool:
        if self._nobodys is None:
            self._nobodys = self._hasher.hash(secrets.token_urlsafe(16))
        try:
            return self._hasher.verify(known or self._nobodys, password) and bool(known)
        except (VerificationError, InvalidHashError):
            return False


def checked(password: str) -> str:
    """The password, if it is acceptable. Raises ``PalimpsestError``."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise fail("validation", "accounts.no_password", shortest=SHORTEST, longest=LONGEST)
    return password
