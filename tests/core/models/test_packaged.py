from __future__ import annotations

import asyncio
import threading
from contextvars import copy_context

import numpy as np
import pytest
from numpy.typing import NDArray

from core.models import packaged
from core.models.packaged import PASSAGE_TOKENS, QUERY_TOKENS, PackagedEmbeddings
from core.models.precedence import QuestionPrecedence


class FakeEngine:
    """Counts one token per character and records its batches; passages wait until ``gate`` is set."""

    name = "fake"

    def __init__(self) -> None:
        self.together = True
        self.batches: list[list[str]] = []
        self.queries: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()

    def token_count(self, text: str) -> int:
        return len(text)

    def query(self, text: str) -> NDArray[np.float32]:
        self.queries.append(text)
        return np.eye(1, 384, dtype=np.float32)[0]

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        self.started.set()
        assert self.gate.wait(5)
        self.batches.append(texts)
        return np.eye(len(texts), 384, dtype=np.float32)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr(packaged, "load_engine", lambda choice: fake)
    return fake


class Stopwatch:
    """Time passes only in the engine: a millisecond per token."""

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


async def test_an_engine_that_gains_nothing_by_batches_is_left_after_every_text(engine: FakeEngine) -> None:
    engine.together = False
    assert (await PackagedEmbeddings().embed_passages(["a", "b", "c"])).shape == (3, 384)
    assert engine.batches == [["a"], ["b"], ["c"]]


async def test_passages_wait_while_a_question_is_answered(engine: FakeEngine) -> None:
    precedence = QuestionPrecedence()
    engine.together = False
    embeddings = PackagedEmbeddings(precedence=precedence)
    background = copy_context()
    with precedence:
        batch = asyncio.create_task(embeddings.embed_passages(["a", "b"]), context=background)
        await embeddings.embed_query("q")
        assert (engine.queries, engine.batches) == (["q"], [])
    assert (await batch).shape == (2, 384)


async def test_a_question_that_comes_between_texts_goes_before_the_next(engine: FakeEngine) -> None:
    precedence = QuestionPrecedence()
    engine.together = False
    embeddings = PackagedEmbeddings(precedence=precedence)
    engine.gate.clear()
    batch = asyncio.create_task(embeddings.embed_passages(["a", "b"]))
    assert await asyncio.to_thread(engine.started.wait, 5)
    with precedence:
        engine.gate.set()
        await asyncio.get_running_loop().run_in_executor(embeddings._passages, lambda: None)
        await embeddings.embed_query("q")
        assert engine.batches == [["a"]]
    assert (await batch).shape == (2, 384)


async def test_patience_ends(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged, "PATIENCE", 0.01)
    precedence, background = QuestionPrecedence(), copy_context()
    with precedence:
        batch = asyncio.create_task(PackagedEmbeddings(precedence=precedence).embed_passages(["a"]), context=background)
        assert (await batch).shape == (1, 384)


async def test_computing_a_question_is_a_question(engine: FakeEngine) -> None:
    precedence = QuestionPrecedence()
    held: list[bool] = []
    engine.query = lambda text: held.append(precedence.held) or np.eye(1, 384, dtype=np.float32)[0]  # type: ignore[func-returns-value, assignment, method-assign]
    await PackagedEmbeddings(precedence=precedence).embed_query("q")
    assert held == [True]
    assert not precedence.held
