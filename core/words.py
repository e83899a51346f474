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


def counted(count: int, one: str, many: str) -> str:
    """``"1 passage"``, ``"2 passages"``: for English, and for Hebrew where the number stands first."""
    return f"{count} {one if count == 1 else many}"
