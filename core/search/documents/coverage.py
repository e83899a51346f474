"""Records what a search covered, according to the catalogue, for the texts that report it."""

from __future__ import annotations

from pydantic import BaseModel


class SearchCoverage(BaseModel, frozen=True):
    """The scope of a search: ``documents`` is how many were searched, ``of`` how many there are. If a question was
    limited to some, ``organisations`` and ``periods`` (keys of ``core.language.entities.periods``) say by what, and
    ``titles`` (id → title) are theirs, unless they are many."""

    documents: int = 0
    of: int = 0
    organisations: list[str] = []
    periods: list[str] = []
    titles: dict[str, str] = {}
