"""Opens all stores of a place for a move: record store, files, conversation threads and index."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from core.errors import fail
from core.memory.retrieval import INDEXED
from core.models.build import build_embeddings
from core.settings import Settings
from core.store.checkpoints import open_checkpointer
from core.store.files import FileStore
from core.store.index import Index, Schema, SchemaMismatchError
from core.store.mongo import MongoTruth
from core.store.open import open_files, open_index, open_truth
from core.store.room import MEGABYTE, RESERVE_BYTES
from core.store.storage import BLOCK
from core.store.threads.mongo import MongoThreads
from core.store.threads.sqlite import SqliteThreads
from core.store.threads.stored import ThreadStore
from core.store.truth import Truth

INDEX = "index"


@dataclass(frozen=True)
class Place:
    """A place: one set of stores. ``index`` is ``None`` if it is not requested or cannot be read; ``fits``: its vectors
    belong to the embedding model in the settings."""

    address: str
    settings: Settings
    truth: Truth
    files: FileStore
    threads: ThreadStore
    index: Index | None
    fits: bool = True


@asynccontextmanager
async def opened(settings: Settings, *, with_index: bool, served: bool = False) -> AsyncIterator[Place]:
    """Open the place that the settings describe; its data is not migrated. ``served``: another process has the data
    directory open and writes nothing. Then a copy of the embedded index is read, because only one process can open
    the index.

    Raises:
        PalimpsestError: MongoDB or Qdrant cannot be reached, or refuse the key.
    """
    async with AsyncExitStack() as stack:
        truth = open_truth(settings)
        await truth.start()
        stack.push_async_callback(truth.stop)
        await stack.enter_async_context(open_checkpointer(settings))
        threads: ThreadStore = (
            MongoThreads(truth)
            if isinstance(truth, MongoTruth)
            else SqliteThreads(settings.folder / "checkpoints.sqlite")
        )
        index, fits = await _index(settings, stack, served) if with_index else (None, True)
        yield Place(address(settings), settings, truth, open_files(settings, truth), threads, index, fits)


async def _index(settings: Settings, stack: AsyncExitStack, served: bool) -> tuple[Index, bool]:
    if served:
        copy = await asyncio.to_thread(_copied, settings.folder)
        stack.push_async_callback(asyncio.to_thread, shutil.rmtree, copy, True)
        settings = settings.model_copy(update={"home": copy})
    index = open_index(settings)
    stack.push_async_callback(index.stop)
    identity = build_embeddings(settings).identity
    try:
        await index.start(Schema(identity.model, identity.dimension, indexed_fields=INDEXED))
    except SchemaMismatchError:
        return index, False
    return index, True


def _copied(folder: Path) -> Path:
    """A folder with a copy of the index. Raises ``PalimpsestError`` if the disk has no space for it."""
    size = sum(each.stat().st_blocks * BLOCK for each in (folder / INDEX).rglob("*") if each.is_file())
    free = shutil.disk_usage(folder).free
    if free < size + RESERVE_BYTES:
        raise fail("server", "moving.no_room", target=folder, needed=size // MEGABYTE, free=free // MEGABYTE)
    copy = Path(tempfile.mkdtemp(prefix="moving-", dir=folder))
    if (folder / INDEX).is_dir():
        shutil.copytree(folder / INDEX, copy / INDEX)
    return copy


def embedded(settings: Settings) -> Settings:
    """A copy of the settings that uses only the stores in the data directory."""
    return settings.model_copy(update={"mongodb_uri": None, "qdrant_url": None})


def on_servers(settings: Settings, mongodb: str, qdrant: str | None) -> Settings:
    """A copy of the settings that uses the servers at these addresses; by default, MongoDB at ``MONGODB_URI``.

    Raises:
        PalimpsestError: no address is given, or it is not a MongoDB address.
    """
    uri = mongodb or (settings.mongodb_uri.get_secret_value() if settings.mongodb_uri else "")
    if not uri.startswith(("mongodb://", "mongodb+srv://")):
        raise fail("validation", "moving.no_address")
    return settings.model_copy(update={"mongodb_uri": SecretStr(uri), "qdrant_url": qdrant})


async def is_index_empty(index: Index) -> bool:
    page, _ = await index.scroll(None, 1)
    return not page


def address(settings: Settings) -> str:
    """The address for display, without user name and password."""
    if not settings.mongodb_uri:
        return str(settings.folder)
    parts = urlsplit(settings.mongodb_uri.get_secret_value())
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{settings.mongodb_database}"
