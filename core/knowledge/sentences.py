"""Finds the sentence of a text that names a concept, or two concepts together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.knowledge.extraction.running_text import sentences_of
from core.knowledge.views import Concept, Definition
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.store.items import MemoryItem

LONGEST = 400
"""Maximum number of characters of a sentence that is shown; a longer one is cut around the names."""


def names_of(concept: Concept) -> tuple[str, ...]:
    """All names of the concept, folded."""
    names = (concept.label, *concept.labels.values(), *concept.aliases)
    return tuple(dict.fromkeys(folded for name in names if (folded := fold(name).strip())))


def sentence_naming(text: str, *concepts: Sequence[str]) -> str | None:
    """The first sentence that names each of the concepts, which are given by their folded names."""
    for sentence in split_sentences(text):
        folded = fold(sentence.text)
        if all(any(name in folded for name in names) for names in concepts):
            return _shortened(" ".join(sentence.text.split()), concepts)
    return None


def introducing(items: Iterable[MemoryItem], names: Sequence[str]) -> Definition | None:
    """The sentence that names the concept nearest to its beginning, so that it is probably about it; of equal ones that
    of the earliest passage. If no sentence names it, the first line that does."""
    ordered = sorted(items, key=lambda item: (item.timestamps.created_at, item.place.order))
    for parts in (sentences_of, str.splitlines):
        found: list[tuple[int, str, MemoryItem]] = []
        for item in ordered:
            for part in parts(item.text):
                folded = fold(part)
                places = [place for name in names if (place := folded.find(name)) >= 0]
                if places:
                    found.append((min(places), part, item))
        if found:
            _, text, item = min(found, key=lambda each: each[0])
            return with_source(_shortened(" ".join(text.split()), [names]), item)
    return None


def quoted(items: Iterable[MemoryItem], *concepts: Sequence[str]) -> Definition | None:
    """The first sentence of the texts that names each of the concepts, with its source."""
    for item in items:
        found = sentence_naming(item.text, *concepts)
        if found:
            return with_source(found, item)
    return None


def with_source(text: str, item: MemoryItem) -> Definition:
    """A sentence with the document and page of its text."""
    book = item.source.book
    return Definition(
        text=text,
        item_id=item.id,
        document_id=item.document_id if book else None,
        title=book.title if book else None,
        page=book.page if book else None,
    )


def _shortened(text: str, concepts: Sequence[Sequence[str]]) -> str:
    if len(text) <= LONGEST:
        return text
    folded = fold(text)
    places = [place for names in concepts for name in names if (place := folded.find(name)) >= 0]
    start = max(0, min(min(places, default=0), len(text) - LONGEST) - 40)
    end = start + LONGEST
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
