"""Builds chunks: self-contained pieces of a document within a token budget (docs/specification.md, "Chunks")."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.tokens import count_tokens
from core.library.chunking.paragraphs import Paragraph
from core.library.chunking.splitting import JOINT, Divider, Piece, whole
from core.library.structure.sections import Structure
from core.setting_groups import Chunking
from core.store.items import ChunkPlace, ContentType

_SEPARATOR = "\n\n"
_TINY = 25
"""In tokens: a smaller text is joined with its neighbour in the same section."""
_BIG_TABLE = 120
"""In tokens: a table of at least this size is not mixed with the prose next to it."""
_LEAD_IN = 60
"""A line with at most this many tokens before a table is put in the table's chunk."""
_FULL_ENOUGH = 0.6
"""When a chunk has reached this share of the budget, a new page starts a new chunk, because a citation names a page."""
_MOST_LEADING = 50
"""Maximum number of headings that are held back for the text below them; otherwise a file with only headings would hold
back all of them."""
_FREE_LEVEL = 3
"""Small sibling sections at this level of the tree or deeper may share a chunk."""


class Chunk(ChunkPlace, frozen=True):
    """A chunk. ``text`` is the text from ``start`` to ``end``, with paragraphs separated by one blank line and with the
    column headings of its tables. ``position`` counts from 0. ``embedded`` is the part of the text that the vector
    is made of; ``None``: all."""

    text: str
    position: int
    embedded: str | None = None


def chunk_structure(structure: Structure, settings: Chunking) -> list[Chunk]:
    """Split a document into chunks of at most ``settings.max_tokens`` tokens; nothing but whitespace is left out.

    A chunk belongs to one section. Only very small neighbours below the second level share a chunk, which is then cited
    by their parent section. A heading is in the chunk of its text. The pieces of one long paragraph overlap by up to
    ``settings.overlap_tokens``.
    """
    packer = _Packer(structure, settings)
    for paragraph in structure.paragraphs:
        packer.add(paragraph)
    packer.flush()
    return packer.chunks


class _Packer:
    """Stage two: collects paragraphs into chunks within the budget."""

    def __init__(self, structure: Structure, settings: Chunking) -> None:
        self._structure = structure
        self._max = settings.max_tokens
        self._overlap = settings.overlap_tokens
        self._open: list[Piece] = []
        self._tokens = 0
        self.chunks: list[Chunk] = []
        self._last: list[Piece] = []

    def add(self, paragraph: Paragraph) -> None:
        piece = whole(paragraph)
        if self._begins_chunk(piece):
            self._close_before(piece)
        if not self._fits_in_chunk(piece):
            self._close_before(piece)
        if self._fits_in_chunk(piece):
            self._append(piece)
        else:
            self._add_divided(paragraph)

    def _begins_chunk(self, piece: Piece) -> bool:
        """Whether the open chunk ends before ``piece``: at a new section, role, large table or page."""
        body = [each for each in self._open if not each.is_heading]
        if not body:
            return False
        before, now = body[-1].source, piece.source
        if before.role != now.role:
            return True
        if before.place != now.place and not self._may_share(body, piece):
            return True
        if _parts_tables(body, piece):
            return True
        turned = now.page is not None and before.page is not None and now.page != before.page
        return turned and self._tokens >= _FULL_ENOUGH * self._max

    def _may_share(self, body: Sequence[Piece], piece: Piece) -> bool:
        """Whether ``body`` and ``piece`` are in small sibling sections deep in the tree."""
        around, here = self._structure.around(body[-1].source.place), self._structure.around(piece.source.place)
        deep = min(len(around), len(here)) >= _FREE_LEVEL and around[: _FREE_LEVEL - 1] == here[: _FREE_LEVEL - 1]
        return deep and around[:-1] == here[:-1] and sum(each.tokens for each in body) < _TINY

    def _add_divided(self, paragraph: Paragraph) -> None:
        if self._tokens * 2 >= self._max:
            self._close_before(None)
        room = self._max - self._tokens - (JOINT if self._open else 0)
        for piece in Divider(paragraph, self._max, self._overlap).pieces(room):
            if not all(_goes_with(earlier, piece) for earlier in self._open):
                self.flush()
            self._append(piece)

    def _append(self, piece: Piece) -> None:
        self._open.append(piece)
        self._tokens += piece.tokens + (JOINT if len(self._open) > 1 else 0)

    def _fits_in_chunk(self, piece: Piece) -> bool:
        """Whether ``piece`` fits in; counts tokens exactly only if the sum of the parts does not decide."""
        if self._tokens + piece.tokens + JOINT <= self._max or not self._open:
            return piece.tokens <= self._max
        if piece.tokens >= self._max:
            return False
        exact = count_tokens(_SEPARATOR.join(part.text for part in (*self._open, piece)))
        if exact > self._max:
            return False
        self._tokens = exact - piece.tokens - JOINT
        return True

    def _close_before(self, piece: Piece | None) -> None:
        """Close the open chunk, except for what belongs to ``piece``: headings at the end, the line that introduces a
        table."""
        body = len(self._open)
        if piece and body and _leads_to(self._open[body - 1], piece):
            body -= 1
        first = max(0, len(self._open) - _MOST_LEADING)
        while body > first and self._open[body - 1].is_heading:
            body -= 1
        lead = self._open[body:]
        self._open = self._open[:body]
        self.flush()
        for each in lead:
            self._append(each)

    def flush(self) -> None:
        """Turn the open pieces into a chunk."""
        pieces, self._open, self._tokens = self._open, [], 0
        if pieces:
            self._emit(pieces)

    def _emit(self, pieces: list[Piece]) -> None:
        text = _SEPARATOR.join(_said_once(pieces))
        tokens = pieces[0].tokens if len(pieces) == 1 else count_tokens(text)
        if tokens > self._max and len(pieces) > 1:
            self._emit(pieces[:-1])
            self._emit(pieces[-1:])
            return
        if tokens < _TINY and self._joins_last(pieces):
            joined = [*self._last, *pieces]
            self.chunks.pop()
            self._last = []
            self._emit(joined)
            return
        self._last = pieces
        self.chunks.append(_chunk(self._structure, pieces, text, tokens, len(self.chunks)))

    def _joins_last(self, pieces: Sequence[Piece]) -> bool:
        """Whether a very small rest belongs to the previous chunk's section and fits in there."""
        if not self._last or self._last[-1].end > pieces[0].start:
            return False
        before = self._last[-1].source
        alike = all(
            (each.source.place, each.source.role) == (before.place, before.role) for each in (*self._last, *pieces)
        )
        if not alike or any(each.source.table not in (None, before.table) for each in pieces):
            return False
        return count_tokens(_SEPARATOR.join(each.text for each in (*self._last, *pieces))) <= self._max


