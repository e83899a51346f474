"""The pipeline that is current: *how it is built now* → one object for whoever searches, whatever is built anew."""

from __future__ import annotations

from collections.abc import Callable

from core.models.precedence import QuestionPrecedence
from core.resilience.dependencies import Deadline
from core.search.pipeline import RELEVANCE, Pipeline, Profile
from core.search.request import SearchRequest, SearchResult, Steps, silent


class CurrentPipeline:
    """The pipeline over what there is now: whoever holds it searches by meaning again as soon as that can be done.

    A search holds ``precedence`` as long as it lasts."""

    def __init__(self, build: Callable[[], Pipeline], precedence: QuestionPrecedence) -> None:
        self._build = build
        self._precedence = precedence
        self._current = build()

    def renew(self) -> None:
        self._current = self._build()

    async def search(
        self, request: SearchRequest, deadline: Deadline, steps: Steps = silent, profile: Profile = RELEVANCE
    ) -> SearchResult:
        with self._precedence:
            return await self._current.search(request, deadline, steps, profile)
