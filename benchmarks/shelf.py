"""Test sets as libraries in a temporary home, behind the very services the pages search with.

Each set belongs to a user of its own, so one set's questions can be put to another set's library.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import NAMESPACE_OID, uuid5

import numpy as np
from numpy.typing import NDArray

from benchmarks.sets import TestSet
from core.clock import system_clock
from core.language.detection import detect
from core.library.contextual.rule_prefix import prefix
from core.library.ingestion import item_id
from core.memory.items.writing import MemoryItems
from core.models.build import build_embeddings
from core.models.embeddings import EmbeddingIdentity, Embeddings, Matrix
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.search.documents.search import DocumentSearch
from core.search.pipeline import SearchPipeline
from core.search.query.subject import KnownDocument
from core.search.request import SearchRequest
from core.search.retrievers import Dependencies
from core.settings import Search, Settings
from core.store.edge import EdgeIndex
from core.store.index import Schema
from core.store.items import Book, Embedding, ItemSource, MemoryItem, Place, Timestamps
from core.store.sqlite import SqliteTruth

BATCH = 16
SAVED_EVERY = 20
PATIENCE = 60.0
"""Seconds for every stage: a busy machine must not change what is measured."""


class KeptEmbeddings:
    """``inner``, asked once for each text; what it said is kept in one file between runs."""

    def __init__(self, inner: Embeddings, path: Path | None) -> None:
        self._inner = inner
        self._path = path
        self._fresh = 0
        self._known: dict[str, NDArray[np.float32]] = {}
        if path and path.exists():
            with np.load(path) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._inner.identity

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        key = self._key("query", text)
        if key not in self._known:
            self._known[key] = await self._inner.embed_query(text)
            self._fresh += 1
        return self._known[key]

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        keys = [self._key("passage", text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            rows = await self._inner.embed_passages(list(missing.values()))
            self._known.update(zip(missing, rows, strict=True))
            self._fresh += len(missing)
            if self._fresh >= SAVED_EVERY * BATCH:
                self.save()
        return np.stack([self._known[key] for key in keys])

    def save(self) -> None:
        """Write the file, when there is one and something is new."""
        if self._path and self._fresh:
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            self._fresh = 0

    def _key(self, kind: str, text: str) -> str:
        return hashlib.sha256(f"{self.identity.model}\0{kind}\0{text}".encode()).hexdigest()


@dataclass
class Shelf:
    """Open libraries: ``places[item id]`` is the place of a passage in its set."""

    settings: Settings
    index: EdgeIndex
    items: MemoryItems
    embeddings: KeptEmbeddings
    places: dict[str, int] = field(default_factory=dict)
    documents: dict[str, list[KnownDocument]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)

    def pipeline(self, settings: Search | None = None) -> SearchPipeline:
        """The pipeline of the pages; ``hidden`` documents are withheld from it."""
        return SearchPipeline(
            self.index,
            self.embeddings,
            None,
            self._load,
            _no_fallback,
            _dependencies(),
            settings or self.settings.search,
            around=self.items.around,
        )

    def search(self) -> DocumentSearch:
        """The document stages of the pages."""
        return DocumentSearch(self.pipeline(), self._known, self.settings.mode, self.settings.search)

    async def _load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        return [item for item in await self.items.load(user_id, ids) if item.document_id not in self.hidden]

    async def _known(self, user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]:
        return [document for document in self.documents.get(user_id, []) if document.id not in self.hidden]

    async def store(self, test_set: TestSet) -> None:
        """Write a set as one user's library, vectors included."""
        items = _items(test_set)
        self.places.update({item.id: place for place, item in enumerate(items)})
        titles = dict.fromkeys(test_set.documents)
        self.documents[test_set.name] = [
            KnownDocument(_document(test_set.name, title), f"{title}.txt") for title in titles
        ]
        await self.items.add(test_set.name, items)
        for document in self.documents[test_set.name]:
            while await self.items.embed_pending(test_set.name, document.id, BATCH):
                pass
        self.embeddings.save()

    async def remember(self, user_id: str, items: Sequence[MemoryItem]) -> None:
        """Write memories as one user's, vectors included."""
        await self.items.add(user_id, items)
        while waiting := await self.items.pending_vectors(user_id, None, BATCH):
            vectors = await self.embeddings.embed_passages([item.embedded_text for item in waiting])
            await self.items.set_vectors(waiting, vectors)
        self.embeddings.save()


@dataclass(frozen=True)
class Stores:
    """Of an empty home, open."""

    settings: Settings
    truth: SqliteTruth
    index: EdgeIndex
    items: MemoryItems
    embeddings: KeptEmbeddings


@asynccontextmanager
async def open_stores(cache: Path | None) -> AsyncIterator[Stores]:
    """A home that is thrown away afterwards; ``cache`` keeps embeddings between runs."""
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        truth = SqliteTruth(settings.folder / "truth.sqlite", PATIENCE)
        await truth.start()
        embeddings = KeptEmbeddings(build_embeddings(settings), cache)
        index = EdgeIndex(settings.folder / "index")
        items = MemoryItems(truth, index, embeddings, system_clock)
        await items.ensure()
        identity = embeddings.identity
        await index.start(Schema(model=identity.model, dimension=identity.dimension))
        try:
            yield Stores(settings, truth, index, items, embeddings)
        finally:
            embeddings.save()
            await index.stop()
            await truth.stop()


@asynccontextmanager
async def open_shelf(cache: Path | None) -> AsyncIterator[Shelf]:
    """Empty libraries in a home that is thrown away afterwards; ``cache`` keeps embeddings between runs."""
    async with open_stores(cache) as stores:
        yield Shelf(stores.settings, stores.index, stores.items, stores.embeddings)


async def _no_fallback(request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
    raise RuntimeError("the index of a benchmark always answers")


def _dependencies() -> Dependencies:
    names = ("dense", "lexical", "embeddings", "reranker", "truth")
    return Dependencies(**{name: Dependency(name, PATIENCE, CircuitBreaker()) for name in names})


def _document(set_name: str, title: str) -> str:
    return f"doc_{uuid5(NAMESPACE_OID, f'{set_name}/{title}').hex}"


def _items(test_set: TestSet) -> list[MemoryItem]:
    orders: dict[str, int] = {}
    items = []
    for title, text in zip(test_set.documents, test_set.passages, strict=True):
        document = _document(test_set.name, title)
        order = orders[title] = orders.get(title, -1) + 1
        book = Book(book_id=document, title=title, filename=f"{title}.txt", chunk_index=order, language=detect(text))
        items.append(
            MemoryItem(
                _id=item_id(document, order),
                user_id=test_set.name,
                tier="books",
                text=text,
                document_id=document,
                source=ItemSource(type="document", doc_id=document, book=book),
                timestamps=Timestamps(created_at=0.0, updated_at=0.0),
                embedding=Embedding(prefix=prefix(title, None)),
                place=Place(episode=document, order=order),
            )
        )
    return items
