"""The outline that a file carries, found in its text: paragraphs + bookmarks → the paragraph of each bookmark."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.chunking.paragraphs import Paragraph
from core.library.extracted import Bookmark
from core.library.structure.words import bare

_NEAR = (0, 1, -1)
"""Pages on which the heading of a bookmark may stand, the likeliest first."""
_LONGEST = 240
_LEAST_FOUND = 0.4
"""An outline of which less than this can be found in the text is of another edition, or names figures."""


def matched(found: Sequence[Paragraph], bookmarks: Sequence[Bookmark]) -> dict[int, Bookmark]:
    """Bookmarks by the place of their heading, levels counted from 1, 0 in an outline of one level.

    Empty when the outline does not fit the text.
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
    # An outline on one level only says what the headings are; "Part I" and "Item 1" are told apart by their labels.
    before = min(levels) - (len(levels) > 1)
    return {place: bookmark.model_copy(update={"level": bookmark.level - before}) for place, bookmark in taken.items()}


def _heading_place(
    found: Sequence[Paragraph], by_page: dict[int, list[int]], bookmark: Bookmark, taken: dict[int, Bookmark]
) -> int | None:
    """The heading of ``bookmark``: the same words, on its page or the next; a heading before other text."""
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
    # A bookmark may hold both lines of a heading ("ARTICLE 1 OFFICES").
    if short and len(text) >= 6 and paragraph.kind == "heading" and title.startswith(f"{text} "):
        return 8
    return 0
