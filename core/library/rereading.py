"""Reads a document's original file again around a question, when the passages that were shown do not suffice.

The finer passages are added to the document and replace none. The ones chosen contain most of the question's terms and
were not shown yet, so that the second reading does not repeat what was found.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Self

from core.clock import Clock
from core.errors import PalimpsestError
from core.ids import derived_id
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import content_terms, covers, index_terms, query_terms
from core.library.catalogue import Catalogue
from core.library.chunking.chunks import Chunk
from core.library.group_sharing import passages_follow
from core.library.reading import Readers
from core.library.recognition.kept_pages import RecognisedPages
from core.library.records import Augmentation, Document
from core.library.storing import items_of
from core.lru_cache import LruCache
from core.memory.items.writing import MemoryItems
from core.search.local_bm25 import LocalBm25
from core.setting_groups import Chunking
from core.settings import Settings
from core.store.files import FileStore
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

FINER = 3
"""New passages are a third as long: with other boundaries, closer to the answer."""
MOST_ADDED = 4
MOST_PASSAGES = 1_000
"""Longer documents are not read again, because an answer must not take that long."""
AGAIN = 1_000_000
"""Passages of second readings have positions from here on: they repeat earlier text and have no neighbours."""
SECONDS = 20.0
QUESTION_CHARACTERS = 300
SHOWN = 0.8
"""A passage counts as shown before if one shown passage has this share of its words and all its numbers."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MOST_KEPT = 4
"""Number of readings that are cached for the next question about the same document."""


@dataclass(frozen=True)
class SecondReading:
    """The result of a second reading: ``items`` that best match the question, best first; ``added`` of them are new to
    the document."""

    items: list[MemoryItem]
    added: int = 0


@dataclass(frozen=True)
class Rereading:
    """Reads documents again and adds the finer passages; replaces none."""

    catalogue: Catalogue
    items: MemoryItems
    files: FileStore
    clock: Clock
    settings: Settings
    readers: Readers
    pages: RecognisedPages
    gate: asyncio.Lock = field(default_factory=asyncio.Lock)
    readings: LruCache[str, list[Chunk]] = field(default_factory=partial(LruCache, MOST_KEPT))

    async def reread(self, user_id: str, document_id: str, question: str, shown: Sequence[str] = ()) -> SecondReading:
        """Passages of the file that match ``question`` and were not ``shown`` yet. Empty if it has nothing more, is too
        long, cannot be read now, or belongs to another user.

        Raises:
            PalimpsestError: there is no such document.
        """
        document = await self.catalogue.readable(user_id, document_id)
        if not document.is_stored or document.recognition or document.user_id != user_id:
            return SecondReading([])
        if document.chunks > MOST_PASSAGES or document.without_vectors:
            return SecondReading([])
        try:
            chunks = await self._fine_chunks(document)
        except Exception:
            log.warning("%s could not be read again", document_id, exc_info=True)
            return SecondReading([])
        chosen = await asyncio.to_thread(_telling, question, chunks, shown)
        async with self.gate:
            return await self._with_added(user_id, document_id, question[:QUESTION_CHARACTERS], chosen)

    async def _fine_chunks(self, document: Document) -> list[Chunk]:
        """The whole file in passages a third as long."""
        key = f"{document.user_id}:{document.sha256}:{document.reading}"
        if (kept := self.readings.use(key)) is None:
            kept = self.readings[key] = await self._read_again(document)
        return kept

    async def _read_again(self, document: Document) -> list[Chunk]:
        normal = self.settings.chunking
        finer = Chunking(max_tokens=max(1, normal.max_tokens // FINER), overlap_tokens=normal.overlap_tokens)
        limits = self.settings.deadlines.model_copy(update={"extraction": SECONDS})
        settings = document.settings(self.settings).model_copy(update={"chunking": finer, "deadlines": limits})
        user_id, sha256 = document.user_id, document.sha256
        async with self.files.open(sha256, user_id) as path, self.pages.folder(user_id, sha256) as scans:
            kept = scans if await self.pages.count(user_id, sha256) else None
            reading = await self.readers.read_file(path, document.filename, settings, lambda *_: None, kept)
        return reading.chunks

    async def _with_added(
        self, user_id: str, document_id: str, question: str, chosen: Sequence[Chunk]
    ) -> SecondReading:
        """Return ``chosen`` as items, after adding the new ones to the document."""
        document = await self.catalogue.get(user_id, document_id)
        there = {fold(item.text): item for item in await self.items.of_document(user_id, document_id)}
        new = [chunk for chunk in chosen if fold(chunk.text) not in there]
        placed = [
            chunk.model_copy(update={"position": AGAIN + 2 * (document.chunks + n)}) for n, chunk in enumerate(new)
        ]
        records = [_renamed(item) for item in items_of(document, placed, self.clock())]
        found = there | {fold(item.text): item for item in records}
        again = SecondReading([found[fold(chunk.text)] for chunk in chosen], len(records))
        if any(each.question == question for each in document.augmentations) and not records:
            return again
        if records:
            await self.items.add(user_id, records)
            await self.items.activate_document(user_id, document_id)
            await passages_follow(self.catalogue, self.items, user_id, document_id)
        done = Augmentation(at=self.clock(), question=question, added=len(records))
        try:
            await self.catalogue.change(
                user_id,
                document_id,
                augmentations=[*document.augmentations, done],
                chunks=document.chunks + len(records),
                searchable=document.searchable + len(records),
            )
        except PalimpsestError:
            await self.items.bury_document(user_id, document_id)
            raise
        return again


class _Content(NamedTuple):
    """A passage's words and numbers, used to compare two passages."""

    words: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(frozenset(fold(text).split()), frozenset(_NUMBER.findall(text)))

    def is_told_by(self, other: Self) -> bool:
        return self.numbers <= other.numbers and len(self.words & other.words) >= SHOWN * len(self.words)


def _telling(question: str, chunks: Sequence[Chunk], shown: Sequence[str]) -> list[Chunk]:
    """The best passages that contain a term of the question and were not shown."""
    wanted = content_terms(question)
    # Word rarity is computed over the whole document, not only over the parts that contain one of the terms.
    index = LocalBm25((str(n), index_terms(chunk.text, detect(chunk.text))) for n, chunk in enumerate(chunks))
    ranked = [chunks[int(hit.id)] for hit in index.search(query_terms(question, detect(question)), len(chunks))]
    ranked = [chunk for chunk in ranked if any(covers(term, fold(chunk.text)) for term in wanted)]
    seen = [_Content.of(text) for text in shown]
    unseen: dict[str, Chunk] = {}
    for chunk in ranked:
        content = _Content.of(chunk.text)
        if not any(content.is_told_by(each) for each in seen):
            unseen.setdefault(fold(chunk.text), chunk)
        if len(unseen) == MOST_ADDED:
            break
    return list(unseen.values())


def _renamed(item: MemoryItem) -> MemoryItem:
    """The item with an id that is the same for the same text in every second reading."""
    identifier = derived_id("mem", item.document_id or item.id, f"again: {item.text}")
    source = item.source.model_copy(update={"chunk_id": identifier})
    return item.model_copy(update={"id": identifier, "source": source})
