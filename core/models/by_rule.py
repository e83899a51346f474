"""What actions say when they went on without their model, and how they divide long texts for it."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError
from core.language.tokens import count_tokens
from core.words import Words

MALFORMED = Words(
    en="The model's answer could not be read twice; this was made by rule, from the documents' own words.",
    he="תשובת המודל לא ניתנה לקריאה פעמיים; התוצאה נוצרה לפי כללים, ממילות המסמכים עצמם.",
)


BY_RULE = Words(
    en="decided by rule: the model gave no answer that could be used",
    he="הוכרע לפי כלל: המודל לא נתן תשובה שניתן להשתמש בה",
)
"""For the trace of a step whose model failed, or answered with something else twice."""


def ruled(said: Words) -> Words:
    """What a step found, when rules had to find it in place of the model."""
    return Words(en=f"{said.en} · {BY_RULE.en}", he=f"{said.he} · {BY_RULE.he}")


def failed(error: PalimpsestError) -> Words:
    """The notice of an action that went on without its model."""
    what = error.problem.what
    return Words(
        en=f"{what.en} This was made by rule, from the documents' own words.",
        he=f"{what.he} התוצאה נוצרה לפי כללים, ממילות המסמכים עצמם.",
    )


def batches(texts: Sequence[str], most_tokens: int) -> list[list[int]]:
    """Indices of ``texts`` in order, in batches of at most ``most_tokens``; a longer text is a batch by itself."""
    found: list[list[int]] = []
    used = most_tokens + 1
    for index, text in enumerate(texts):
        tokens = count_tokens(text)
        if used + tokens > most_tokens:
            found.append([])
            used = 0
        found[-1].append(index)
        used += tokens
    return found
