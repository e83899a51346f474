"""Computes a signature that different wordings of one problem share."""

from __future__ import annotations

from core.language.terms import content_terms, stem


def signature(question: str) -> str:
    """The stems of a question's content words in alphabetical order; empty if it has none."""
    return " ".join(sorted({stem(term) for term in content_terms(question)}))
