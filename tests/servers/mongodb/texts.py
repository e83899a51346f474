"""Values of an ``$in``: *a value* → whether it is one of them, by set lookup instead of comparing each."""

from __future__ import annotations

import threading
from typing import Any

from secantus import query

_operator = query._op_matches


class _Texts(threading.local):
    """The list of the ``$in`` that a thread evaluates, as a set if it contains only texts."""

    list: Any = None
    texts: frozenset[str] | None = None

    def of(self, listed: Any) -> frozenset[str] | None:
        if self.list is not listed:
            self.list = listed
            is_plain = isinstance(listed, list) and all(isinstance(each, str) for each in listed)
            self.texts = frozenset(listed) if is_plain else None
        return self.texts


_texts = _Texts()


def operator_matches(values: list[Any], op: str, arg: Any, collation: Any = None, **rest: Any) -> bool:
    """Looks a text up among the texts of an ``$in`` instead of comparing it with each."""
    if op == "$in" and collation is None and len(values) == 1 and isinstance(values[0], str):
        texts = _texts.of(arg)
        if texts is not None:
            return values[0] in texts
    return bool(_operator(values, op, arg, collation, **rest))
