"""Reads the outline stored in a PDF as bookmarks."""

from __future__ import annotations

from typing import Any

import pypdfium2

from core.library.extract.text import normalise_line
from core.library.extracted import Bookmark

_MOST = 5_000
_DEEPEST = 15
_LONGEST = 300


def bookmarks_of(document: Any) -> list[Bookmark]:
    """Entries with a title, in order, with levels and pages counted from 1; damaged ones are left out."""
    found: list[Bookmark] = []
    try:
        for entry in document.get_toc(max_depth=_DEEPEST):
            title = normalise_line(entry.get_title())[:_LONGEST]
            if title:
                found.append(Bookmark(title=title, level=entry.level + 1, page=_page(entry)))
            if len(found) >= _MOST:
                break
    except (pypdfium2.PdfiumError, ValueError, RecursionError):
        return found
    return found


def _page(entry: Any) -> int | None:
    destination = entry.get_dest()
    index = destination.get_index() if destination else None
    return index + 1 if index is not None and index >= 0 else None
