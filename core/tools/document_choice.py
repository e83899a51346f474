"""Finds the documents that a tool call means: by id, title or filename, and by company, period and kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rapidfuzz import fuzz

from core.errors import PalimpsestError, fail
from core.ids import is_id
from core.language.entities.periods import named_keys, periods_in
from core.language.normalisation import fold
from core.library.library import Library
from core.library.records import Document
from core.tools.tool import Caller

ALIKE = 75.0
"""Minimum similarity of two names (rapidfuzz, 0..100) for a document to count as the one meant."""
SAME_COMPANY = 90.0
"""Minimum similarity of two names for a company to count as the one meant."""
MOST_LISTED = 30
"""Maximum number of names that an error lists."""


class DocumentChoice:
    """The caller's documents and those attached to the caller's conversation; no others are ever found."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def visible(self, caller: Caller) -> list[Document]:
        """All documents that the caller can read here, newest first."""
        found = await self._library.find(caller.user_id, conversation_id=caller.conversation_id)
        return sorted(found, key=newest, reverse=True)

    async def named(self, caller: Caller, name: str) -> Document:
        """The document with this id, or else with a similar title or filename.

        Raises:
            PalimpsestError: there is none ("not_found"); the error lists the documents.
        """
        there = await self.visible(caller)
        if is_id(name, "doc"):
            known = next((each for each in there if each.id == name), None)
            return known or await self._library.get(caller.user_id, name)
        likeness = {each.id: _likeness(name, each) for each in there}
        best = max(there, key=lambda each: likeness[each.id], default=None)
        if best is None or likeness[best.id] < ALIKE:
            raise fail("not_found", "tools.library.no_such_document", name=name, there=_titles(there))
        return best

    async def chosen(
        self,
        caller: Caller,
        documents: Sequence[str] = (),
        companies: Sequence[str] = (),
        period: str = "",
        kind: str = "",
    ) -> list[Document]:
        """The documents with these names, or all; of these companies, this period and this kind.

        Raises:
            PalimpsestError: none fits ("not_found"); the error says which companies, periods and kinds there are.
        """
        found = [await self.named(caller, each) for each in documents] if documents else await self.visible(caller)
        return narrowed(found, companies, period, kind)


def narrowed(found: list[Document], companies: Sequence[str], period: str = "", kind: str = "") -> list[Document]:
    """The documents of these companies, this period and this kind, in their order.

    Raises:
        PalimpsestError: none fits ("not_found"); the error says which companies, periods and kinds there are.
    """
    for company in companies:
        if not any(is_of(each, company) for each in found):
            raise _none("company", company, (name for each in found for name in companies_of(each)[:1]))
    if companies:
        found = [each for each in found if any(is_of(each, company) for company in companies)]
    if kind:
        found = _checked([each for each in found if fold(kind) in fold(each.metadata.kind)], "kind", kind, found)
    if period:
        found = _checked([each for each in found if covers_period(each, period)], "period", period, found)
    return found


def newest(document: Document) -> tuple[str, float]:
    """The key that sorts documents by the end of what they cover, then by when they were added."""
    ends = [each.end or each.key for each in document.metadata.periods]
    return max([document.metadata.date or "", *ends]), document.added_at


def companies_of(document: Document) -> list[str]:
    return [each.name for each in document.metadata.organisations]


def periods_of(document: Document) -> list[str]:
    return [each.key for each in document.metadata.periods]


def unnamed_periods_of(document: Document) -> list[str]:
    """The periods that the title does not name."""
    named = named_keys(document.metadata.title)
    return [each.key for each in document.metadata.periods if each.key not in named]


def is_of(document: Document, company: str) -> bool:
    """Whether the document is of this company, by any of its names."""
    asked = fold(company)
    known = [name for each in document.metadata.organisations for name in (each.name, *each.aliases)]
    return any(fuzz.token_set_ratio(asked, fold(name)) >= SAME_COMPANY for name in known if name)


def covers_period(document: Document, period: str) -> bool:
    """Whether the document covers the period, or a part of it: a year includes its quarters."""
    keys = period_keys(period)
    names = [fold(name) for each in document.metadata.periods for name in each.names]
    return fold(period) in names or any(
        known == key or known.startswith(f"{key}-") for known in periods_of(document) for key in keys
    )


def period_keys(text: str) -> list[str]:
    """The keys of the periods in a text such as "Q2 2023"; a key such as "2023-Q2" or "2023-9M" is returned as it
    is."""
    found = list(dict.fromkeys(each.key for each in periods_in(text)))
    return found if found and not (len(found) == 1 and text.strip().startswith(found[0])) else [text.strip()]


def _checked(kept: list[Document], what: str, asked: str, among: Sequence[Document]) -> list[Document]:
    if kept:
        return kept
    there: Iterable[str] = (
        (each.metadata.kind for each in among)
        if what == "kind"
        else sorted({key for each in among for key in periods_of(each)}, reverse=True)
    )
    raise _none(what, asked, there)


def _none(what: str, asked: str, there: Iterable[str]) -> PalimpsestError:
    names = list(dict.fromkeys(there))
    listed = ", ".join(names[:MOST_LISTED]) or "–"
    return fail("not_found", f"tools.library.no_{what}", asked=asked, there=listed)


def _titles(documents: Sequence[Document]) -> str:
    return ", ".join(each.metadata.title for each in documents[:MOST_LISTED]) or "–"


def _likeness(name: str, document: Document) -> float:
    asked = fold(name.lstrip("@"))
    known = [fold(document.metadata.title), fold(document.filename), fold(Path(document.filename).stem)]
    return max(fuzz.token_set_ratio(asked, each) if each else 0.0 for each in known)
