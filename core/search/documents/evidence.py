"""Finds the source sentence that a claim is based on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.events import Passage
from core.language.detection import detect
from core.language.matching import lexical_strengths
from core.language.sentences import split_sentences
from core.language.terms import index_terms, query_terms


def supporting_sentence(claim: str, passages: Sequence[Passage]) -> tuple[Passage, str] | None:
    """Returns the passage and its sentence with most of the claim's words; ``None`` if no sentence has any."""
    sentences = [(passage, each.text) for passage in passages for each in split_sentences(passage.text)]
    counts = [Counter(index_terms(text, detect(text))) for _, text in sentences]
    strengths = lexical_strengths(query_terms(claim, detect(claim)), counts)
    best = max(range(len(sentences)), key=lambda place: strengths[place], default=None)
    return sentences[best] if best is not None and strengths[best] > 0 else None
