"""The samples are read together, as each would be by itself, and their vectors come with them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from benchmarks.samples import missing, sample_texts
from core.library.prepared import PreparedReadings
from core.library.reader import read
from core.library.reading import Order, portable
from core.library.samples import load_samples, sample_vectors
from core.models.build import build_embeddings
from core.models.embedding_cache import passage_key
from core.settings import Settings

SETTINGS = Settings(_env_file=None)  # type: ignore[call-arg]
TWO = load_samples().paths[:2]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def test_readings_of_one_process_are_those_of_each_file_alone(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing more")
    prepared = PreparedReadings(SETTINGS)
    await prepared.begin([broken, *TWO])
    for path in TWO:
        alone = read(Order(path=path, filename=path.name, result=path, settings=portable(SETTINGS)))
        assert await prepared.take(digest(path)) == alone
    assert await prepared.take(digest(broken)) is None, "it is left to its own job, which says what is wrong"
    assert await prepared.take("0" * 64) is None
    await prepared.stop()


async def test_what_cannot_begin_is_read_by_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("asyncio.create_subprocess_exec", refused)
    prepared = PreparedReadings(SETTINGS)
    await prepared.begin(TWO)
    assert await prepared.take(digest(TWO[0])) is None
    await prepared.stop()


def test_the_vectors_that_come_along_are_those_of_todays_reading() -> None:
    """When this fails: ``make samples``. Until then the samples are ready later, and answer as well."""
    assert missing(SETTINGS, build_embeddings(SETTINGS).identity, set(sample_vectors())) == []


async def test_they_are_what_the_packaged_model_computes() -> None:
    embeddings = build_embeddings(SETTINGS)
    shortest = min(sample_texts(SETTINGS), key=len)
    kept = sample_vectors()[passage_key(embeddings.identity, shortest)]
    made = (await embeddings.embed_passages([shortest]))[0]
    assert float(np.dot(kept, made) / np.linalg.norm(kept)) > 0.999
