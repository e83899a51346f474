"""Loads the trained weights for answers from running text from ``weights.json`` (``benchmarks/prose_fit.py``).

A weight missing in the file is 0, so that a new feature has no effect until it is trained.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, TypeAdapter

from core.answering.prose.features import NAMES
from core.answering.prose.sentences import WITNESSES
from core.words import Language

Floats = NDArray[np.float64]

REASONS = (
    "share", "sentence_share", "words", "bare", "nearby", "order", "names", "rarest", "lacking", "expected", "suits",
    "value", "brief", "right_period", "wrong_period", "figures", "acts", "things", "meaning", "worked", "listed",
)  # fmt: skip
"""The features from which certainty is computed, each 0..1."""
MEANING_ACROSS = 2.0
"""Factor on the weight of embedding similarity if question and text are in two languages."""


class FittedWeights(BaseModel, extra="forbid", frozen=True):
    """Trained weights by feature name.

    ``sentence`` is for sentences without embeddings, ``sentence_by_meaning`` with embeddings; ``span`` is for spans.
    Three sets compute a certainty, with the constant under "" (the empty name): ``sure`` and ``sure_by_meaning`` that
    the line answers the question, and ``exact`` that its words are exactly the complete answer.
    """

    sentence: dict[str, float]
    sentence_by_meaning: dict[str, float]
    span: dict[str, float]
    sure: dict[str, float]
    sure_by_meaning: dict[str, float]
    exact: dict[str, float] = {}


@dataclass(frozen=True)
class Weights:
    sentence: Floats
    sentence_by_meaning: Floats
    span: Floats
    sure: Floats
    sure_by_meaning: Floats
    exact: Floats


@cache
def weights(language: Language) -> Weights:
    columns = {"sentence": WITNESSES, "sentence_by_meaning": WITNESSES, "span": NAMES}
    fitted = all_fitted(files(__package__).joinpath("weights.json").read_text("utf-8"))[language].model_dump()
    return Weights(
        **{
            part: np.array([of_name.get(name, 0.0) for name in columns.get(part, ("", *REASONS))])
            for part, of_name in fitted.items()
        }
    )


@cache
def weights_across(language: Language) -> Weights:
    """Returns the weights for text in ``language`` if the question is in the other language; embeddings count more than
    words."""
    fitted = weights(language)
    factors = np.array([MEANING_ACROSS if name == "meaning" else 1.0 for name in WITNESSES])
    return replace(fitted, sentence_by_meaning=fitted.sentence_by_meaning * factors)


def all_fitted(text: str) -> dict[str, FittedWeights]:
    """Returns the weights from the data file, by language."""
    return TypeAdapter(dict[str, FittedWeights]).validate_json(text)


def written(languages: dict[str, FittedWeights]) -> str:
    """Returns the weights as text in the format of the data file."""
    return json.dumps({name: fitted.model_dump() for name, fitted in languages.items()}, indent=1, ensure_ascii=False)
