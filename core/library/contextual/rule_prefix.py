"""The prefix by rule: title and path of sections → what stands before a passage when it is embedded."""

from __future__ import annotations

from collections.abc import Sequence

MOST_PREFIX = 240
"""Characters of a prefix: more would crowd out the meaning of a short passage."""


def prefix(title: str, section: str | Sequence[str] | None) -> str:
    """What stands before a chunk's text when it is embedded: the document and the path of its section.

    What finds no room of a path is left out from its outer end.
    """
    path = [section] if isinstance(section, str) else list(section or [])
    room = MOST_PREFIX - len("Book: , Section: .")
    if not path:
        return f"Book: {title[:room]}."
    title = title[: room // 2]
    while len(path) > 1 and len(title) + len(" > ".join(path)) > room:
        path.pop(0)
    return f"Book: {title}, Section: {' > '.join(path)[: room - len(title)]}."
