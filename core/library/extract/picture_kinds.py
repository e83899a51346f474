"""Kinds of pictures that need a word of their own: HEIC, read where the optional pi-heif is installed, and films."""

from __future__ import annotations

from functools import cache
from importlib import import_module

MOVING = frozenset(("GIF", "WEBP", "PNG"))
"""Formats, as Pillow names them, whose pictures after the first are those of a film, and no pages."""


@cache
def is_heic_read() -> bool:
    """Whether such pictures can be opened; from then on Pillow does."""
    try:
        import_module("pi_heif").register_heif_opener()
    except ImportError:
        return False
    return True
