"""Caches the results of recent questions, for use when both retrievers are down."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.normalisation import fold
from core.lru_cache import LruCache
from core.search.request import SearchRequest

_KEPT = 128

_Key = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...] | None]


class ResultCache:
    """Maps a question to the ids of its hits, best first. Only ids are stored, since the record store must decide again
    whether the user may see the items."""

    def __init__(self) -> None:
        self._finds: LruCache[_Key, list[str]] = LruCache(_KEPT)

    def remember(self, request: SearchRequest, ids: Sequence[str]) -> None:
        self._finds[_request_key(request)] = list(ids)

    def recall(self, request: SearchRequest) -> list[str]:
        """Returns an empty list if the question was not asked recently."""
        return self._finds.get(_request_key(request), [])


def _request_key(request: SearchRequest) -> _Key:
    documents = tuple(sorted(request.document_ids)) if request.document_ids is not None else None
    return request.user_id, fold(request.text), tuple(request.tiers), tuple(request.scopes), documents
