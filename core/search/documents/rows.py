"""Adds rows of long tables to the sources of a search; such rows are stored as datasets and are not in the index."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.events import Passage, Source
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.question.known_entities import KnownDocument

LEAST_COVERED = 0.5
"""Least share of the question's words that rows must hold to be shown if no word identifies them."""
_NEAR_SCORE = 0.3


@dataclass(frozen=True)
class RowPassage:
    """Rows of a table, a line each, below its headings. ``is_exact``: a code or number of the question identifies
    them."""

    document_id: str
    text: str
    section: str | None = None
    page: int | None = None
    is_exact: bool = False


class RowFinder(Protocol):
    """Finds rows of long tables."""

    async def find(self, user_id: str, question: str, document_ids: Collection[str]) -> Sequence[RowPassage]: ...


def with_rows(
    sources: Sequence[Source], rows: Sequence[RowPassage], question: str, known: Mapping[str, KnownDocument]
) -> tuple[list[Source], bool]:
    """Returns the sources with ``rows`` added, and whether some of these may be quoted as an answer. Such rows come
    first, others last and as near; rows with too few of the question's words are left out."""
    terms = content_terms(question)
    firm: list[Source] = []
    near: list[Source] = []
    for row in rows:
        share = _share(terms, row.text)
        is_firm = row.is_exact or share == 1
        if row.document_id in known and (is_firm or share >= LEAST_COVERED):
            (firm if is_firm else near).append(_source(row, known[row.document_id], is_near=not is_firm))
    if not firm and not near:
        return list(sources), False
    return _numbered([*firm, *sources, *near]), bool(firm)


def _share(terms: Sequence[str], text: str) -> float:
    folded = fold(text)
    return sum(covers(term, folded) for term in terms) / len(terms) if terms else 0.0


def _source(row: RowPassage, document: KnownDocument, *, is_near: bool) -> Source:
    score = _NEAR_SCORE if is_near else 1.0
    passage = Passage(
        item_id="", text=row.text, section=row.section, page=row.page, score=score, near=is_near,
        accepted_by="nearest" if is_near else "all_terms",
    )  # fmt: skip
    return Source(
        number=1, document_id=document.id, title=document.title or document.filename, filename=document.filename,
        score=score, passages=[passage],
    )  # fmt: skip


def _numbered(sources: Sequence[Source]) -> list[Source]:
    """One source for each document, with the passages of all, numbered from 1."""
    merged: dict[str, Source] = {}
    for source in sources:
        first = merged.get(source.document_id)
        merged[source.document_id] = (
            first.model_copy(update={"passages": [*first.passages, *source.passages]}) if first else source
        )
    return [source.model_copy(update={"number": number}) for number, source in enumerate(merged.values(), start=1)]
