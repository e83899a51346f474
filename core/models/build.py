"""Builds the embedding model and the cross-encoder that the settings name."""

from __future__ import annotations

from core.clock import Clock, system_clock
from core.coordination.shared_vectors import SharedVectors
from core.models.embedding_cache import CachedEmbeddings, Memory
from core.models.embedding_endpoint import EndpointEmbeddings
from core.models.embeddings import Embeddings
from core.models.packaged import PackagedEmbeddings
from core.models.precedence import QuestionPrecedence
from core.models.rerank_endpoint import EndpointReranker
from core.models.reranker import Reranker
from core.settings import Settings


def build_embeddings(
    settings: Settings,
    cache: Memory | None = None,
    clock: Clock = system_clock,
    precedence: QuestionPrecedence | None = None,
    shared: SharedVectors | None = None,
) -> Embeddings:
    """Build the embedding model of ``settings``. Its vectors are cached in ``cache`` (a collection of the record
    store), if given, and in ``shared``, a cache that other processes use too. It embeds no passages while a question
    holds ``precedence``.

    Nothing is loaded or called yet.
    """
    embeddings = _embeddings(settings, precedence)
    if cache is None:
        return embeddings
    return CachedEmbeddings(embeddings, cache, clock, settings.embedding_cache_days, shared)


def _embeddings(settings: Settings, precedence: QuestionPrecedence | None) -> Embeddings:
    if not settings.embedding_url:
        return PackagedEmbeddings(
            settings.deadlines.embed_batch, settings.jobs.embed_batch, precedence, settings.embedding_engine
        )
    return EndpointEmbeddings(
        settings.embedding_url,
        settings.embedding_shape,
        settings.embedding_model,
        settings.embedding_dimension,
        settings.embedding_api_key,
        settings.deadlines.embed_endpoint,
    )


def build_reranker(settings: Settings) -> Reranker | None:
    """The cross-encoder of ``settings``; ``None`` if none is configured."""
    if not settings.rerank_url or not settings.rerank_enabled:
        return None
    return EndpointReranker(
        settings.rerank_url,
        settings.rerank_shape,
        settings.rerank_model,
        settings.rerank_api_key,
        settings.deadlines.rerank,
    )
