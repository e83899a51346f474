"""Why there are no vectors, in words for people."""

from __future__ import annotations

from core.errors import PalimpsestError, Problem
from core.models.embeddings import EmbeddingsUnavailableError
from core.words import Words

REMEDY = Words(
    en="Check the embedding settings. Text search goes on meanwhile.",
    he="בדקו את הגדרות ה-EMBEDDING. בינתיים החיפוש בטקסט ממשיך לפעול.",
)


class EmbeddingsRefusedError(EmbeddingsUnavailableError, PalimpsestError):
    """The embedding model is missing or is not the one the index was made with."""

    def __init__(self, why: Words, detail: str, remedy: Words = REMEDY) -> None:
        what = Words(en="Search by meaning is off.", he="החיפוש לפי משמעות כבוי.")
        super().__init__(Problem(category="validation", what=what, why=why, remedy=remedy), detail)
