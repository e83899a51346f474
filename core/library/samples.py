"""The sample documents: one analyst's story, with questions to start from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel

from core.words import Language, Words

FOLDER = Path(__file__).parents[2] / "sample_docs"
VECTORS = FOLDER / "vectors.npz"
"""Made by ``make samples`` after every change of what is read from the samples, or of the packaged model."""


class SampleFile(BaseModel):
    file: str
    title: str
    language: Language
    description: Words


class SampleQuestion(BaseModel):
    """``answer`` is the fact that a right answer holds; ``document`` is the file that holds it."""

    text: str
    language: Language
    documents: list[str]
    answers: list[str]


class Samples(BaseModel):
    files: list[SampleFile] = []
    questions: list[SampleQuestion] = []

    @property
    def paths(self) -> list[Path]:
        return [FOLDER / file.file for file in self.files]

    def questions_in(self, language: Language) -> list[str]:
        return [question.text for question in self.questions if question.language == language]


def load_samples() -> Samples:
    """What ``sample_docs/samples.yaml`` says."""
    return Samples.model_validate(yaml.safe_load((FOLDER / "samples.yaml").read_text(encoding="utf-8")))


def sample_vectors() -> dict[str, NDArray[np.float32]]:
    """The vectors that come with the samples, by the key of their text and model; none when there is no such file."""
    if not VECTORS.exists():
        return {}
    with np.load(VECTORS) as kept:
        return dict(zip(kept["keys"].tolist(), kept["vectors"].astype(np.float32), strict=True))
