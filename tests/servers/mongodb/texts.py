"""Speeds up ``$in``: looks a value up in a set instead of comparing it with each value of the list."""

from __future__ import annotations

import threading
from typing import Any

from secantus import query

_operator = query._op_matches


class _Texts(threading.local):
    """For each thread: the list of the ``$in`` that it evaluates, as a set if the list contains only texts."""

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
    """For an ``$in`` with only texts, looks a text up in the set instead of comparing it with each."""
    if op == "$in" and collation is None and len(values) == 1 and isinstance(values[0], str):
        texts = _texts.of(arg)
        if texts is not None:
            return values[0] in texts
    return bool(_operator(values, op, arg, collation, **rest))
