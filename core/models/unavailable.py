"""Why there are no vectors, in words for people."""

from __future__ import annotations

from core.errors import PalimpsestError, Problem
from core.messages import message
from core.models.embeddings import EmbeddingsUnavailableError
from core.words import Words

REMEDY = message("models.unavailable.remedy")


class EmbeddingsRefusedError(EmbeddingsUnavailableError, PalimpsestError):
    """The embedding model is missing or is not the one the index was made with."""

    def __init__(self, why: Words, detail: str, remedy: Words = REMEDY) -> None:
        what = message("models.unavailable.init")
        super().__init__(Problem(category="validation", what=what, why=why, remedy=remedy), detail)
