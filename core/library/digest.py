"""Computes a file's digest: a path → its SHA-256 in hexadecimal."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest(path: Path) -> str:
    """The file's SHA-256, which identifies it even under another name."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
