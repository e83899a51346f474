"""Builds citations from hits: one source for each document, with its passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.events import Passage, Source
from core.search.documents.acceptance import Accepted, AcceptedBy, document_of
from core.search.request import ScoredHit

LEAD = 0.15
"""Score bonus for the best passage of the newest documents if the question names no period."""


def cite(accepted: Sequence[Accepted], most: int, newest: Collection[str] = ()) -> list[Source]:
    """Returns one source for each document with all its passages, best first, at most ``most``; ``newest`` documents
    get a bonus."""
    groups: dict[str, list[Accepted]] = {}
    for hit, reason in accepted:
        groups.setdefault(document_of(hit), []).append((hit, reason))
    best = {
        key: max((hit.precedence, hit.final + LEAD * (key in newest)) for hit, _ in group)
        for key, group in groups.items()
    }
    # A source that is known not to answer ranks last but is not dropped, so that its tables can still be read.
    found = {
        key: max((hit.precedence > 0, max(hit.final, hit.relevance) + LEAD * (key in newest)) for hit, _ in group)
        for key, group in groups.items()
    }
    chosen = sorted(groups, key=lambda key: found[key], reverse=True)[: max(0, most)]
    ordered = sorted(chosen, key=lambda key: best[key], reverse=True)
    return [_source(number, key, groups[key]) for number, key in enumerate(ordered, start=1)]


def marked_as_near(sources: Sequence[Source], before: int) -> list[Source]:
    """Marks ``sources`` as near and numbers them after ``before``."""
    return [
        source.model_copy(
            update={
                "number": before + source.number,
                "passages": [each.model_copy(update={"near": True}) for each in source.passages],
            }
        )
        for source in sources
    ]


def _source(number: int, document_id: str, group: Sequence[Accepted]) -> Source:
    book = group[0][0].item.source.book
    return Source(
        number=number,
        document_id=document_id,
        title=book.title if book else "",
        filename=book.filename if book else "",
        score=max(hit.final for hit, _ in group),
        passages=[_hit_passage(hit, reason) for hit, reason in group],
    )


def _hit_passage(hit: ScoredHit, reason: AcceptedBy) -> Passage:
    book = hit.item.source.book
    return Passage(
        item_id=hit.item.id,
        text=hit.item.text,
        page=book.page if book else None,
        section=book.section if book else None,
        table=book.table if book else None,
        position=hit.item.place.order,
        score=hit.final,
        outcomes=hit.outcomes,
        precedence=hit.precedence,
        dense_rank=hit.dense_rank,
        lexical_rank=hit.lexical_rank,
        dense=hit.dense,
        lexical=hit.lexical,
        accepted_by=reason,
    )
