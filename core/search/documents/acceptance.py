"""Splits accepted passages into firm ones, which may be quoted as an answer, and loosely related ("near") ones.

The threshold of a research mode decides which passages are shown; ``ANCHOR`` decides which ones may be quoted as an
answer. A passage that its mode accepts but that scores below ``ANCHOR`` is firm only if its document also has another
firm passage, since both are about one subject; otherwise it is near. This is needed because a question about something
that is in no document also finds fairly similar passages.
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
"""Number of passages shown if no passage answers the question."""


class AcceptedAndNear(NamedTuple):
    """Firm and near hits; no document is in both."""

    firm: list[Accepted]
    near: list[Accepted]


def split_by_acceptance(accepted: Sequence[Accepted]) -> AcceptedAndNear:
    """Splits ``accepted`` into firm and near hits, each in order."""
    sure = {document_of(hit) for hit, reason in accepted if reason != "strength" or hit.strength >= ANCHOR}
    return AcceptedAndNear(
        [each for each in accepted if document_of(each[0]) in sure],
        [each for each in accepted if document_of(each[0]) not in sure],
    )


def with_nearest(near: Sequence[Accepted], hits: Sequence[ScoredHit]) -> list[Accepted]:
    """Fills ``near`` up to the number of passages shown, with the closest of all ``hits``."""
    known = {hit.item.id for hit, _ in near}
    others = [hit for hit in hits if hit.item.id not in known and hit.precedence >= 0]
    others.sort(key=lambda hit: (-hit.strength, -hit.final))
    missing = max(0, MOST_NEAREST - len(near))
    return [*near, *((hit, "nearest") for hit in others[:missing])]


def firmly_accepted(sources: Sequence[Source]) -> list[Source]:
    """Returns the sources that may be quoted as an answer, without their near passages."""
    kept = (each.model_copy(update={"passages": [p for p in each.passages if not p.near]}) for each in sources)
    return [each for each in kept if each.passages]


def near(sources: Sequence[Source]) -> list[Source]:
    """Returns the sources that have loosely related (near) passages, with only these passages."""
    kept = (each.model_copy(update={"passages": [p for p in each.passages if p.near]}) for each in sources)
    return [each for each in kept if each.passages]


def nearest(sources: Sequence[Source], most: int = MOST_NEAREST) -> list[tuple[Source, Passage]]:
    """Returns the closest passages, best first: firm ones, then near ones; those that failed to answer this question
    before are last."""
    ranked = [(source, passage) for source in sources for passage in source.passages]
    return sorted(ranked, key=lambda each: (each[1].precedence < 0, each[1].near, -each[1].score))[:most]


def document_of(hit: ScoredHit) -> str:
    """Returns the id of a hit's document; if the hit has no document, its own id."""
    return hit.item.document_id or hit.item.id
