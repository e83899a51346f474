"""Recognises memories about organisations that a question does not name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.question.known_entities import KnownDocument, OrganisationNames

MOST_CHARACTERS = 2_000
"""Number of characters of a memory that are searched for names."""


def about_others(question: str, known: Sequence[KnownDocument]) -> Callable[[str], bool]:
    """Returns whether a text names other organisations of the ``known`` documents than ``question`` does, and none of
    those. Nothing is about others if the question names no organisation.

    >>> about_others("What was the rent?", [])("The rent of Hill Farm was 560.")
    False
    """
    owners, names = {each.id: each.organisation for each in known}, OrganisationNames(known)

    def named_in(text: str) -> set[str]:
        return {owners[mention.document_id] for mention in names.mentions_in(text)}

    asked = named_in(question)
    if not asked:
        return lambda text: False

    def is_about_others(text: str) -> bool:
        named = named_in(text[:MOST_CHARACTERS])
        return bool(named) and not named & asked

    return is_about_others
