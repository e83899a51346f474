"""Finds headings by their shape only, for documents in which nothing else marks them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.language.hebrew import is_hebrew
from core.library.chunking.paragraphs import Paragraph
from core.library.structure.labels import label_of
from core.library.structure.roles import FORMS
from core.library.structure.titles import LONGEST_TITLE, PARENTHESES, TitleCandidate, clean_title, is_title

_PROSE = 100
"""A paragraph of at least this many characters counts as the body text of the short line above it."""


def is_weak(found: Sequence[Paragraph], heads: Mapping[int, TitleCandidate]) -> bool:
    """Whether there is almost no other evidence of headings, so that their shape must decide."""
    sure = sum(found[place].role != "cover" and _heads_matter(found, place) for place in heads)
    pages = max((paragraph.page or 0 for paragraph in found), default=0)
    return 2 * sure < pages if pages else sure == 0


def _heads_matter(found: Sequence[Paragraph], place: int) -> bool:
    """Whether prose, a table or another heading follows; the words of a drawing are not headings."""
    if place + 1 == len(found) or len(found[place].text) > LONGEST_TITLE:
        return True
    below = found[place + 1]
    return below.kind in ("table", "heading", "list") or len(below.text) >= _PROSE


def heads_by_shape(found: Sequence[Paragraph]) -> dict[int, TitleCandidate]:
    heads: dict[int, TitleCandidate] = {}
    for place, paragraph in enumerate(found):
        title = clean_title(PARENTHESES.sub(" ", paragraph.text)) if paragraph.page else clean_title(paragraph.text)
        if paragraph.role in FORMS or not title:
            continue
        in_page = paragraph.kind in ("heading", "paragraph") and (
            _is_line_of_capitals(title) or (paragraph.guessed and is_title(title) and _leads_prose(found, place))
        )
        if in_page if paragraph.page else paragraph.kind == "heading":
            heads[place] = TitleCandidate(title, label_of(title))
    return heads


def _leads_prose(found: Sequence[Paragraph], place: int) -> bool:
    """Whether a short line is between whole paragraphs, and the next one is prose on the same page."""
    above, below = found[max(0, place - 1)], found[min(place + 1, len(found) - 1)]
    prose = below.kind in ("paragraph", "list") and len(below.text) >= _PROSE and below.page == found[place].page
    return prose and (
        above.page != below.page or above.kind != "paragraph" or above.text.endswith((".", ":", "”", '"'))
    )


def _is_line_of_capitals(title: str) -> bool:
    words = title.split()
    if not 1 < len(words) <= 12 or not is_title(title):
        return False
    return title.isupper() or (is_hebrew(title) and len(words) <= 8 and not re.search(r"[.!?;|\d]", title))
