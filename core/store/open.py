"""Opens the record store, index and file store that the settings select."""

from __future__ import annotations

from core.resilience.read_only import ReadOnly
from core.settings import Settings
from core.store.files import FileStore, LocalFiles
from core.store.index import Index
from core.store.room import Reserve
from core.store.truth import Truth

TRUTH = "truth.sqlite"
"""File of the embedded record store, in the home folder."""


def open_truth(settings: Settings, read_only: ReadOnly | None = None) -> Truth:
    """MongoDB if ``MONGODB_URI`` is set, otherwise SQLite in the home folder, which may be ``read_only`` for a
    while."""
    if settings.mongodb_uri:
        from core.store.mongo import MongoTruth

        return MongoTruth(settings.mongodb_uri.get_secret_value(), settings.mongodb_database, settings.deadlines.truth)
    from core.store.sqlite.truth import SqliteTruth

    return SqliteTruth(settings.folder / TRUTH, settings.deadlines.truth, Reserve(settings).give_up, read_only)


def open_index(settings: Settings, read_only: ReadOnly | None = None) -> Index:
    """Qdrant if ``QDRANT_URL`` is set, otherwise the embedded engine in the home folder."""
    if settings.qdrant_url:
        from core.store.qdrant import QdrantIndex

        key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
        collection = settings.index_collection
        return QdrantIndex(url=settings.qdrant_url, api_key=key, collection=collection, layout=settings.qdrant)
    from core.store.edge import EdgeIndex

    return EdgeIndex(settings.folder / "index", read_only=read_only, require_room=Reserve(settings).require)


def open_files(settings: Settings, truth: Truth, read_only: ReadOnly | None = None) -> FileStore:
    """GridFS if MongoDB is used, otherwise a folder in the home folder."""
    if settings.mongodb_uri:
        from core.store.gridfs import GridFiles
        from core.store.mongo import MongoTruth

        if isinstance(truth, MongoTruth):
            return GridFiles(truth)
    return LocalFiles(settings.folder / "files", read_only)
