"""Stores what was read from a document: *its reading, or pieces of it* → record store and lexical vectors.

Pieces are stored while the rest is still being read. Nothing is visible before everything is stored. Storing again
overwrites, because the ids of passages and tables are derived from the document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.clock import Clock
from core.ids import derived_id
from core.language.detection import detect
from core.library.catalogue import Catalogue
from core.library.chunking.chunks import Chunk
from core.library.contents import Contents
from core.library.contextual.rule_prefix import prefix
from core.library.correction import with_corrections
from core.library.group_sharing import passages_follow
from core.library.identity.names import display_name
from core.library.reading import Reading
from core.library.records import Document, Recognition
from core.library.refusals import same_text
from core.memory.items.writing import MemoryItems
from core.messages import message
from core.runs.trace import Step, Trace
from core.store.items import Book, ChunkPlace, Embedding, ItemSource, MemoryItem, Place, Timestamps
from core.store.truth import Json

STORE_BATCH = 256


def item_id(document_id: str, index: int) -> str:
    """The id of a document's chunk; it stays the same when the document is read again."""
    return derived_id("mem", document_id, str(index))


def items_of(document: Document, chunks: Sequence[Chunk], now: float) -> list[MemoryItem]:
    """Convert chunks to items of tier ``books``, which stay pending until all of them are stored."""
    return [_item(document, chunk, now) for chunk in chunks]


def _item(document: Document, chunk: Chunk, now: float) -> MemoryItem:
    book = Book(
        book_id=document.id,
        title=document.metadata.title,
        filename=document.filename,
        author=document.metadata.author,
        chunk_index=chunk.position,
        language=detect(chunk.text),
        **chunk.model_dump(include=set(ChunkPlace.model_fields)),
    )
    identifier = item_id(document.id, chunk.position)
    return MemoryItem(
        id=identifier,
        user_id=document.user_id,
        tier="books",
        status="pending",
        text=chunk.text,
        scope=document.scope,
        document_id=document.id,
        source=ItemSource(type="document", doc_id=document.id, chunk_id=identifier, book=book),
        timestamps=Timestamps(created_at=now, updated_at=now),
        embedding=Embedding(prefix=prefix(display_name(document.metadata), book.path), text=chunk.embedded),
        place=Place(episode=document.id, order=chunk.position),
    )


@dataclass
class Storing:
    """Stores one document. It receives pieces (see ``Receiver``) before ``finish``, or none.

    ``replaces``: the document is stored already. Then only new or changed passages are stored, are readable
    immediately, and no pieces are received.
    """

    document: Document
    catalogue: Catalogue
    items: MemoryItems
    contents: Contents
    clock: Clock
    replaces: bool = False

    def __post_init__(self) -> None:
        self._tables = 0
        self._there: dict[str, MemoryItem] = {}

    async def begin(self, reading: Reading) -> None:
        """Store the document's description; pieces follow."""
        self._tables = 0
        await self._describe(reading)
        await self.contents.remove_text(self.document.user_id, self.document.id)

    async def passages(self, chunks: list[Chunk]) -> None:
        await self._add(chunks)

    async def table(self, table: Json) -> None:
        await self.contents.add(self.document.user_id, self.document.id, self._tables, table)
        self._tables += 1

    async def finish(self, reading: Reading, trace: Trace) -> None:
        """Store what was not handed over in pieces, and make everything visible in one step."""
        user_id, identifier = self.document.user_id, self.document.id
        count = reading.passages + len(reading.chunks)
        await self._describe(
            reading,
            text_sha256=reading.text_sha256,
            tokens=reading.tokens,
            chunks=count,
            without_vectors=reading.without_vectors,
        )
        twin = None if reading.waiting else await self.catalogue.same_text(self.document)
        if twin:
            await self.catalogue.change(user_id, identifier, notes=[*reading.notes, same_text(twin)])
        if reading.passages:
            await self.contents.put_outline(user_id, identifier, reading.outline)
        else:
            await self.contents.put(user_id, identifier, reading.outline, reading.tables)
        if self.replaces:
            self._there = {item.id: item for item in await self.items.of_document(user_id, identifier)}
        with trace.step("indexing") as step:
            await self._store(reading, count, step)
            await self.items.activate_document(user_id, identifier)
            await passages_follow(self.catalogue, self.items, user_id, identifier)
            left = recognition_of(reading)
            await self.catalogue.change(user_id, identifier, searchable=count, recognition=left)

    async def _store(self, reading: Reading, count: int, step: Step) -> None:
        for begin in range(0, len(reading.chunks), STORE_BATCH):
            await self._add(reading.chunks[begin : begin + STORE_BATCH])
            done = min(reading.passages + begin + STORE_BATCH, count)
            step.detail(message("library.passages_of", done=done, count=count), done, count)
        if not reading.chunks:
            step.detail(message("library.passages_of", done=count, count=count), count, count)

    async def _describe(self, reading: Reading, **known: Any) -> None:
        catalogue, document = self.catalogue, self.document
        metadata = with_corrections(reading.metadata, (await catalogue.get(document.user_id, document.id)).metadata)
        self.document = await catalogue.change(
            document.user_id,
            document.id,
            mime=reading.mime,
            pages=reading.pages,
            notes=reading.notes,
            metadata=metadata,
            **known,
        )

    async def _add(self, chunks: Sequence[Chunk]) -> None:
        records = await asyncio.to_thread(partial(items_of, self.document, chunks, self.clock()))
        await self.items.add(self.document.user_id, self._changed(records) if self._there else records)

    def _changed(self, records: Sequence[MemoryItem]) -> list[MemoryItem]:
        """The passages that are new or differ from the stored ones."""
        known = {identifier: (item.text, item.source, item.place) for identifier, item in self._there.items()}
        fresh = [item for item in records if known.get(item.id) != (item.text, item.source, item.place)]
        return [item.model_copy(update={"status": "active"}) for item in fresh]


def recognition_of(reading: Reading) -> Recognition | None:
    """The recognition that is still to be done after this reading."""
    read = reading.scanned - reading.waiting
    return Recognition(total=reading.scanned, done=read, read=read) if reading.waiting else None
