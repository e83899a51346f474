"""Tests that the readings shipped with the samples match the current reader and model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.samples import missing, read_samples, sample_texts
from core.library.digest import digest
from core.library.samples import Readings, SampleReadings, load_samples, sample_vectors
from core.models.build import build_embeddings
from core.models.embedding_cache import passage_key
from core.setting_groups import Chunking
from core.settings import Settings

SETTINGS = Settings(_env_file=None)  # type: ignore[call-arg]


@pytest.fixture(scope="module")
def today() -> Readings:
    return read_samples(SETTINGS)


def test_the_readings_that_come_along_are_todays(today: Readings) -> None:
    """If this fails, run ``make samples``. Until then, users see the samples as an older version of the reader read
    them."""
    readings = SampleReadings(SETTINGS)
    assert {path.name: readings.find(digest(path)) for path in load_samples().paths} == {
        path.name: today.files[digest(path)] for path in load_samples().paths
    }


def test_any_other_file_is_read_by_its_job(tmp_path: Path) -> None:
    readings = SampleReadings(SETTINGS)
    assert readings.find("0" * 64) is None
    assert SampleReadings(SETTINGS, tmp_path / "gone.json.gz").find(digest(load_samples().paths[0])) is None


def test_who_reads_with_other_settings_reads_the_samples_so_too() -> None:
    others = Settings(_env_file=None, chunking=Chunking(max_tokens=300))  # type: ignore[call-arg]
    assert SampleReadings(others).find(digest(load_samples().paths[0])) is None


def test_the_vectors_that_come_along_are_those_of_todays_reading(today: Readings) -> None:
    """If this fails, run ``make samples``. Until then the samples take longer to be ready, but answers are the same."""
    assert missing(today, build_embeddings(SETTINGS).identity, set(sample_vectors())) == []


async def test_they_are_what_the_packaged_model_computes(today: Readings) -> None:
    embeddings = build_embeddings(SETTINGS)
    shortest = min(sample_texts(today), key=len)
    kept = sample_vectors()[passage_key(embeddings.identity, shortest)]
    made = (await embeddings.embed_passages([shortest]))[0]
    assert float(np.dot(kept, made) / np.linalg.norm(kept)) > 0.999
