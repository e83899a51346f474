"""A sentence for people, in the two languages of the workbench."""

from __future__ import annotations

import math
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


def about_minutes(seconds: float) -> Words:
    """How long something will still take, as people say it: 100 -> "about 2 min left"."""
    minutes = math.ceil(seconds / 60)
    if seconds < 45:
        return Words(en="under a minute left", he="נותרה פחות מדקה")
    if minutes < 60:
        return Words(en=f"about {minutes} min left", he="נותרה כדקה" if minutes == 1 else f"נותרו כ־{minutes} דקות")
    hours = round(seconds / 3600)
    return Words(en=f"about {hours} h left", he="נותרה כשעה" if hours == 1 else f"נותרו כ־{hours} שעות")


def counted(count: int, one: str, many: str) -> str:
    """``"1 passage"``, ``"2 passages"``: for English, and for Hebrew where the number stands first."""
    return f"{count} {one if count == 1 else many}"
