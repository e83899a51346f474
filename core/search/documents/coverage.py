"""What a search looked through, as far as the catalogue knows it, for the words that say so."""

from __future__ import annotations

from pydantic import BaseModel


class SearchCoverage(BaseModel, frozen=True):
    """``documents`` is how many were searched, ``of`` how many there are. Where a question was bound to some of them,
    ``organisations`` and ``periods`` (keys of ``core.language.entities.periods``) say by what, and ``titles`` (id →
    title) are theirs, unless they are many."""

    documents: int = 0
    of: int = 0
    organisations: list[str] = []
    periods: list[str] = []
    titles: dict[str, str] = {}
