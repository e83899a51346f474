"""What was found for the last questions, for the moment when neither lane answers."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.normalisation import fold
from core.recently_used import RecentlyUsed
from core.search.request import SearchRequest

_KEPT = 128

_Key = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...] | None]


class ResultCache:
    """Question to the ids of its hits, best first. Ids alone: whether they may be seen, the truth decides anew."""

    def __init__(self) -> None:
        self._finds: RecentlyUsed[_Key, list[str]] = RecentlyUsed(_KEPT)

    def remember(self, request: SearchRequest, ids: Sequence[str]) -> None:
        self._finds[_request_key(request)] = list(ids)

    def recall(self, request: SearchRequest) -> list[str]:
        """Empty when this was not asked lately."""
        return self._finds.get(_request_key(request), [])


def _request_key(request: SearchRequest) -> _Key:
    documents = tuple(sorted(request.document_ids)) if request.document_ids is not None else None
    return request.user_id, fold(request.text), tuple(request.tiers), tuple(request.scopes), documents
