"""What was found for the last questions, for the moment when neither lane answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from core.language.normalisation import fold
from core.search.request import SearchRequest

_KEPT = 128

_Key = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...] | None]


class ResultCache:
    """Question to the ids of its hits, best first. Ids alone: whether they may be seen, the truth decides anew."""

    def __init__(self) -> None:
        self._finds: OrderedDict[_Key, list[str]] = OrderedDict()

    def remember(self, request: SearchRequest, ids: Sequence[str]) -> None:
        key = _request_key(request)
        self._finds[key] = list(ids)
        self._finds.move_to_end(key)
        while len(self._finds) > _KEPT:
            self._finds.popitem(last=False)

    def recall(self, request: SearchRequest) -> list[str]:
        """Empty when this was not asked lately."""
        return self._finds.get(_request_key(request), [])


def _request_key(request: SearchRequest) -> _Key:
    documents = tuple(sorted(request.document_ids)) if request.document_ids is not None else None
    return request.user_id, fold(request.text), tuple(request.tiers), tuple(request.scopes), documents
