"""Finds the statements relevant to a clause: takes a clause and whole documents; returns statements with scores.

Short documents are read whole for every clause. In long reports, keyword and embedding search find the nearest
passages, since reading ten thousand sentences for each clause takes minutes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.events import Source
from core.models.embeddings import Embeddings
from core.review.actions.records import Statement, statements

log = logging.getLogger(__name__)

PassageSearch = Callable[[str, int], Awaitable[Sequence[str]]]
"""Takes a clause and the number of passages wanted; returns the ids of the nearest passages, best first."""

READ_WHOLE = 800
"""Maximum number of statements for which the documents are read whole."""
PASSAGES = 24
"""Number of passages read for each clause if the documents have more statements than that maximum."""
COMPARED = 8
"""Number of top passages whose sentences are also compared by embeddings."""


@dataclass(frozen=True)
class ClauseStatements:
    """``statements`` in reading order; ``closeness`` is the embedding similarity (0..1), empty if no model is
    available; ``total`` counts all statements of the documents."""

    statements: Sequence[Statement]
    closeness: Sequence[float]
    total: int


class TargetStatements:
    """The statements of whole documents, with their embeddings if available."""

    def __init__(
        self, targets: Sequence[Source], embeddings: Embeddings | None, search: PassageSearch | None = None
    ) -> None:
        self.titles = " ".join(target.title for target in targets)
        self._all = [each for target in targets for each in statements(target)]
        self._opening = {target.passages[0].item_id for target in targets if target.passages}
        self._most = PASSAGES * len(targets)
        self._search = search if len(self._all) > READ_WHOLE else None
        self._embeddings = embeddings
        self._vectors: dict[int, NDArray[np.float32]] = {}

    async def bearing_on(self, clause: str) -> ClauseStatements:
        found = await self._search(clause, self._most) if self._search else []
        read = {*found, *self._opening}
        places = [place for place, each in enumerate(self._all) if not found or each.passage.item_id in read]
        first = set(found[:COMPARED])
        compared = [place for place in places if not found or self._all[place].passage.item_id in first]
        near = await self._closeness(clause, compared)
        return ClauseStatements(
            [self._all[place] for place in places],
            [near.get(place, 0.0) for place in places] if near else [],
            len(self._all),
        )

    async def _closeness(self, clause: str, places: Sequence[int]) -> dict[int, float]:
        """Returns each statement's embedding similarity to ``clause``; empty if no model is available."""
        if self._embeddings is None or not places:
            return {}
        try:
            new = [place for place in places if place not in self._vectors]
            texts = [f"{self._all[place].section}: {self._all[place].text}" for place in new]
            self._vectors.update(zip(new, await self._embeddings.embed_passages(texts) if texts else (), strict=True))
            wanted = await self._embeddings.embed_query(clause)
        except Exception as error:
            log.warning("an audit goes on by words alone: %s", error)
            self._embeddings = None
            return {}
        strength = self._embeddings.identity.calibration.strength
        return {place: strength(float(self._vectors[place] @ wanted)) for place in places}
