"""Finds financial statements whose title is inside the table: *header and rows* → the title of their section.

Otherwise a balance sheet without a heading above it would be filed under the last heading before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.language.vocabulary import phrase_of
from core.library.chunking.paragraphs import Paragraph
from core.library.structure.titles import TitleCandidate, clean_title, is_title
from core.library.structure.words import bare

_TITLE = re.compile(phrase_of("library/structure.statements.title"), re.IGNORECASE)
_LINES = re.compile(phrase_of("library/structure.statements.lines"), re.IGNORECASE | re.MULTILINE)
_PARTS = re.compile(r"[|·\n]")
_MOST_HEADER, _MOST_TEXT = 2_000, 20_000


def names_statement(title: str) -> bool:
    """Whether ``title`` is a financial statement's title with no other words before it."""
    return bool(_TITLE.fullmatch(title.strip()))


def statement_heads(
    found: Sequence[Paragraph], heads: Mapping[int, TitleCandidate], size: int
) -> dict[int, TitleCandidate]:
    """Headings by the position of tables that are statements, if the heading above does not name them.

    Args:
        heads: the headings found so far, by position.
        size: the smallest type size of a section heading.
    """
    added: dict[int, TitleCandidate] = {}
    open_title = ""
    own = size
    for place, paragraph in enumerate(found):
        if place in heads:
            open_title = bare(heads[place].title)
            # A statement is never a part of another statement.
            own = heads[place].size or size if names_statement(heads[place].title) else size
        if paragraph.kind != "table" or paragraph.page is None:
            continue
        title = _title_in(paragraph)
        if title and bare(title) not in open_title and (not open_title or open_title not in bare(title)):
            added[place] = TitleCandidate(clean_title(title), size=own, lines=0)
            open_title = bare(title)
    return added


def _title_in(table: Paragraph) -> str | None:
    """The title of a statement among a table's headings, if its lines are those of one."""
    parts = [part.strip() for part in _PARTS.split((table.header or "")[:_MOST_HEADER])]
    named = next((part for part in parts if names_statement(part) and is_title(part)), None)
    return named if named and _LINES.search(table.text[:_MOST_TEXT]) else None
