"""A document's detail: what is known of it and the passages it was cut into."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from core.library.records import Document
from core.store.items import MemoryItem
from core.words import Language
from viz.document_identity import fields
from viz.labels import label
from viz.templating import render


def detail(document: Document, chunks: Sequence[MemoryItem], language: Language) -> Markup:
    """``chunks`` in reading order."""
    return render(
        "document",
        document=document,
        chunks=chunks,
        identity=fields(document.metadata, language),
        facts=facts(document, language),
        outline=outline(chunks),
        notes=[english if language == "en" else hebrew for english, hebrew in document.notes],
        language=language,
    )


def facts(document: Document, language: Language) -> list[tuple[str, str]]:
    """Label key and value of everything known; what is unknown is left out."""
    metadata = document.metadata
    known = [
        ("author", metadata.author),
        ("language", label(f"lang_{metadata.language}", language)),
        ("subject", metadata.subject),
        ("keywords", ", ".join([*metadata.keywords_en, *metadata.keywords_he])),
        ("dates", ", ".join(metadata.dates[:8])),
        ("pages", str(document.pages) if document.pages else None),
        ("tokens", f"{document.tokens:,}" if document.tokens else None),
        ("size", size(document.size)),
        ("added", datetime.fromtimestamp(document.added_at, UTC).strftime("%Y-%m-%d %H:%M UTC")),
    ]
    return [(key, value) for key, value in known if value]


def outline(chunks: Sequence[MemoryItem]) -> list[str]:
    """Section titles in order, each once."""
    titles = [chunk.source.book.section for chunk in chunks if chunk.source.book and chunk.source.book.section]
    return list(dict.fromkeys(titles))


def size(bytes_: int) -> str:
    """``812 B``, ``24 KB``, ``3.1 MB``."""
    if bytes_ < 1024:
        return f"{bytes_} B"
    return f"{bytes_ / 1024:.0f} KB" if bytes_ < 1024**2 else f"{bytes_ / 1024**2:.1f} MB"
