"""Finds what a user said about themselves that a few words describe, in one language or the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.answering.prose.cross_language import cross_language_similarity
from core.graph.memory.recollection.wording import pattern, words_said
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.memory.bank.write_guard import normalised_entry
from core.memory.profile.statements import personal_statements


def matching_texts(description: str, texts: Iterable[str]) -> list[str]:
    """Returns the texts that have all words of a description, or their translations.

    >>> matching_texts("my budget", ["My budget is 40,000.", "My name is Ruth."])
    ['My budget is 40,000.']
    """
    terms = content_terms(description)
    return [each for each in texts if terms and all(_has(term, each) for term in terms)]


def matching_statements(description: str, messages: Sequence[str]) -> list[str]:
    """Returns what the messages state about their author and the description means, each once.

    >>> matching_statements("my name", ["I'm Ruth and I work in procurement."])
    ["I'm Ruth."]
    """
    stated = [each for message in messages for each in personal_statements(message)]
    named = [each.text for each in stated if each.category == "name"] if _named(description) else []
    found = [*named, *matching_texts(description, (each.text for each in stated))]
    return list({normalised_entry(each): each for each in found}.values())


def _named(description: str) -> bool:
    """Returns whether only the author's own name is described."""
    return bool(pattern("named").search(fold(description))) and len(content_terms(description)) <= 1


def _has(term: str, text: str) -> bool:
    if covers(term, fold(text)):
        return True
    hebrew = is_hebrew(term)
    others = (each.folded for each in words_said(text) if is_hebrew(each.folded) != hebrew)
    return any(cross_language_similarity(*((term, each) if hebrew else (each, term)), False) for each in others)
