"""Reads texts by the rules: passages with what is known of their whole document, everything else as facts."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.knowledge.catalogue import DEFINED
from core.knowledge.content_store import ContentStore
from core.knowledge.extraction.companies import company_span
from core.knowledge.extraction.defined_terms import introduced_in, is_acronym
from core.knowledge.extraction.document_words import DocumentWords, words_of
from core.knowledge.extraction.entities import Extracted, extract
from core.knowledge.extraction.known_entities import Known
from core.knowledge.extraction.passage import definitions_in, read_passage, things_in
from core.knowledge.extraction.patterns import Span
from core.knowledge.extraction.running_text import prepared, sentences_of
from core.knowledge.synced_graph import SyncedGraph
from core.lru_cache import LruCache
from core.store.items import MemoryItem

MOST_DOCUMENTS = 32
"""Maximum number of documents whose words are kept."""


@dataclass
class DocumentReading:
    """Caches the words of documents that are being read."""

    _store: ContentStore
    _kept: LruCache[tuple[str, str], tuple[float, DocumentWords]] = field(
        default_factory=lambda: LruCache(MOST_DOCUMENTS)
    )

    async def of(self, user_id: str, items: Sequence[MemoryItem], known: Known) -> dict[str, DocumentWords]:
        """The words of the passages' documents, by the document's id."""
        newest: dict[str, float] = {}
        for item in items:
            if item.tier == "books" and item.document_id:
                newest[item.document_id] = max(newest.get(item.document_id, 0.0), item.timestamps.updated_at)
        return {document: await self._read(user_id, document, at, known) for document, at in newest.items()}

    async def _read(self, user_id: str, document: str, at: float, known: Known) -> DocumentWords:
        kept = self._kept.get((user_id, document))
        if kept is None or kept[0] < at:
            texts = await self._store.texts_of(user_id, document)
            words = await asyncio.to_thread(_words, [text for text, _ in texts], document, known)
            kept = (max([at, *(updated for _, updated in texts)]), words)
            self._kept[user_id, document] = kept
        return kept[1]


def _words(texts: Sequence[str], document: str, known: Known) -> DocumentWords:
    name = known.issuers.get(document)
    words = words_of(texts, replace(company_span(known, 0, 0, name), spelled="") if name else None)
    return words.with_short(dict(_short(texts, known, words)))


def _short(texts: Iterable[str], known: Known, words: DocumentWords) -> Iterable[tuple[str, Span]]:
    """The meanings of the document's abbreviations, where it introduces them."""
    for text in texts:
        if "(" not in text:
            continue
        for sentence in dict.fromkeys((*sentences_of(text), *prepared(text).splitlines())):
            acronyms = [each.span for each in introduced_in(sentence) if is_acronym(each.span.label)]
            things = things_in(sentence, known, words=words) if acronyms else []
            for acronym in acronyms:
                for thing in things:
                    if acronym.key == thing.key:
                        yield acronym.label, thing
                    elif acronym.key in thing.also:
                        yield acronym.label, replace(thing, spelled=acronym.label)


def defined_where(grown: SyncedGraph, items: Sequence[MemoryItem]) -> dict[str, set[str]]:
    """For each defined term's key, the documents that define it; for an acronym, all documents, because they share
    acronyms."""
    documents = {item.document_id for item in items if item.document_id}
    found: dict[str, set[str]] = defaultdict(set)
    for row in grown.catalogue.rows.values():
        for key in row.keys:
            if key.startswith(DEFINED):
                texts = (grown.content.sources.get(each) for each in grown.content.naming.get(row.id, ()))
                found[key] = {text.document_id for text in texts if text and text.document_id in documents}
                if " " not in key.removeprefix(DEFINED):
                    found[key] |= documents
    return found


def read_by_rules(
    items: Sequence[MemoryItem],
    known: Known,
    defined: Mapping[str, set[str]],
    words: Mapping[str, DocumentWords],
) -> list[Extracted]:
    """Passages are read by the rules for documents, everything else by the rules for facts."""
    fresh = {(item.document_id, key) for item in items if item.tier == "books" for key in definitions_in(item.text)}

    def read(item: MemoryItem) -> Extracted:
        if item.tier != "books":
            return extract(item.text)
        return read_passage(
            item,
            known,
            lambda key: (item.document_id, key) in fresh or item.document_id in defined.get(key, ()),
            words.get(item.document_id or ""),
        )

    return [read(item) for item in items]
