from __future__ import annotations

from pathlib import Path

from core.models.build import build_embeddings, build_reranker
from core.models.embedding_cache import CachedEmbeddings
from core.models.embedding_endpoint import EndpointEmbeddings
from core.models.packaged import PackagedEmbeddings
from core.models.rerank_endpoint import EndpointReranker
from core.settings import Settings
from core.store.sqlite.truth import SqliteTruth


def settings(**given: object) -> Settings:
    return Settings(_env_file=None, **given)  # type: ignore[arg-type]


def test_nothing_configured_is_the_packaged_model_and_no_reranker() -> None:
    assert isinstance(build_embeddings(settings()), PackagedEmbeddings)
    assert build_reranker(settings()) is None


def test_an_address_is_an_endpoint() -> None:
    given = settings(
        EMBEDDING_URL="http://e", embedding_model="bge-m3", embedding_dimension=1024, RERANK_URL="http://r"
    )
    embeddings = build_embeddings(given)
    assert isinstance(embeddings, EndpointEmbeddings)
    assert (embeddings.identity.model, embeddings.identity.dimension) == ("bge-m3", 1024)
    assert isinstance(build_reranker(given), EndpointReranker)


def test_a_reranker_may_be_switched_off() -> None:
    assert build_reranker(settings(RERANK_URL="http://r", rerank_enabled=False)) is None


def test_a_collection_of_the_truth_makes_a_cache(tmp_path: Path) -> None:
    truth = SqliteTruth(tmp_path / "truth.db")
    assert isinstance(build_embeddings(settings(), truth.collection("embeddings")), CachedEmbeddings)
