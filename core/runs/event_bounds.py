"""Limits the size of events, so that every conversation opens quickly: an event as JSON → the same or shortened."""

from __future__ import annotations

import logging

from pydantic import JsonValue

from core.store.truth import Json

log = logging.getLogger(__name__)

MOST_CHARACTERS = 1_000_000
"""Maximum number of characters of an event. An answer is far smaller: see ``core.records.answer``."""
_ENTRIES, _CHARACTERS = 4_000, 400_000
"""Maximum number of entries of a list and characters of a text in an event that is too large; both are halved until it
fits."""
_LEAST_ENTRIES = 20
_PER_VALUE = 8


def bounded(event: Json) -> Json:
    """``event`` itself if it is small enough; otherwise without the ends of its longest lists and texts."""
    entries, characters, found = _ENTRIES, _CHARACTERS, event
    while _size(found) > MOST_CHARACTERS and entries >= _LEAST_ENTRIES:
        found = {name: _cut(value, entries, characters) for name, value in event.items()}
        entries, characters = entries // 2, characters // 2
    if found is not event:
        log.warning("an event %s was cut to %d characters", event.get("type"), _size(found))
    return found


def _size(value: JsonValue) -> int:
    """Approximate number of characters as JSON."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        return sum(len(name) + _size(each) for name, each in value.items())
    if isinstance(value, list):
        return sum(map(_size, value))
    return _PER_VALUE


def _cut(value: JsonValue, entries: int, characters: int) -> JsonValue:
    if isinstance(value, str):
        return value[:characters]
    if isinstance(value, dict):
        return {name: _cut(each, entries, characters) for name, each in value.items()}
    if isinstance(value, list):
        return [_cut(each, entries, characters) for each in value[:entries]]
    return value
