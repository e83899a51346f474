"""Defines what can be reached for an answer beyond the documents and the memory."""

from __future__ import annotations

from dataclasses import dataclass

FITS = 0.5
"""Log odds from which a tool answers a question about a current fact."""
MOST_FIT = 2.5
"""The log odds of a tool are at most this far from zero."""


@dataclass(frozen=True)
class Outlook:
    """What can be reached: ``web``: the web is on; ``tool``: the name of the tool that fits the message, if any, with
    ``fit``, its log odds. ``now``: rules found a word for the present or a current fact."""

    web: bool = False
    tool: str = ""
    fit: float = 0.0
    now: bool = False
