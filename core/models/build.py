"""Which models the settings ask for."""

from __future__ import annotations

from core.models.embeddings import Embeddings
from core.models.packaged import PackagedEmbeddings
from core.settings import Settings


def build_embeddings(settings: Settings) -> Embeddings:
    """The embedding model of ``settings``; nothing is loaded or called yet."""
    return PackagedEmbeddings(settings.deadlines.embed_batch, settings.jobs.embed_batch)
