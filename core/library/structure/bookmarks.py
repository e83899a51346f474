"""Matches the outline stored in a file to its text: paragraphs + bookmarks → the heading paragraph of each bookmark."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.chunking.paragraphs import Paragraph
from core.library.extracted import Bookmark
from core.library.structure.words import bare

_NEAR = (0, 1, -1)
"""Page offsets at which a bookmark's heading is searched, the most likely first."""
_LONGEST = 240
_LEAST_FOUND = 0.4
"""If less than this share of an outline's entries is found in the text, the outline is of another edition, or lists
figures."""


def matched(found: Sequence[Paragraph], bookmarks: Sequence[Bookmark]) -> dict[int, Bookmark]:
    """Bookmarks by the position of their heading. Levels count from 1; they are 0 in an outline with one level.

    Empty if the outline does not match the text.
    """
    by_page: dict[int, list[int]] = {}
    for place, paragraph in enumerate(found):
        if paragraph.page is not None and paragraph.kind != "table":
            by_page.setdefault(paragraph.page, []).append(place)
    taken: dict[int, Bookmark] = {}
    named = [bookmark for bookmark in bookmarks if bookmark.page is not None and bare(bookmark.title)]
    for bookmark in named:
        nearest = _heading_place(found, by_page, bookmark, taken)
        if nearest is not None:
            taken[nearest] = bookmark
    if len(taken) < 2 or len(taken) < _LEAST_FOUND * len(named):
        return {}
    levels = {bookmark.level for bookmark in taken.values()}
    # An outline with one level only shows what the headings are; their labels ("Part I", "Item 1") show the levels.
    before = min(levels) - (len(levels) > 1)
    return {place: bookmark.model_copy(update={"level": bookmark.level - before}) for place, bookmark in taken.items()}


def _heading_place(
    found: Sequence[Paragraph], by_page: dict[int, list[int]], bookmark: Bookmark, taken: dict[int, Bookmark]
) -> int | None:
    """The heading of ``bookmark``: the same words, on its page or the next; headings are preferred to other text."""
    title = bare(bookmark.title)
    likely = [
        (worth - distance, place)
        for distance, step in enumerate(_NEAR)
        for place in by_page.get((bookmark.page or 0) + step, ())
        if place not in taken and found[place].role != "contents" and (worth := _title_likeness(title, found[place]))
    ]
    return max(likely, key=lambda each: each[0])[1] if likely else None


def _title_likeness(title: str, paragraph: Paragraph) -> int:
    text = bare(paragraph.text[:_LONGEST])
    short = len(paragraph.text) <= _LONGEST
    if short and text == title:
        return 20 if paragraph.kind == "heading" else 15
    if len(title) >= 6 and short and (text.endswith(f" {title}") or text.startswith(f"{title} ")):
        return 10 if paragraph.kind == "heading" else 5
    # A bookmark may contain both lines of a heading ("ARTICLE 1 OFFICES").
    if short and len(text) >= 6 and paragraph.kind == "heading" and title.startswith(f"{text} "):
        return 8
    return 0
