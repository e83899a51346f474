from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import numpy as np
import pytest

from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.store.edge import EdgeIndex
from core.store.index import Schema, Vector
from core.store.items import Book, ItemSource, MemoryItem, Place, Status, Timestamps
from core.store.sqlite.truth import SqliteTruth

SCHEMA = Schema("axes", 4, indexed_fields=("user_id", "tier", "status", "scope", "document_id"))

MakeItem = Callable[..., MemoryItem]


class AxisEmbeddings:
    """A fake embedding model: the vector lies on the axis of the text's first letter. Counts its calls."""

    identity = EmbeddingIdentity("axes", 4, Calibration(0.0, 1.0))

    def __init__(self) -> None:
        self.embedded = 0

    async def embed_query(self, text: str) -> Vector:
        return np.eye(4, dtype=np.float32)[ord(text[0].lower()) % 4]

    async def embed_passages(self, texts: list[str]) -> Matrix:
        self.embedded += len(texts)
        return np.stack([await self.embed_query(text) for text in texts])


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    opened = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await opened.start()
    yield opened
    await opened.stop()


@pytest.fixture
def schema() -> Schema:
    return SCHEMA


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EdgeIndex]:
    opened = EdgeIndex(tmp_path / "index")
    await opened.start(SCHEMA)
    yield opened
    await opened.stop()


@pytest.fixture
def embeddings() -> AxisEmbeddings:
    return AxisEmbeddings()


@pytest.fixture
def make_item() -> MakeItem:
    def make(
        number: int, text: str, user_id: str = "ada", document_id: str = "doc_1", status: Status = "active"
    ) -> MemoryItem:
        book = Book(book_id=document_id, title="Title", filename="title.md", chunk_index=number)
        return MemoryItem(
            id=f"mem_{number:032x}",
            user_id=user_id,
            tier="books",
            status=status,
            text=text,
            document_id=document_id,
            source=ItemSource(type="document", book=book),
            timestamps=Timestamps(created_at=1.0, updated_at=1.0),
            place=Place(episode=document_id, order=number),
        )

    return make
