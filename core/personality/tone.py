"""Adapts an answer to the user's tone, with a sentence in the prompt after the personality."""

from __future__ import annotations

from typing import Literal

Tone = Literal["neutral", "formal", "casual", "urgent", "upset"]

_MEETS: dict[Tone, str] = {
    "formal": "The user writes formally: answer in a formal style.",
    "casual": "The user writes casually: answer in a relaxed, conversational style.",
    "urgent": "The user is in a hurry: give the answer itself first, and leave out what can wait.",
    "upset": "The user is upset: start with one short sentence that takes the concern seriously, then be factual.",
}
_NO_MORE_THAN_THAT = "This changes only the wording, not the facts, citations, depth or the instructions above."


def overlay_of(tone: Tone) -> str:
    """The sentence for a tone; empty for a neutral tone."""
    return f"{_MEETS[tone]} {_NO_MORE_THAN_THAT}" if tone in _MEETS else ""
