"""Encrypts stored secrets: *a text* → its ciphertext, and back, with a key that is in no backup.

The ciphertext is in the record store, which several processes may share. The key is a file in the data directory that
only its owner may read, or the setting ``secret_key``. Fernet: AES-128 in CBC mode with an HMAC.
"""

from __future__ import annotations

import logging
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from pydantic import SecretStr

from core.errors import fail
from core.settings import Settings
from core.store.private_files import create_private

log = logging.getLogger(__name__)

KEY_FILE = "secret.key"


class Secrets:
    """Encrypts and decrypts secrets. The key is read or created when the first secret needs it."""

    def __init__(self, settings: Settings) -> None:
        self._given = settings.secret_key
        self._file = settings.folder / KEY_FILE

    def encrypt(self, text: str) -> str:
        """The encrypted text. Raises ``PalimpsestError`` if the key is invalid, or cannot be stored."""
        return self._cipher(create=True).encrypt(text.encode()).decode()

    def decrypt(self, ciphertext: str) -> SecretStr | None:
        """The decrypted text; ``None`` if it was encrypted with another key, or the key is lost."""
        try:
            return SecretStr(self._cipher(create=False).decrypt(ciphertext).decode())
        except (InvalidToken, FileNotFoundError):
            log.warning("a stored secret cannot be read: the key that it was encrypted with is another one or is gone")
            return None

    def _cipher(self, *, create: bool) -> Fernet:
        try:
            key = self._given.get_secret_value().encode() if self._given else _key_in(self._file, create=create)
            return Fernet(key)
        except ValueError as error:
            raise fail("validation", "secrets.no_key") from error


def _key_in(file: Path, *, create: bool) -> bytes:
    if create and not file.exists():
        return create_private(file, Fernet.generate_key())
    return file.read_bytes()
