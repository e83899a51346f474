"""Writes notices below quotations: on documents without an answer, and on loosely related passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.events import Quote, Source
from core.messages import message
from core.search.documents.coverage import SearchCoverage
from core.words import Words

MOST_NAMED = 3


def no_answer_notice(reach: SearchCoverage, found: Sequence[Source], most: int) -> Words | None:
    """Returns a notice that names searched documents without a quotable passage; ``found`` are those that have one, of
    which at most ``most`` are shown. ``None`` if there are no such documents, or if this is unknown."""
    if len(found) >= most or not found:
        return None
    spoke = {source.document_id for source in found}
    silent = [title for identifier, title in reach.titles.items() if identifier not in spoke]
    if reach.titles:
        return _silent(silent) if silent and len(silent) < len(reach.titles) else None
    rest = reach.documents - len([source for source in found if source.kind == "document"])
    return message("answering.notices.silent_others", count=rest) if rest > 0 else None


def _silent(titles: Sequence[str]) -> Words:
    shown = ", ".join(f"“{title}”" for title in titles[:MOST_NAMED])
    more = len(titles) - MOST_NAMED
    if more <= 0:
        return message("answering.notices.silent", shown=shown)
    return message("answering.notices.silent_and_more", shown=shown, more=more)


def near_evidence_notice(near: Sequence[Source]) -> Words | None:
    """Returns a notice that points to the loosely related sources ``near``; ``None`` if there are none."""
    if not near:
        return None
    marks = " ".join(f"[{source.number}]" for source in near[:MOST_NAMED])
    return message("answering.notices.nearby", marks=marks)


def proven_notice(quotes: Sequence[Quote], earned: Collection[str]) -> Words | None:
    """Returns a notice that quoted passages have answered such a question before; ``earned`` are the ids of passages
    with positive outcomes."""
    marks = list(dict.fromkeys(f"[{quote.number}]" for quote in quotes if quote.item_id in earned))
    return message("answering.notices.proven", said=" ".join(marks)) if marks else None
