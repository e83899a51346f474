"""Uploads test sets as libraries in a temporary data directory, and searches them as the pages do.

Each set belongs to a separate user, so one set's questions can be asked over another set's library.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.sets import TestSet
from benchmarks.temporary_workbench import PATIENCE as PATIENCE
from benchmarks.temporary_workbench import open_workbench, upload
from core.library.searchable import known_document
from core.models.embeddings import EmbeddingIdentity, Embeddings, Matrix
from core.question.subject import KnownDocument
from core.search.documents.search import DocumentSearch
from core.search.pipeline import SearchPipeline
from core.search.request import SearchRequest
from core.setting_groups import Chunking, Search
from core.settings import Settings
from core.store.items import MemoryItem
from core.workbench import Workbench

BATCH = 16
SAVED_EVERY = 20
WHOLE = Chunking(max_tokens=4_000)
"""Chunk size so large that no passage of a set is split."""
HEADING = "<h2>§</h2>"
"""Text that begins a section, and so a passage; no question searches for it."""


class KeptEmbeddings:
    """Caches embeddings: calls ``inner`` once for each text, and keeps the results in one file between runs."""

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
        """Writes the file, if there is one and something is new."""
        if self._path and self._fresh:
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            self._fresh = 0

    def _key(self, kind: str, text: str) -> str:
        return hashlib.sha256(f"{self.identity.model}\0{kind}\0{text}".encode()).hexdigest()


@dataclass
class Shelf:
    """Open libraries. ``places[item id]`` is a passage's place in its set; ``titled`` are document ids by set and
    title."""

    workbench: Workbench
    places: dict[str, int] = field(default_factory=dict)
    documents: dict[str, list[KnownDocument]] = field(default_factory=dict)
    titled: dict[tuple[str, str], str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)

    @property
    def settings(self) -> Settings:
        return self.workbench.settings

    @property
    def embeddings(self) -> Embeddings:
        found = self.workbench.retrieval.embeddings
        assert found
        return found

    def pipeline(self, settings: Search | None = None) -> SearchPipeline:
        """Returns the pipeline that the pages use; it does not see ``hidden`` documents."""
        retrieval = self.workbench.retrieval
        return SearchPipeline(
            retrieval.index,
            retrieval.embeddings,
            None,
            self._load,
            _no_fallback,
            retrieval.dependencies,
            settings or self.settings.search,
            around=retrieval.items.around,
        )

    def search(self) -> DocumentSearch:
        """Runs the document stages of the pages."""
        return DocumentSearch(self.pipeline(), self._known, self.settings.mode, self.settings.search)

    async def _load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        found = await self.workbench.retrieval.items.load(user_id, ids)
        return [item for item in found if item.document_id not in self.hidden]

    async def _known(self, user_id: str, scopes: Sequence[str]) -> Sequence[KnownDocument]:
        return [document for document in self.documents.get(user_id, []) if document.id not in self.hidden]

    async def store(self, test_set: TestSet) -> None:
        """Uploads a set as one user's library and waits for its vectors: a file per title, a section per passage."""
        places: dict[str, list[int]] = {}
        for place, title in enumerate(test_set.documents):
            places.setdefault(title, []).append(place)
        for number, (title, wanted) in enumerate(places.items()):
            path = self.settings.folder / f"{number}.html"
            path.write_text(_page(title, [test_set.passages[each] for each in wanted]), encoding="utf-8")
            document = await upload(self.workbench, test_set.name, path)
            chunks = await self.workbench.library.chunks(test_set.name, document)
            self.places |= {item.id: place for item, place in zip(chunks, wanted, strict=True)}
            self.titled[test_set.name, title] = document
        await self.list_documents(test_set.name)

    async def list_documents(self, user_id: str) -> None:
        """Registers all documents of a user for the search."""
        found = await self.workbench.library.find(user_id)
        self.documents[user_id] = [known_document(each) for each in found]


@asynccontextmanager
async def open_shelf(cache: Path | None, *, dense: bool = True, chunking: Chunking = WHOLE) -> AsyncIterator[Shelf]:
    """Yields empty libraries in a temporary data directory; ``cache`` keeps embeddings between runs."""
    async with open_workbench(cache, dense=dense, chunking=chunking) as workbench:
        yield Shelf(workbench)


async def _no_fallback(request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
    raise RuntimeError("the index of a benchmark always answers")


def _page(title: str, passages: Sequence[str]) -> str:
    sections = "".join(f"{HEADING}\n<pre>{html.escape(each)}</pre>\n" for each in passages)
    return f"<html><head><title>{html.escape(title)}</title></head><body>{sections}</body></html>"
