"""The key that sessions are signed with: *a file* → 32 bytes, made where there are none that can be used.

It is written whole or not at all; a file that a crash left empty or short is never signed with, since whoever knows
that it is empty could sign for anybody.
"""

from __future__ import annotations

import logging
import os
import secrets
from pathlib import Path

log = logging.getLogger(__name__)

LENGTH = 32


def signing_key(file: Path) -> bytes:
    """Off the event loop or at the start. Readable by its owner alone from now on."""
    try:
        key = file.read_bytes()
    except FileNotFoundError:
        return _made(file)
    if len(key) == LENGTH:
        file.chmod(0o600)
        return key
    log.warning(
        "%s held %d bytes instead of %d; a new key is made and everybody signs in again", file, len(key), LENGTH
    )
    file.unlink()
    return _made(file)


def _made(file: Path) -> bytes:
    """Of several processes that begin at once the first one's stays."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
        handle.write(secrets.token_bytes(LENGTH))
        handle.flush()
        os.fsync(handle.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return file.read_bytes()
