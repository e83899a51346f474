"""Finds conditions on parts of texts: "mention parking", "boot or shoe in its name", "start with 00", "4xxx"."""

from __future__ import annotations

import re

from core.datasets.query.model import Comparison
from core.datasets.words.filters import Filters, text_limit
from core.datasets.words.frames import Field
from core.datasets.words.tagging import Tagged
from core.datasets.words.vocabulary import is_filler, operations

_STARTS = re.compile(r"(\d+)x+", re.IGNORECASE)
_KINDS: tuple[tuple[str, Comparison], ...] = (
    ("starts", "starts with"),
    ("ends", "ends with"),
    ("contains", "contains"),
)
_MOST_WORDS = 4


def add_texts(tags: Tagged, filters: Filters) -> None:
    """Adds the conditions on parts of texts, and takes their words out of what is left."""
    for name, op in _KINDS:
        for first, last in tags.operations.get(name, ()):
            words, end = _words_after(tags, last)
            if name == "contains" and (quoted := _quoted(tags)):
                words, end = quoted, last
            if words and (fields := _fields(tags, filters, op, end)):
                _add(tags, filters, fields, op, words, (first, end))
    for place, token in enumerate(tags.words.tokens):
        if match := _STARTS.fullmatch(token.text):
            fields = [field for field in tags.frame.fields if field.column.type == "code"]
            fields = _named(tags, fields) or fields[:1]
            if fields:
                _add(tags, filters, fields[:1], "starts with", [match[1]], (place, place + 1))


def _add(
    tags: Tagged, filters: Filters, fields: list[Field], op: Comparison, words: list[str], span: tuple[int, int]
) -> None:
    inside = [
        place
        for place, token in enumerate(tags.words.tokens)
        if (token.quoted and token.raw in words) or span[0] <= place < span[1]
    ]
    tags.left = [place for place in tags.left if place not in inside]
    tags.values = [link for link in tags.values if link.first not in inside]
    filters.limits = [
        limit for limit in filters.limits if not any(limit.first <= place < limit.last for place in inside)
    ]
    names = {field.name for field in fields}
    filters.used += [
        link
        for link in tags.columns
        if link.field.name in names and link.last >= span[0] - 1 and link not in filters.used and op == "contains"
    ]
    filters.limits.append(text_limit(tags, fields, op, words, span))


def _words_after(tags: Tagged, place: int) -> tuple[list[str], int]:
    tokens = tags.words.tokens
    words: list[str] = []
    first = 0
    while place < len(tokens) and len(words) < _MOST_WORDS:
        token = tokens[place]
        column = any(link.first <= place < link.last for link in tags.columns)
        if column or (is_filler(token.text) and not token.text.isdigit() and not token.raw.isupper()):
            if words:
                break
        else:
            first = first or place
            words.append(token.raw)
        place += 1
    return ([tags.words.written(first, first + len(words))] if words else []), place


def _quoted(tags: Tagged) -> list[str]:
    return [token.raw for token in tags.words.tokens if token.quoted]


def _fields(tags: Tagged, filters: Filters, op: Comparison, end: int) -> list[Field]:
    """Returns the columns to search: one that is named, or all columns of texts."""
    kinds = ("text", "category") if op == "contains" else ("code", "text", "category")
    fields = [field for field in tags.frame.fields if field.column.type in kinds]
    named = _named(tags, fields)
    if named and op == "contains":
        near = [link for link in tags.columns if link.field in named]
        tail = [link.field for link in near if link.first >= end - 1]
        return tail[:1] or [near[-1].field]
    if named:
        return named[:1]
    if op != "contains":
        return fields[:1]
    return sorted(fields, key=lambda field: -max(map(len, field.column.values or field.column.samples or ("",))))[:1]


def _named(tags: Tagged, fields: list[Field]) -> list[Field]:
    return [link.field for link in tags.columns if link.field in fields]


__all__ = ["add_texts", "operations"]
