"""Applies a ``Change`` to a document, for engines without their own update language."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

from core.store.filters import check_field
from core.store.truth import Change, Filter, Json


def check_change(change: Change, *, versioned: bool = False) -> Change:
    """Refuse a change that is ambiguous.

    Raises:
        ValueError: ``_id`` is changed, two parts touch the same path or one inside the other, or, when the update is
        ``versioned``, ``version`` is changed by hand.
    """
    paths = sorted(check_field(path) for path in touched(change))
    if versioned:
        paths = sorted([*paths, "version"])
    for path in paths:
        if path == "_id" or path.startswith("_id."):
            raise ValueError("_id never changes")
    for i, path in enumerate(paths):
        if any(other == path or other.startswith(f"{path}.") for other in paths[i + 1 :]):
            raise ValueError(f"{path!r} is changed twice at once")
    return change


def checked_update(id: str, change: Change, if_version: int | None, where: Filter | None) -> tuple[Filter, Change]:
    """The filter and the change of an update; an update that requires a certain version of the document also sets the
    next version.

    Raises:
        ValueError: as ``check_change``.
    """
    check_change(change, versioned=if_version is not None)
    condition = [{"_id": id}, where or {}]
    if if_version is not None:
        condition.append({"version": if_version})
        change = replace(change, inc={**(change.inc or {}), "version": 1})
    return {"$and": condition}, change


def touched(change: Change) -> Iterator[str]:
    """Every path that ``change`` names."""
    for part in (change.set, change.inc, change.push):
        yield from part or ()
    yield from change.unset


def is_empty(change: Change) -> bool:
    return next(touched(change), None) is None


def apply(document: Json, change: Change) -> Json:
    """A changed copy of ``document``. Raises as ``amend`` does."""
    return amend(copy.deepcopy(document), change)


def amend(changed: Json, change: Change) -> Json:
    """Changes a document that nothing else uses, and returns it.

    Raises:
        ValueError: a path leads through a value that is not an object, ``inc`` meets a value that is not a number, or
        ``push`` a value that is not a list.
    """
    for path, value in (change.set or {}).items():
        parent, name = _parent(changed, path)
        parent[name] = copy.deepcopy(value)
    for path, amount in (change.inc or {}).items():
        parent, name = _parent(changed, path)
        current = parent.get(name, 0)
        if isinstance(current, bool) or not isinstance(current, int | float):
            raise ValueError(f"{path!r} is not a number and cannot be incremented")
        parent[name] = current + amount
    for path, value in (change.push or {}).items():
        parent, name = _parent(changed, path)
        current = parent.setdefault(name, [])
        if not isinstance(current, list):
            raise ValueError(f"{path!r} is not a list and cannot be pushed onto")
        current.append(copy.deepcopy(value))
    for path in change.unset:
        _unset(changed, path)
    return changed


def _parent(document: Json, path: str) -> tuple[Json, str]:
    *parents, last = path.split(".")
    target = document
    for segment in parents:
        child = target.setdefault(segment, {})
        if not isinstance(child, dict):
            raise ValueError(f"{path!r} leads through {segment!r}, which is not an object")
        target = child
    return target, last


def _unset(document: Json, path: str) -> None:
    *parents, last = path.split(".")
    target = document
    for segment in parents:
        child = target.get(segment)
        if not isinstance(child, dict):
            return
        target = child
    target.pop(last, None)
