"""What two wordings of one problem have in common."""

from __future__ import annotations

from core.language.terms import content_terms, stem


def signature(question: str) -> str:
    """The content words of a question by their stems, in alphabetical order; empty when it has none."""
    return " ".join(sorted({stem(term) for term in content_terms(question)}))
