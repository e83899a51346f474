"""How many memories a question is given, by what kind of question it is."""

from __future__ import annotations

import re
from typing import Literal

from core.language.normalisation import fold
from core.language.vocabulary import phrases
from core.settings import Memory

_phrase = phrases("memory/recall.context_size")

SizeOf = Literal["broad", "how_to", "specific", "usual"]

_PATTERNS: tuple[tuple[SizeOf, tuple[str, ...]], ...] = (
    (
        "specific",
        (
            r"my (?:(?:full|first|last|nick) ?)?(?:name|birthday|age|address|e-?mail|phone(?: number)?|job(?: title)?)",
            r"my (?:profession|role|employer|company|city|country|time ?zone|native language|pronouns)",
            r"who am i|where do i (?:live|work)|where am i from|how old am i|what am i called",
            r"what (?:should|do) you call me",
            rf"{_phrase('own_facts')}",
            _phrase("own_identity"),
        ),
    ),
    (
        "broad",
        (
            r"(?:show|list|tell|give)(?: me)?(?: about)? (?:all|everything|every)",
            r"(?:list|enumerate)(?: me)?(?: of)? (?:the|my|our|your|what|which)",
            r"all (?:of )?(?:my|our|your|the)|everything|overview",
            r"summari[sz]e (?:all|what)|what do you (?:know|remember) about (?:me|us)",
            rf"{_phrase('everything')}",
            rf"{_phrase('known_of_me')}",
        ),
    ),
    (
        "how_to",
        (
            r"how (?:do|does|did|can|could|should|would|to|might|must)",
            r"(?:best|right|proper|correct) way|steps (?:to|for)|walk me through|guide me|troubleshoot(?:ing)?",
            rf"{_phrase('steps')}",
        ),
    ),
)
"""The first kind that says so is believed: "how do I list all my files" asks for everything."""

_KINDS = tuple(
    (kind, re.compile(rf"(?<!\w)(?:{_phrase('lead')})?(?:{'|'.join(phrases)})(?!\w)")) for kind, phrases in _PATTERNS
)


def kind_of(question: str) -> SizeOf:
    """By whole phrases of either language."""
    asked = fold(question)
    return next((kind for kind, pattern in _KINDS if pattern.search(asked)), "usual")


def how_many(question: str, settings: Memory) -> int:
    """Memories for this question: 20 for everything, 12 for a how-to, 5 for one thing about a person, else 10."""
    return {
        "broad": settings.results_broad,
        "how_to": settings.results_howto,
        "specific": settings.results_specific,
        "usual": settings.results_usual,
    }[kind_of(question)]
