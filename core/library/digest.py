"""The digest of a file: a path in, its SHA-256 in hexadecimal out."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest(path: Path) -> str:
    """By which a file is known again, whatever its name."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
