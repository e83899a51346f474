"""Renders a document's details: a description that the user can correct, known facts, and the document's passages."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, get_args

from markupsafe import Markup

from core.datasets.records import Dataset
from core.figures.contradictions.records import Contradiction
from core.language.transcripts import utterances_in
from core.library.records import CoveredPeriod, Document, DocumentKind, Metadata
from core.library.structure.records import Outline
from core.library.viewing.passages import own_texts
from core.reading_settings import ENCODINGS, ReadingOptions
from core.store.items import MemoryItem
from core.words import Language
from viz.knowledge.contradictions import contradictions_section
from viz.labels import label
from viz.templating import render

KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)


@dataclass(frozen=True)
class Place:
    """A line of the outline and the passage that it links to. ``depth`` counts from 0; ``page`` is the displayed
    number."""

    title: str
    depth: int
    role: str
    page: int | None
    label: str | None
    item: str | None


def detail(
    document: Document,
    chunks: Sequence[MemoryItem],
    outline: Outline,
    language: Language,
    *,
    sections: bool = False,
    reader: str | None = None,
    datasets: Sequence[Dataset] = (),
    differing: Sequence[Contradiction] = (),
) -> Markup:
    """``chunks`` are in reading order. ``sections``: whether a model can describe each section. A ``reader`` who is not
    the owner sees the owner's name and cannot correct the description. ``datasets`` are those of the document,
    ``differing`` the figures that other documents print differently."""
    return render(
        "document",
        document=document,
        chunks=chunks,
        identity=fields(document.metadata, language),
        facts=facts(document, language),
        differing=contradictions_section(differing, language),
        outline=places(outline, chunks),
        speakers=speakers(chunks),
        sections=sections and bool(chunks),
        reading=reading_choices(document, language) if reader in (None, document.user_id) else None,
        notes=[english if language == "en" else hebrew for english, hebrew in document.notes],
        mine=reader in (None, document.user_id),
        datasets=datasets,
        language=language,
    )


HIDING = frozenset(
    ("xlsx", "xlsm", "xltx", "xls", "xlsb", "ods", "docx", "docm", "dotx", "odt", "rtf", "pptx", "pptm", "ppsx", "ppsm",
     "potx", "odp", "html", "htm")
)  # fmt: skip
"""Extensions of formats that can have hidden parts."""
ENCODED = frozenset(("txt", "text", "log", "csv", "tsv", "tab", "md", "markdown", "html", "htm", "rst"))
"""Extensions of text formats with an encoding."""


class ReadingChoices(NamedTuple):
    """``hidden``: whether hidden parts are read, ``None`` if the format has none; ``encodings``: name and label of
    each possible encoding, empty if the format states its own."""

    hidden: bool | None
    encoding: str
    encodings: list[tuple[str, str]]


def reading_choices(document: Document, language: Language) -> ReadingChoices | None:
    """The options for reading the document again; ``None`` if there are none, or the document is being read now."""
    ending = Path(document.filename).suffix.lower().removeprefix(".")
    chosen = document.reading or ReadingOptions()
    if document.state in ("pending", "processing") or ending not in HIDING | ENCODED:
        return None
    encodings = [(name, label(f"encoding_{name.replace('-', '_')}", language)) for name in ENCODINGS]
    return ReadingChoices(
        hidden=chosen.hidden if ending in HIDING else None,
        encoding=chosen.encoding,
        encodings=[("", label("encoding_found", language)), *encodings] if ending in ENCODED else [],
    )


class Field(NamedTuple):
    """A field of the description. ``value`` is the editor's initial value, ``shown`` the displayed text; ``theirs``: a
    user has set it."""

    name: str
    value: str
    shown: str
    theirs: bool
    choices: tuple[tuple[str, str], ...] = ()


def fields(metadata: Metadata, language: Language) -> list[Field]:
    """The fields title, kind, organisations, periods and date, including unknown ones."""
    by = [each.name for each in metadata.organisations]
    values = {
        "title": (metadata.title, metadata.title),
        "kind": (metadata.kind, kind_name(metadata.kind, language)),
        "organisations": ("; ".join(by), ", ".join(by)),
        "periods": ("; ".join(map(_period_text, metadata.periods)), ", ".join(map(_period_text, metadata.periods))),
        "date": (metadata.date or "", metadata.date or ""),
    }
    choices = tuple((kind, kind_name(kind, language)) for kind in KINDS)
    return [
        Field(name, value, shown, name in metadata.corrected, choices if name == "kind" else ())
        for name, (value, shown) in values.items()
    ]


def kind_name(kind: DocumentKind, language: Language) -> str:
    return label(f"kind_{kind.replace(' ', '_')}", language)


def _period_text(period: CoveredPeriod) -> str:
    """A period as a user writes it: their own words, else "2022" or "Q2 2023"."""
    own = [name for name in period.names if name != period.key and not name[:4].isdigit()]
    year, _, part = period.key.partition("-")
    return own[-1] if own else f"{part} {year}" if part[:1] in ("Q", "H") else period.key


def speakers(chunks: Sequence[MemoryItem]) -> list[tuple[str, int]]:
    """The speakers of a transcript with their number of statements, the most frequent first; empty for
    other documents."""
    return Counter(each.speaker for each in utterances_in("\n".join(own_texts(chunks)))).most_common()


def facts(document: Document, language: Language) -> list[tuple[str, str]]:
    """Label keys and values of the facts that are known about the document."""
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


def places(outline: Outline, chunks: Sequence[MemoryItem]) -> list[Place]:
    """The sections in order, each with the passage in which it begins."""
    books = [(item.id, item.source.book) for item in chunks if item.source.book and item.source.book.end]
    starts = [book.start for _, book in books]
    found = []
    for section in outline.sections:
        near = bisect_right(starts, section.start) - 1
        item = books[max(0, near)][0] if books else None
        found.append(
            Place(
                title=section.title,
                depth=len(section.path) - 1,
                role=section.role,
                page=section.page,
                label=_page_label(outline, section.page),
                item=item,
            )
        )
    return found


def _page_label(outline: Outline, page: int | None) -> str | None:
    """The page number printed on the page, else its position in the file."""
    if page is None:
        return None
    labels = outline.page_labels
    return (labels[page - 1] if page <= len(labels) else None) or str(page)


def size(bytes_: int) -> str:
    """``812 B``, ``24 KB``, ``3.1 MB``."""
    if bytes_ < 1024:
        return f"{bytes_} B"
    return f"{bytes_ / 1024:.0f} KB" if bytes_ < 1024**2 else f"{bytes_ / 1024**2:.1f} MB"
