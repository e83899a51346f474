"""Reading an original again around a question, when what was kept of it does not suffice."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from uuid import UUID, uuid5

from core.clock import Clock
from core.errors import PalimpsestError
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import content_terms, covers, index_terms, query_terms
from core.library.catalogue import Catalogue
from core.library.chunking.chunks import Chunk
from core.library.ingestion import items_of
from core.library.reading import read_file
from core.library.records import Augmentation, Document
from core.memory.items.writing import MemoryItems
from core.search.local_bm25 import LocalBm25
from core.settings import Chunking, Settings
from core.store.files import FileStore
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

FINER = 3
"""New passages are a third as long: other boundaries, closer to the point."""
MOST_ADDED = 4
AGAIN = 1_000_000
"""Positions from here on are those of second readings: they repeat what stands before, and have no neighbours."""
SECONDS = 20.0
QUESTION_CHARACTERS = 300


@dataclass(frozen=True)
class Rereading:
    """Adds passages to a document, and replaces none."""

    catalogue: Catalogue
    items: MemoryItems
    files: FileStore
    clock: Clock
    settings: Settings
    gate: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def reread(self, user_id: str, document_id: str, question: str) -> int:
        """How many passages were added; none when the file says nothing more, or cannot be read now."""
        document = await self.catalogue.get(user_id, document_id)
        asked = question[:QUESTION_CHARACTERS]
        if not document.is_stored or any(each.question == asked for each in document.augmentations):
            return 0
        try:
            chunks = await self._relevant_chunks(document, question)
        except Exception:
            log.warning("%s could not be read again", document_id, exc_info=True)
            return 0
        async with self.gate:
            return await self._add_chunks(user_id, document_id, asked, chunks)

    async def _relevant_chunks(self, document: Document, question: str) -> list[Chunk]:
        """The stretches that hold most of the question, best first."""
        normal = self.settings.chunking
        finer = Chunking(max_tokens=max(1, normal.max_tokens // FINER), overlap_tokens=normal.overlap_tokens)
        limits = self.settings.deadlines.model_copy(update={"extraction": SECONDS})
        settings = self.settings.model_copy(update={"chunking": finer, "deadlines": limits})
        async with self.files.open(document.sha256, document.user_id) as path:
            reading = await read_file(path, document.filename, settings, lambda *_: None)
        return _telling(question, reading.chunks)

    async def _add_chunks(self, user_id: str, document_id: str, question: str, chunks: list[Chunk]) -> int:
        document = await self.catalogue.get(user_id, document_id)
        there = {fold(item.text) for item in await self.items.of_document(user_id, document_id)}
        new = [chunk for chunk in chunks if fold(chunk.text) not in there][:MOST_ADDED]
        first = AGAIN + 2 * document.chunks
        placed = [chunk.model_copy(update={"position": first + 2 * n}) for n, chunk in enumerate(new)]
        records = [_renamed(item) for item in items_of(document, placed, self.clock())]
        if records:
            await self.items.add(user_id, records)
            await self.items.activate_document(user_id, document_id)
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
        return len(records)


def _telling(question: str, chunks: list[Chunk]) -> list[Chunk]:
    """Those that hold a term of the question, best first."""
    wanted = content_terms(question)
    named = {str(n): chunk for n, chunk in enumerate(chunks) if any(covers(term, fold(chunk.text)) for term in wanted)}
    index = LocalBm25((key, index_terms(chunk.text, detect(chunk.text))) for key, chunk in named.items())
    return [named[hit.id] for hit in index.search(query_terms(question, detect(question)), len(named))]


def _renamed(item: MemoryItem) -> MemoryItem:
    """The same id for the same words, whenever they are read again."""
    within = UUID(hex=(item.document_id or item.id).rpartition("_")[2])
    identifier = f"mem_{uuid5(within, f'again: {item.text}').hex}"
    source = item.source.model_copy(update={"chunk_id": identifier})
    return item.model_copy(update={"id": identifier, "source": source})
