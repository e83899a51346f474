"""Provides the key that signs sessions: *a file* → 32 bytes, created if there is no usable key.

It is written completely or not at all. A file that a crash left empty or short is never used, because anyone could sign
with an empty key. Servers that share a record store use the first one's key, stored there encrypted. No backup contains
it: a copy of the store is of no use, and if the key is lost all users sign in again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from pathlib import Path

from core.settings import Settings
from core.store.private_files import create_private
from core.store.secrets import Secrets
from core.store.truth import DuplicateError, Truth

log = logging.getLogger(__name__)

LENGTH = 32
COLLECTION = "signing_keys"
SESSIONS = "sessions"


def signing_key(file: Path) -> bytes:
    """Blocking: call it in a thread or at the start. The file becomes readable only by its owner."""
    try:
        key = file.read_bytes()
    except FileNotFoundError:
        return create_private(file, secrets.token_bytes(LENGTH))
    if len(key) == LENGTH:
        file.chmod(0o600)
        return key
    log.warning(
        "%s held %d bytes instead of %d; a new key is made and everybody signs in again", file, len(key), LENGTH
    )
    file.unlink()
    return create_private(file, secrets.token_bytes(LENGTH))


async def agreed_key(truth: Truth, settings: Settings, own: bytes) -> bytes:
    """The same key for several servers that start at the same time; ``own`` if no other shares the record store, or the
    secret that decrypts the shared key is missing."""
    if settings.mongodb_uri is None:
        return own
    if settings.secret_key is None:
        log.warning("people sign in at each server by itself: PALIMPSEST_SECRET_KEY is to be the same at all of them")
        return own
    cipher, rows = Secrets(settings), truth.collection(COLLECTION)
    if await rows.get(SESSIONS) is None:
        offered = await asyncio.to_thread(cipher.encrypt, own.hex())
        with contextlib.suppress(DuplicateError):
            await rows.insert_many([{"_id": SESSIONS, "key": offered}])
    row = await rows.get(SESSIONS)
    text = await asyncio.to_thread(cipher.decrypt, str(row["key"])) if row else None
    agreed = bytes.fromhex(text.get_secret_value()) if text else b""
    return agreed if len(agreed) == LENGTH else own
