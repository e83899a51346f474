"""Loads the words that name parts of a document: ``sections.yaml``, normalised for comparison."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel

from core.language.entities.calendar_words import MONTHS
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of
from core.store.items import SectionRole


class RoleWords(BaseModel):
    """Words for a role: ``titles`` are whole headings, ``phrases`` occur in the text."""

    titles: list[str] = []
    phrases: list[str] = []


class SectionWords(Entry):
    labels: dict[str, list[str]]
    roles: dict[SectionRole, RoleWords]
    not_titles: list[str]


section_words = file_of("sections", SectionWords)


@cache
def role_titles() -> dict[str, SectionRole]:
    """A normalised heading without its number → the role of the text below it."""
    return {bare(title): role for role, words in section_words().roles.items() for title in words.titles}


@cache
def not_titles() -> frozenset[str]:
    return frozenset(map(fold, (*section_words().not_titles, *MONTHS)))


def bare(title: str) -> str:
    """``title`` in normalised form, with punctuation inside replaced by spaces."""
    return " ".join(re.findall(r"[^\W_]+", fold(title)))
