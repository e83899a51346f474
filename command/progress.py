"""Shows progress in one terminal line that is overwritten."""

from __future__ import annotations

import sys

CLEAR = "\r\x1b[2K"
"""Moves to the beginning of the line and clears it."""


def show_progress(text: str = "") -> None:
    """Does nothing if the output is no terminal; without a text, clears the line."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{text}", end="", file=sys.stderr, flush=True)