def _said_once(pieces: Sequence[Piece]) -> list[str]:
    """The texts of ``pieces``; a table does not repeat its caption if the caption is directly above it."""
    texts: list[str] = []
    for before, piece in zip((None, *pieces), pieces, strict=False):
        head, newline, rest = piece.text.partition("\n")
        caption = before.text.strip("#* ") if before is not None and before.source.kind != "table" else ""
        titled = piece.source.kind == "table" and (piece.source.header or "").startswith(head)
        if caption and newline and titled and head.startswith(caption):
            left = head.removeprefix(caption).strip()
            texts.append(f"{left}\n{rest}" if left else rest)
        else:
            texts.append(piece.text)
    return texts


def _parts_tables(body: Sequence[Piece], piece: Piece) -> bool:
    """Whether joining would mix a large table with other text, or two tables with each other."""
    before = body[-1].source
    if before.kind == "table" and piece.source.kind == "table":
        return (before.table, piece.source.table) != (None, None) and before.table != piece.source.table
    if before.kind == "table":
        return sum(each.tokens for each in body if each.source.kind == "table") >= _BIG_TABLE
    return piece.source.kind == "table" and piece.tokens >= _BIG_TABLE and len(body) > 1


def _goes_with(earlier: Piece, piece: Piece) -> bool:
    """Whether ``earlier`` may precede the first piece of a long paragraph: it is a heading or an introducing line."""
    alike = (earlier.source.place, earlier.source.role) == (piece.source.place, piece.source.role)
    tiny = alike and earlier.tokens < _TINY and earlier.source is not piece.source and earlier.source.kind != "table"
    return earlier.is_heading or _leads_to(earlier, piece) or tiny


def _leads_to(piece: Piece, table: Piece) -> bool:
    """Whether ``piece`` is the line before a table in the same section."""
    if piece.is_heading or table.source.kind != "table" or piece.source.kind == "table":
        return False
    alike = (piece.source.place, piece.source.role) == (table.source.place, table.source.role)
    return alike and piece.tokens <= _LEAD_IN


def _chunk(structure: Structure, pieces: list[Piece], text: str, tokens: int, position: int) -> Chunk:
    sizes: dict[ContentType, int] = {}
    for piece in pieces:
        if not piece.is_heading:
            sizes[piece.source.kind] = sizes.get(piece.source.kind, 0) + piece.tokens
    pages = [piece.source.page for piece in pieces if piece.source.page is not None]
    body = [piece.source for piece in pieces if not piece.is_heading] or [pieces[-1].source]
    path = _path(structure, body)
    return Chunk(
        text=text,
        content_type=max(sizes, key=lambda kind: sizes[kind]) if sizes else "heading",
        section=path[-1] if path else None,
        path=path,
        role=body[0].role,
        table=next((each.table for each in body if each.table is not None), None),
        page=min(pages) if pages else None,
        page_end=max(pages) if pages else None,
        position=position,
        start=pieces[0].start,
        end=pieces[-1].end,
        token_count=tokens,
        has_code=any(piece.source.has_code for piece in pieces),
    )


def _path(structure: Structure, body: Sequence[Paragraph]) -> list[str]:
    """The titles of the sections that contain all of ``body``."""
    common = structure.around(body[0].place)
    for place in {each.place for each in body}:
        common = [one for one, other in zip(common, structure.around(place), strict=False) if one == other]
    return [structure.sections[place].title for place in common]
