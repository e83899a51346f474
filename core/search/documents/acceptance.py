"""Which passages may be quoted as an answer, and which only come near it: accepted passages → firm and near ones.

A mode's own threshold says what is shown; ``ANCHOR`` says what may be claimed. A passage that only its mode lets in is
firm beside a firm one of its own document, for the two speak of the same thing, and near anywhere else: a question
about something that no document holds finds fairly close passages too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.events import Passage, Source
from core.search.request import ScoredHit
from core.search.scoring.calibration import ANCHOR

AcceptedBy = Literal["document", "all_terms", "filename", "strength", "nearest", "outcome"]
Accepted = tuple[ScoredHit, AcceptedBy]

MOST_NEAREST = 3
"""Passages that are shown where nothing answers."""


class AcceptedAndNear(NamedTuple):
    """No document stands in both."""

    firm: list[Accepted]
    near: list[Accepted]


def split_by_acceptance(accepted: Sequence[Accepted]) -> AcceptedAndNear:
    """``accepted`` by what may be claimed of them, in their order."""
    sure = {document_of(hit) for hit, reason in accepted if reason != "strength" or hit.strength >= ANCHOR}
    return AcceptedAndNear(
        [each for each in accepted if document_of(each[0]) in sure],
        [each for each in accepted if document_of(each[0]) not in sure],
    )


def with_nearest(near: Sequence[Accepted], hits: Sequence[ScoredHit]) -> list[Accepted]:
    """``near``, filled up with the closest of all ``hits`` where it holds fewer than are shown."""
    known = {hit.item.id for hit, _ in near}
    others = [hit for hit in hits if hit.item.id not in known and hit.precedence >= 0]
    others.sort(key=lambda hit: (-hit.strength, -hit.final))
    missing = max(0, MOST_NEAREST - len(near))
    return [*near, *((hit, "nearest") for hit in others[:missing])]


def firmly_accepted(sources: Sequence[Source]) -> list[Source]:
    """The sources that an answer may rest on, without the passages that only come near."""
    kept = (each.model_copy(update={"passages": [p for p in each.passages if not p.near]}) for each in sources)
    return [each for each in kept if each.passages]


def near(sources: Sequence[Source]) -> list[Source]:
    """The sources that only come near, with their near passages."""
    kept = (each.model_copy(update={"passages": [p for p in each.passages if p.near]}) for each in sources)
    return [each for each in kept if each.passages]


def nearest(sources: Sequence[Source], most: int = MOST_NEAREST) -> list[tuple[Source, Passage]]:
    """The passages that come closest, firm ones first, the best of them first; those that failed are the last."""
    ranked = [(source, passage) for source in sources for passage in source.passages]
    return sorted(ranked, key=lambda each: (each[1].precedence < 0, each[1].near, -each[1].score))[:most]


def document_of(hit: ScoredHit) -> str:
    """The document that a hit is a passage of; its own id where it is none's."""
    return hit.item.document_id or hit.item.id
