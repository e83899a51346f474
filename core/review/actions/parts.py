"""Prepares whole documents for a model: their text with page marks, in one part if it fits the model's window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.language.tokens import count_tokens
from core.messages import message
from core.models.capabilities import TOKENIZERS_DIFFER
from core.search.documents.context import without_markers
from core.words import Words

ANSWER_SHARE = 1 / 8
"""Share of the window that is left for the answer."""
RULES_TOKENS = 1_500
"""Tokens that are left for the prompt's rules and the figures."""
_LEAST_ROOM = 500
_EARLIEST_BORDER = 0.6
"""Share of a part from which it ends at the next section, so that the next part starts with one."""


def room_in(window: int) -> int:
    """Returns how many tokens of documents (by our count) fit into a call with a context window of ``window`` tokens.

    >>> room_in(131_072) > 80_000
    True
    """
    return max(_LEAST_ROOM, int(window * (1 - ANSWER_SHARE) / TOKENIZERS_DIFFER) - RULES_TOKENS)


@dataclass(frozen=True)
class DocumentPart:
    """Consecutive passages of one document."""

    source: Source
    passages: tuple[Passage, ...]

    @property
    def pages(self) -> tuple[int, int] | None:
        """Returns the first and the last page, or ``None`` if the pages are not known."""
        pages = [passage.page for passage in self.passages if passage.page]
        return (min(pages), max(pages)) if pages else None

    @property
    def words(self) -> Words:
        """Names the part for users: the document's title with the pages."""
        if self.pages is None:
            return Words.alike(self.source.title)
        first, last = self.pages
        return message("graph.pages.part", title=self.source.title, first=first, last=last)


def whole_text(source: Source, passages: Sequence[Passage] | None = None) -> str:
    """Returns the text of ``passages`` (by default all) with a mark at the start of each page and section."""
    lines: list[str] = []
    page: int | None = None
    section: str | None = None
    for passage in source.passages if passages is None else passages:
        if passage.page and passage.page != page:
            lines.append(f"[p. {passage.page}]")
        if passage.section and passage.section != section:
            lines.append(f"## {passage.section}")
        page, section = passage.page or page, passage.section
        lines.append(without_markers(passage.text))
    return "\n\n".join(lines)


def fenced(source: Source, text: str) -> str:
    """Returns ``text`` between the lines that name its document."""
    return f"BEGIN DOCUMENT {source.number} ({source.title})\n{text}\nEND DOCUMENT {source.number}"


def split_document(source: Source, most_tokens: int) -> list[DocumentPart]:
    """Splits a document into parts of at most ``most_tokens``, at the borders of sections where possible and never
    within a table that fits; a longer passage is a part of its own."""
    parts: list[list[Passage]] = [[]]
    used = 0
    for passage in source.passages:
        tokens = count_tokens(passage.text)
        before = parts[-1][-1] if parts[-1] else None
        new_section = before is not None and passage.section != before.section
        if before is not None and (
            used + tokens > most_tokens or (used >= _EARLIEST_BORDER * most_tokens and new_section)
        ):
            carried = _table_start(parts[-1], passage)
            parts.append(carried)
            used = sum(count_tokens(each.text) for each in carried)
        parts[-1].append(passage)
        used += tokens
    return [DocumentPart(source, tuple(part)) for part in parts if part]


def _table_start(part: list[Passage], following: Passage) -> list[Passage]:
    """Removes from ``part`` the passages of the table that continues in ``following``, and returns them; leaves the
    part unchanged if the table is at least half of it."""
    if following.table is None:
        return []
    place = len(part)
    while place and part[place - 1].table == following.table:
        place -= 1
    if len(part) - place > len(part) // 2:
        return []
    carried = part[place:]
    del part[place:]
    return carried
