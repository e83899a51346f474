"""Provides the sample documents, questions to start from, and the documents' stored readings and vectors."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from core.library.reading import Reading, reader_settings
from core.parsed_yaml import parse_yaml
from core.settings import Settings
from core.words import Language, Words

FOLDER = Path(__file__).parents[2] / "sample_docs"
VECTORS = FOLDER / "vectors.npz"
READINGS = FOLDER / "readings.json.gz"
"""These two files are created by ``make samples`` after every change to file reading or to the packaged model."""


class SampleFile(BaseModel):
    file: str
    title: str
    language: Language
    description: Words


class SampleQuestion(BaseModel):
    """A sample question. ``answers`` are quotes from ``documents``, word for word; ``says`` is expected in the first
    line of an answer."""

    text: str
    language: Language
    documents: list[str]
    answers: list[str]
    says: list[str]


class Samples(BaseModel, frozen=True):
    files: list[SampleFile] = []
    questions: list[SampleQuestion] = []

    @property
    def paths(self) -> list[Path]:
        return [FOLDER / file.file for file in self.files]


class Readings(BaseModel):
    """The readings of the sample documents, by the file's digest, and the settings they were read with."""

    settings: dict[str, object]
    files: dict[str, Reading]


class SampleReadings:
    """Provides the readings that come with the samples: digest of a file → its reading, so that a first question need
    not wait."""

    def __init__(self, settings: Settings, file: Path = READINGS) -> None:
        self._settings = _telling(reader_settings(settings))
        self._file = file

    def find(self, sha256: str) -> Reading | None:
        """The stored reading; ``None`` for any other file, or if the reading settings differ from those of the
        samples."""
        packaged = _packaged_readings(self._file)
        return packaged.files.get(sha256) if _is_within(_telling(packaged.settings), _telling(self._settings)) else None


def _telling(settings: dict[str, object]) -> dict[str, object]:
    """The settings without the time limits, which do not change how a file is read."""
    return {name: value for name, value in settings.items() if name != "deadlines"}


def _is_within(known: object, now: object) -> bool:
    """Whether every stored setting has the same value now; settings that were added later did not matter."""
    if isinstance(known, dict) and isinstance(now, dict):
        return all(name in now and _is_within(value, now[name]) for name, value in known.items())
    return known == now


@cache
def _packaged_readings(file: Path) -> Readings:
    if not file.exists():
        return Readings(settings={}, files={})
    return Readings.model_validate_json(gzip.decompress(file.read_bytes()))


@cache
def load_samples() -> Samples:
    """Load ``sample_docs/samples.yaml``."""
    return Samples.model_validate(parse_yaml((FOLDER / "samples.yaml").read_text(encoding="utf-8")))


def sample_vectors() -> dict[str, NDArray[np.float32]]:
    """The vectors that come with the samples, by the key of their text and model; empty if there is no such file."""
    if not VECTORS.exists():
        return {}
    with np.load(VECTORS) as kept:
        return dict(zip(kept["keys"].tolist(), kept["vectors"].astype(np.float32), strict=True))
