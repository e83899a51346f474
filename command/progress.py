"""Shows progress in one line of a terminal, which is overwritten each time."""

from __future__ import annotations

import sys

CLEAR = "\r\x1b[2K"
"""Moves to the line's beginning and clears it."""


def show_progress(text: str = "") -> None:
    """Show progress, only at a terminal; without a text the line is cleared."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{text}", end="", file=sys.stderr, flush=True)
