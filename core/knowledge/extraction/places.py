"""Finds places in a sentence: *sentence* → spans, under one key for all spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.extraction import hebrew_names
from core.knowledge.extraction.gazetteer import latin_names, place_key, place_labels
from core.knowledge.extraction.lexicon import places
from core.knowledge.extraction.patterns import Span

_WHERE = re.compile(r"\b(?:in|from|to|at|near|via|between|outside|into|across|and|of|,)\s+(?:the )?$", re.IGNORECASE)
_GOES_ON = re.compile(r" (?:\||[A-Z][\w&'-]+|\d{4}\b)")
_DOLLAR = re.compile(r"\s?(?:\$|dollars?\b|GAAP\b)", re.IGNORECASE)
_AFTER_NAME = re.compile(r"[A-Z][\w'-]{0,100},? $")
_ADJOINING = re.compile(r"(?:[,;]|and|or|the|in|of|of the|to)\s*$")


def places_in(text: str) -> Iterator[Span]:
    """Places; not one that is only part of a longer name, a currency or an accounting standard."""
    for match in latin_names().finditer(text):
        name = match.group()
        behind = text[match.end() :]
        before = text[: match.start()]
        if _DOLLAR.match(behind) or _GOES_ON.match(behind) or _is_part(before):
            continue
        if name.lower() in places().doubtful and not _WHERE.search(before):
            continue
        yield _place_span(match.start(), match.end(), name)
    for span in hebrew_names.find(text):
        if span.kind == "place" and span.label not in places().hebrew_doubtful:
            yield _place_span(span.start, span.end, span.label)


def _is_part(before: str) -> bool:
    return before.endswith(("|", "| ")) or (bool(_AFTER_NAME.search(before)) and not _ADJOINING.search(before))


def _place_span(start: int, end: int, name: str) -> Span:
    key = place_key(name) or name.lower()
    return Span(start, end, "place", place_labels(key).get("en", name), key)
