"""Assumes the most likely choice instead of asking, for personalities that do so, and shows a notice."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Action, DocumentRef, Notice, Source
from core.graph.state import State, UnclearReference
from core.graph.tracing import node_trace
from core.language.entities.periods import periods_in
from core.messages import message
from core.search.documents.acceptance import firmly_accepted
from core.words import Words

UNSURE = message("graph.assumptions.unsure")


def assumed_document(state: State, doubt: UnclearReference) -> list[str] | None:
    """Returns the ids of the most likely document; empty if no document matches the name, so that all are searched.
    Returns ``None`` if nothing can be assumed, because the action needs a whole document."""
    if doubt.candidates:
        best, newest = _likeliest(doubt, firmly_accepted(state["found"].sources))
        assumption_notice(_took(best.title, len(doubt.candidates), newest))
        return [best.document_id]
    if state["asked"].action != "inquire":
        return None
    assumption_notice(message("graph.assumptions.not_there", name=doubt.name))
    return []


def assumed_action(offered: Action, label: Words) -> Action:
    """Returns the most likely action, which is the first one offered."""
    assumption_notice(message("graph.assumptions.assumed_action", label=label))
    return offered


def assumption_notice(words: Words) -> None:
    """Shows the user what was assumed."""
    emit, _ = node_trace("p")
    emit(Notice(words=words))


def _likeliest(doubt: UnclearReference, sources: Sequence[Source]) -> tuple[DocumentRef, bool]:
    """Returns the newest of documents from different years, and True; otherwise the document that fits the question
    best, and False."""
    candidates = doubt.candidates
    years = {each.document_id: _latest_year(each) for each in candidates}
    newest = max(years.values())
    if min(years.values()) and list(years.values()).count(newest) == 1:
        return next(each for each in candidates if years[each.document_id] == newest), len(candidates) > 1
    scores = {source.document_id: source.score for source in sources}
    if doubt.likeliest and not scores:
        scores = {doubt.likeliest: 1.0}
    return max(candidates, key=lambda each: scores.get(each.document_id, 0.0)), False


def _latest_year(document: DocumentRef) -> int:
    """Returns the latest year in the title or filename, or 0 if there is none."""
    return max((int(each.key[:4]) for each in periods_in(f"{document.title} {document.hint}")), default=0)


def _took(title: str, candidates: int, newest: bool) -> Words:
    if candidates < 2:
        return message("graph.assumptions.took", title=title)
    return message(f"graph.assumptions.took_{'newest' if newest else 'one'}", title=title, candidates=candidates)
