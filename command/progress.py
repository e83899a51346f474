"""What is being done, in one line of a terminal over and over."""

from __future__ import annotations

import sys

CLEAR = "\r\x1b[2K"
"""To the beginning of the line, which is emptied."""


def show_progress(text: str = "") -> None:
    """Nothing where nobody watches; without a text the line is taken away."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{text}", end="", file=sys.stderr, flush=True)
