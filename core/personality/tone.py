"""Adapts an answer to the user's tone: a tone → a sentence after the personality."""

from __future__ import annotations

from typing import Literal

Tone = Literal["neutral", "formal", "casual", "urgent", "upset"]

_MEETS: dict[Tone, str] = {
    "formal": "The user writes formally: answer in a formal register.",
    "casual": "The user writes casually: answer in an easy, conversational register.",
    "urgent": "The user is in a hurry: the answer itself comes first, and what can wait is left out.",
    "upset": "The user is upset: begin with one short sentence that takes it seriously, then be plain.",
}
_NO_MORE_THAN_THAT = (
    "This changes the wording alone: not the facts, the citations or the depth, nor what is said above."
)


def overlay_of(tone: Tone) -> str:
    """The sentence; empty for a neutral tone."""
    return f"{_MEETS[tone]} {_NO_MORE_THAN_THAT}" if tone in _MEETS else ""
