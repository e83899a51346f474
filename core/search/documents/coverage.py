"""Records which documents a search covered, for the texts that tell the user."""

from __future__ import annotations

from pydantic import BaseModel


class SearchCoverage(BaseModel, frozen=True):
    """The scope of a search: ``documents`` is the number of documents searched, ``of`` the number of all. If the
    question limited the search, ``organisations`` and ``periods`` (keys of ``core.language.entities.periods``) are
    what it was limited to, and ``titles`` (id → title) are the documents searched, unless they are many."""

    documents: int = 0
    of: int = 0
    organisations: list[str] = []
    periods: list[str] = []
    titles: dict[str, str] = {}
