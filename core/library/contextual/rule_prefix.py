"""Builds the rule-based prefix: document title and section path → text put before a passage for its embedding."""

from __future__ import annotations

from collections.abc import Sequence

MOST_PREFIX = 240
"""Maximum number of characters of a prefix: a longer one would outweigh the meaning of a short passage."""


def prefix(title: str, section: str | Sequence[str] | None) -> str:
    """The text in front of a chunk when it is embedded: the document and the section path.

    If the path is too long, its outermost sections are left out.
    """
    path = [section] if isinstance(section, str) else list(section or [])
    room = MOST_PREFIX - len("Book: , Section: .")
    if not path:
        return f"Book: {title[:room]}."
    title = title[: room // 2]
    while len(path) > 1 and len(title) + len(" > ".join(path)) > room:
        path.pop(0)
    return f"Book: {title}, Section: {' > '.join(path)[: room - len(title)]}."
