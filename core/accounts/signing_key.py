"""The key that sessions are signed with: *a file* → 32 bytes, made where there are none that can be used.

It is written whole or not at all; a file that a crash left empty or short is never signed with, since whoever knows
that it is empty could sign for anybody.
"""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from core.store.private_files import create_private

log = logging.getLogger(__name__)

LENGTH = 32


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
