"""Finds the document parts that a question asks for, such as signatures or exhibits."""

from __future__ import annotations

from functools import cache

from core.language.phrases import PhraseMatcher
from core.language.vocabulary import file_of
from core.store.items import SectionRole

_names_of_roles = file_of("asked_roles", dict[SectionRole, list[str]])


@cache
def _role_matcher() -> PhraseMatcher[SectionRole]:
    return PhraseMatcher((name, role) for role, names in _names_of_roles().items() for name in names)


def wanted_roles(question: str) -> frozenset[SectionRole]:
    """Returns the kinds of document parts (roles) that a question asks for; always includes running text."""
    return frozenset({"body", *(role for found in _role_matcher().find(question) for role in found.entries)})
