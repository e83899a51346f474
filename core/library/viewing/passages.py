"""Shows a document that has no HTML view of its own as its stored passages, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from core.library.viewing.renditions.grid import table
from core.store.items import Book, MemoryItem

_BAR = " | "


def reading_text(passages: Sequence[MemoryItem]) -> str:
    """The passages as HTML: a heading where the section changes, tables as tables; text shared by two passages is shown
    once."""
    parts: list[str] = []
    section = None
    for passage, text in zip(passages, own_texts(passages), strict=True):
        book = passage.source.book
        if book is not None and book.section and book.section != section:
            section = book.section
            parts.append(f"<h3>{escape(section)}</h3>")
        parts += _paragraphs(text)
    return "".join(parts)


def own_texts(passages: Sequence[MemoryItem]) -> Iterator[str]:
    """The text of each passage without the overlap with the previous passage."""
    end, before = 0, ""
    for passage in passages:
        book, text = passage.source.book, passage.text
        yield _unshared(text, book, end, before) if book else text
        end, before = max(end, book.end) if book else end, passage.text


def _unshared(text: str, book: Book, end: int, before: str) -> str:
    shared = end - book.start
    return text[shared:].lstrip() if 0 < shared < len(text) and before.endswith(text[:shared].rstrip()) else text


def _paragraphs(text: str) -> Iterator[str]:
    for part in text.split("\n\n"):
        lines = part.split("\n")
        if len(lines) > 1 and all(_BAR in line for line in lines):
            yield table([line.split(_BAR) for line in lines])
        elif part.strip():
            yield f"<p>{escape(part)}</p>"
