"""Provides the 32-byte key that signs sessions, from a file; the file is created if it does not have a usable key.

The file is written completely or not at all. A file that a crash left empty or short is never used, because anyone
could sign with an empty key. Servers that share a record store use the first server's key, which is stored there
encrypted. Backups do not contain the key, so a copy of the store cannot be used to sign; if the key is lost, all users
sign in again.
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
    """The key in the file. Blocking: call it in a thread or at the start. Only its owner can read the file."""
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
    """One key for all servers that share a record store, even if they start at the same time. ``own`` is returned if no
    other server shares it, or if the secret that decrypts the shared key is missing."""
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
