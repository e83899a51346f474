"""Builds passages from a table of records: *rows, one by one* → chunks, and the text for each chunk's vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.language.tokens import count_tokens
from core.library.chunking.chunks import Chunk
from core.library.extract.text import normalise_line
from core.library.record_tables.columns import prose_of
from core.library.tables.rendering import SEPARATOR

_BREAK = 1
"""Number of tokens in a line break."""


@dataclass
class TextPlace:
    """Where the next text begins in the document, as a character position and a passage number."""

    offset: int = 0
    position: int = 0
    vectors: int = 0
    """How many more passages may get a vector."""


def row_line(cells: Sequence[str]) -> str:
    """A row as one line of its passage; line breaks in cells are replaced."""
    text = SEPARATOR.join(cells)
    plain = text.isascii() and text.isprintable() and "  " not in text
    if not plain or text.count("|") >= len(cells):
        text = SEPARATOR.join(normalise_line(cell).replace("|", "¦") for cell in cells)
    return text.strip(" |") if text[:1] in " |" or text[-1:] in " |" else text


@dataclass
class RowPacker:
    """Collects rows into passages within the token budget. Each passage begins with the column headings."""

    header: str
    texts: frozenset[int]
    budget: int
    place: TextPlace
    path: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._head_tokens = count_tokens(self.header) + _BREAK if self.header else 0
        if 2 * self._head_tokens > self.budget:
            self.header, self._head_tokens = "", 0
        self._begin()

    def _begin(self) -> None:
        self._lines: list[str] = []
        self._prose: list[str] = []
        self._tokens = self._head_tokens

    def chunks(self, rows: Iterable[Sequence[str]]) -> Iterator[Chunk]:
        for row in rows:
            line = row_line(row)
            if not line:
                continue
            tokens = count_tokens(line) + _BREAK
            if self._lines and self._tokens + tokens > self.budget:
                yield self._made()
            if self._head_tokens + tokens > self.budget:
                yield from self._divided(line, tokens)
                continue
            self._lines.append(line)
            self._tokens += tokens
            if self.texts and (prose := prose_of(row, self.texts)):
                self._prose.append(prose)
        if self._lines:
            yield self._made()

    def _divided(self, line: str, tokens: int) -> Iterator[Chunk]:
        """Split a row that exceeds the budget by itself into parts of about equal token count."""
        room = max(1, self.budget - self._head_tokens)
        size = max(1, len(line) * room // (2 * tokens))
        for start in range(0, len(line), size):
            part = line[start : start + size]
            self._lines, self._prose = [part], []
            self._tokens = self._head_tokens + min(tokens, len(part))
            chunk = self._made()
            if start + size < len(line):
                self.place.offset -= 1  # Parts of one line have no line break between them.
            yield chunk

    def _made(self) -> Chunk:
        text = "\n".join(self._lines)
        embedded = "\n".join(self._prose) if self.place.vectors > 0 else ""
        start = self.place.offset
        chunk = Chunk(
            text=f"{self.header}\n{text}" if self.header else text,
            embedded=embedded or None,
            position=self.place.position,
            start=start,
            end=start + len(text),
            content_type="table",
            role="body" if embedded else "records",
            section=self.path[-1] if self.path else None,
            path=self.path,
            token_count=self._tokens,
        )
        self.place.offset += len(text) + 1
        self.place.position += 1
        self.place.vectors -= bool(embedded)
        self._begin()
        return chunk
