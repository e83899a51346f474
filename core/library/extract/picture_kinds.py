"""Handles special image formats: HEIC, which needs the optional pi-heif, and animations."""

from __future__ import annotations

from functools import cache
from importlib import import_module

MOVING = frozenset(("GIF", "WEBP", "PNG"))
"""Pillow's names of formats in which the images after the first are animation frames and not pages."""


@cache
def is_heic_read() -> bool:
    """Whether HEIC images can be opened; the first call registers the format with Pillow."""
    try:
        import_module("pi_heif").register_heif_opener()
    except ImportError:
        return False
    return True
