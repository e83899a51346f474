"""The key that sessions are signed with: *a file* → 32 bytes, made where there are none that can be used.

It is written whole or not at all; a file that a crash left empty or short is never signed with, since whoever knows
that it is empty could sign for anybody. Servers that share a truth agree on the key of the first, encrypted there. It
is in no backup: a copy of the truth opens nothing, and where the key is gone everybody signs in again.
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
    """Off the event loop or at the start. Readable by its owner alone from now on."""
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
    """Of several servers that begin at once the same; ``own`` where no other shares the truth, or the secret that the
    first one encrypted it with."""
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
