"""What an outcome moves, said in one sentence: what the answer rests on × its question → both languages."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import Literal

from core.store.items import Tier
from core.words import Words

QUESTION = 90
"""Characters of a question that the sentence quotes."""

Way = Literal["earlier", "later", "both"]

_WAYS: dict[Way, Words] = {
    "earlier": Words(en="earlier", he="מוקדם יותר"),
    "later": Words(en="later", he="מאוחר יותר"),
    "both": Words(en="in another order", he="בסדר אחר"),
}


def moving(moved: Sequence[tuple[Tier, float]], question: str) -> Words | None:
    """``moved`` are tiers with what their relevance is multiplied by against before; ``None`` when nothing moves."""
    ways = {"earlier" if share > 1 else "later" for _, share in moved if share != 1}
    if not ways:
        return None
    way: Way = "both" if len(ways) > 1 else "earlier" if "earlier" in ways else "later"
    subject = _subject([tier for tier, share in moved if share != 1])
    asked = shorten(" ".join(question.split()), QUESTION, placeholder="…")
    stop = "" if asked.endswith(("?", "!", ".", "…")) else "."
    return Words(
        en=f"{subject.en} will come {_WAYS[way].en} when you ask “{asked}”{stop} Other questions stay as they are.",
        he=f"{subject.he} {_WAYS[way].he} כשתשאלו „{asked}”{stop} שאלות אחרות נשארות כפי שהיו.",
    )


def _subject(tiers: Sequence[Tier]) -> Words:
    """With its verb in Hebrew, which goes by number."""
    passages = [tier == "books" for tier in tiers]
    if all(passages):
        if len(tiers) == 1:
            return Words(en="This passage", he="הקטע הזה יופיע")
        return Words(en=f"These {len(tiers)} passages", he="הקטעים האלה יופיעו")
    if not any(passages):
        if len(tiers) == 1:
            return Words(en="This memory", he="הזיכרון הזה יופיע")
        return Words(en=f"These {len(tiers)} memories", he="הזיכרונות האלה יופיעו")
    return Words(en="What this answer rests on", he="מה שעליו נשענת התשובה יופיע")
