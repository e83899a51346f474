"""The embedded truth on SQLite: ``SqliteTruth``, whose collections are tables."""

from core.store.sqlite.truth import SqliteTruth

__all__ = ["SqliteTruth"]
