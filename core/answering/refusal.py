"""Writes the response if nothing answers the question: what was searched, and an introduction to the nearest passages.

The response says what was searched and not found. It never says that documents do not contain something, since a search
can miss it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.unmatched_terms import quoted_words
from core.messages import message, message_group
from core.search.documents.coverage import SearchCoverage
from core.words import Words

NEAREST = message("answering.refusal.nearest")
"""The introduction of the nearest passages."""
_TRY = message("answering.refusal.try")
_WIDER = message("answering.refusal.wider")
_YET = message("answering.refusal.yet")
_NOTHING_THERE = message("answering.refusal.nothing_there")
_SO_FAR = message("answering.refusal.so_far")
_KINDS = message_group("answering.refusal.kinds")


def refusal(
    reach: SearchCoverage,
    *,
    shown: bool,
    awaited: bool = False,
    web: bool = False,
    tried: bool = False,
    lacking: Words | None = None,
) -> Words:
    """Returns the text of the response; ``shown``: the nearest passages follow; ``awaited``: documents were still being
    processed; ``web``: web pages were searched too; ``tried``: users said that the only possible answer did not
    help; ``lacking`` says what the nearest passages lack."""
    if not (reach.of or awaited or web or shown):
        return _NOTHING_THERE
    where = _SO_FAR if awaited else searched(reach)
    if web:
        where = message("answering.refusal.and_web", where=where)
    found = message("answering.refusal.no_other" if tried else "answering.refusal.not_found", where=where)
    bound = reach.documents < reach.of and bool(reach.organisations or reach.titles)
    return Words.joined([found, *([lacking] if lacking else []), _YET if awaited else _WIDER if bound else _TRY])


def lacking_words(unmentioned: Sequence[str], kind: str) -> Words | None:
    """Returns what the nearest passages lack: words of the question, or else the ``kind`` of value that it asks for;
    ``None`` if neither can be said."""
    if unmentioned:
        return message("answering.refusal.unmentioned", names=quoted_words(unmentioned))
    return message("answering.refusal.lacking", kind=_KINDS[kind]) if kind in _KINDS else None


def searched(reach: SearchCoverage) -> Words:
    """Returns what was searched, as the object of "searched": "the 3 documents of Nordvik for FY2022"."""
    if len(reach.titles) == 1:
        (title,) = reach.titles.values()
        return message("answering.refusal.searched", title=title)
    bound = reach.documents < reach.of
    where = _documents_words(reach.documents, bound)
    if reach.organisations:
        where = message("answering.refusal.of", where=where, names=_conjunction(reach.organisations))
    if reach.periods and bound:
        where = message("answering.refusal.for_periods", where=where, periods=_conjunction(reach.periods))
    return where


def _documents_words(count: int, bound: bool) -> Words:
    if count == 0:
        return message("answering.refusal.your_documents")
    return message("answering.refusal.some_documents" if bound else "answering.refusal.all_documents", count=count)


def _conjunction(names: Sequence[str]) -> Words:
    """Joins names with commas, and with "and" before the last."""
    *first, last = names
    if not first:
        return Words.alike(last)
    return message("answering.refusal.listed", first=", ".join(first), last=last)
