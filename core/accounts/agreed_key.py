"""The key that all servers sign sessions with: *each one's own* → that of the first, encrypted in the truth they share.

It is in no backup: a copy of the truth opens nothing, and where the key is gone everybody signs in again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from core.accounts.signing_key import LENGTH
from core.settings import Settings
from core.store.secrets import Secrets
from core.store.truth import DuplicateError, Truth

log = logging.getLogger(__name__)

COLLECTION = "signing_keys"
SESSIONS = "sessions"


async def agreed_key(truth: Truth, settings: Settings, own: bytes) -> bytes:
    """Of several servers that begin at once the same; ``own`` where no other shares the truth, or the secret that the
    first one encrypted it with."""
    if settings.mongodb_uri is None:
        return own
    if settings.secret_key is None:
        log.warning("people sign in at each server by itself: PALIMPSEST_SECRET_KEY is to be the same at all of them")
        return own
    secrets, rows = Secrets(settings), truth.collection(COLLECTION)
    if await rows.get(SESSIONS) is None:
        offered = await asyncio.to_thread(secrets.encrypt, own.hex())
        with contextlib.suppress(DuplicateError):
            await rows.insert_many([{"_id": SESSIONS, "key": offered}])
    row = await rows.get(SESSIONS)
    text = await asyncio.to_thread(secrets.decrypt, str(row["key"])) if row else None
    agreed = bytes.fromhex(text.get_secret_value()) if text else b""
    return agreed if len(agreed) == LENGTH else own
