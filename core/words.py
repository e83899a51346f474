"""A sentence for people, in the two languages of the workbench."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Language = Literal["en", "he"]


class Words(BaseModel):
    """One short text in English and Hebrew; core never decides which of them is read."""

    model_config = ConfigDict(frozen=True)

    en: str
    he: str

    def to(self, language: Language) -> str:
        return self.he if language == "he" else self.en
