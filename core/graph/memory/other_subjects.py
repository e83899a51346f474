"""Recognises memories about organisations that a question does not name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.question.known_entities import KnownDocument, organisations_in

MOST_CHARACTERS = 2_000
"""Number of characters of a memory that are searched for names."""


def about_others(question: str, known: Sequence[KnownDocument]) -> Callable[[str], bool]:
    """Returns whether a text names other organisations of the ``known`` documents than ``question`` does, and none of
    those. Nothing is about others if the question names no organisation.

    >>> about_others("What was the rent?", [])("The rent of Hill Farm was 560.")
    False
    """
    asked = _named(question, known)
    if not asked:
        return lambda text: False

    def is_about_others(text: str) -> bool:
        named = _named(text[:MOST_CHARACTERS], known)
        return bool(named) and not named & asked

    return is_about_others


def _named(text: str, known: Sequence[KnownDocument]) -> set[str]:
    owners = {each.id: each.organisation for each in known}
    return {owners[mention.document_id] for mention in organisations_in(text, known)}
