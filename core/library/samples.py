"""The sample documents: one analyst's story, with questions to start from."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import BaseModel

from core.words import Language, Words

FOLDER = Path(__file__).parents[2] / "sample_docs"


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
