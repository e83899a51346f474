"""Re-ranks the best hits with a cross-encoder, if one is configured."""

from __future__ import annotations

import logging
import time

from core.errors import explain
from core.messages import message
from core.models.reranker import Reranker
from core.resilience.dependencies import Deadline, Dependency
from core.search.request import ScoredHit, SearchRecord, Stage
from core.setting_groups import Search
from core.words import Words

log = logging.getLogger(__name__)


class Reranking:
    """Adds a cross-encoder's scores to the ranking; if there is none, or it fails, the ranking does not change."""

    def __init__(self, reranker: Reranker | None, dependency: Dependency, settings: Search) -> None:
        self._reranker = reranker
        self._dependency = dependency
        self._settings = settings

    async def apply(
        self, question: str, ranked: list[ScoredHit], limit: int, deadline: Deadline, record: SearchRecord
    ) -> Words | None:
        """Sets ``cross_encoder`` and ``final`` of the best ``rerank_top`` hits if there are more than ``2 * limit``,
        and removes from ``ranked`` those below ``rerank_least``, if it is set.

        Returns:
            Why re-ranking was skipped, or ``None`` if it was done.
        """
        reranker = self._reranker
        if reranker is None:
            return _NONE_CONFIGURED
        if len(ranked) <= 2 * limit:
            return _FEW
        head = ranked[: self._settings.rerank_top]
        began = time.monotonic()
        try:
            scores = await self._dependency.attempt(
                lambda: reranker.scores(question, [each.item.text for each in head]), deadline
            )
        except Exception as error:
            log.warning("the cross-encoder was left out: %s", error)
            what = explain(error).what
            record.skipped.append(what)
            return what
        share = self._settings.rerank_original
        for each, score in zip(head, scores, strict=True):
            each.cross_encoder = score
            each.final = (share * each.weighed + (1 - share) * score) * each.authority
        if least := self._settings.rerank_least:
            ranked[:] = [each for each in head if (each.cross_encoder or 0.0) >= least]
        record.stages.append(Stage("rerank", (time.monotonic() - began) * 1000, len(head)))
        return None


_NONE_CONFIGURED = message("search.reranking.none_configured")
_FEW = message("search.reranking.few")
