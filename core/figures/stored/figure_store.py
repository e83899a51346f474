"""Keeps the stored figures of documents in the record store: one compressed block and one index entry a document."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, TypeAdapter

from core.figures.stored.block import FigureBlock
from core.figures.stored.packed import FORMAT, PackedFigures, compress, decompress, packed, unpacked
from core.library.contents import FIGURE_LABELS, FIGURES
from core.lru_cache import LruCache
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

MOST_BLOCKS = 256
"""Maximum number of documents whose figures stay in memory: about a megabyte for a report of two hundred pages."""
MOST_ENTRIES = 10_000
"""Maximum number of documents whose index entry stays in memory."""
_WORDS = TypeAdapter(tuple[list[str], list[str]])
_MARKED = ("document_id", "stamp", "format")


class FigureEntry(BaseModel, frozen=True):
    """An entry of the index: the stems and the measures of a document's figures. ``stamp`` changes with the block."""

    document_id: str
    stamp: str
    figures: int
    stems: frozenset[str]
    measures: frozenset[str]


@dataclass(frozen=True)
class _Mark:
    document_id: str
    stamp: str


class FigureStore:
    """Stores and loads the figures of documents. Every method is limited to the given user's data."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._entries: LruCache[tuple[str, str], FigureEntry] = LruCache(MOST_ENTRIES)
        self._blocks: LruCache[tuple[str, str], tuple[str, FigureBlock]] = LruCache(MOST_BLOCKS)
        self._marks: LruCache[str, tuple[int, list[_Mark]]] = LruCache(MOST_ENTRIES)

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        for name in (FIGURES, FIGURE_LABELS):
            await self._truth.collection(name).ensure(sort=[Sorted(("user_id", "document_id"))])

    async def put(self, user_id: str, document_id: str, figures: PackedFigures) -> None:
        """Replaces the stored figures of a document. The index entry is written last: without it, the figures count as
        missing and are extracted again."""
        block, labels = await asyncio.to_thread(_written, figures)
        stamp = hashlib.sha256(block.encode()).hexdigest()[:16]
        common: Json = {"_id": document_id, "document_id": document_id, "stamp": stamp}
        await self._of(user_id, FIGURES).upsert({**common, "block": block})
        await self._of(user_id, FIGURE_LABELS).upsert(
            {**common, "format": FORMAT, "figures": figures.count, "labels": labels}
        )

    async def entries(self, user_id: str) -> list[FigureEntry]:
        """Returns the index entries of all documents of the user whose figures are stored."""
        marks = await self._read_marks(user_id)
        known = {mark.document_id: self._entries.use((mark.document_id, mark.stamp)) for mark in marks}
        missing = [document_id for document_id, entry in known.items() if entry is None]
        if missing:
            rows = await self._of(user_id, FIGURE_LABELS).find({"document_id": {"$in": missing}, "format": FORMAT})
            for entry in await asyncio.to_thread(lambda: [_entry(row) for row in rows]):
                known[entry.document_id] = self._entries[entry.document_id, entry.stamp] = entry
        return [entry for entry in known.values() if entry is not None]

    async def block(self, user_id: str, document_id: str, stamp: str) -> FigureBlock | None:
        """Returns the figures of a document; ``None`` if they are not stored. ``stamp`` is that of its index entry."""
        kept = self._blocks.use((user_id, document_id))
        if kept is not None and kept[0] == stamp:
            return kept[1]
        row = await self._of(user_id, FIGURES).get(document_id)
        if row is None:
            return None
        made = await asyncio.to_thread(lambda: FigureBlock(unpacked(str(row["block"]))))
        self._blocks[user_id, document_id] = str(row["stamp"]), made
        return made

    def has_block(self, user_id: str, document_id: str, stamp: str) -> bool:
        """Returns whether the figures of a document are in memory."""
        kept = self._blocks.get((user_id, document_id))
        return kept is not None and kept[0] == stamp

    async def entry(self, user_id: str, document_id: str) -> FigureEntry | None:
        """Returns the index entry of one document; ``None`` if its figures are not stored."""
        return next((each for each in await self.entries(user_id) if each.document_id == document_id), None)

    async def written(self) -> set[str]:
        """Across all users: the ids of the documents whose figures are stored in the current form (maintenance)."""
        rows = await self._truth.collection(FIGURE_LABELS).find({"format": FORMAT}, fields=["document_id"])
        return {str(row["document_id"]) for row in rows}

    async def _read_marks(self, user_id: str) -> Sequence[_Mark]:
        rows = self._of(user_id, FIGURE_LABELS)
        version, kept = rows.version, self._marks.use(user_id)
        if kept is not None and kept[0] == version:
            return kept[1]
        found = await rows.find({"format": FORMAT}, fields=_MARKED)
        marks = [_Mark(str(row["document_id"]), str(row["stamp"])) for row in found]
        if version is not None:
            self._marks[user_id] = version, marks
        return marks

    def _of(self, user_id: str, name: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(name)


def _written(figures: PackedFigures) -> tuple[str, str]:
    labels = _WORDS.dump_json((figures.vocabulary(), figures.measures())).decode()
    return packed(figures), compress(labels)


def _entry(row: Json) -> FigureEntry:
    stems, measures = _WORDS.validate_json(decompress(str(row["labels"])))
    return FigureEntry(
        document_id=str(row["document_id"]), stamp=str(row["stamp"]), figures=int(str(row["figures"])),
        stems=frozenset(stems), measures=frozenset(measures),
    )  # fmt: skip
