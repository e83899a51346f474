"""Shows progress in a single line of the terminal that is overwritten by each update."""

from __future__ import annotations

import sys

CLEAR = "\r\x1b[2K"
"""Control characters that move to the beginning of the terminal line and clear it."""


def show_progress(text: str = "") -> None:
    """Show a progress text, only at a terminal; an empty text clears the line."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{text}", end="", file=sys.stderr, flush=True)
