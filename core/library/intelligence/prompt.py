"""Writes the prompt for quotes, mental models and summaries, and parses the model's answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, JsonValue

from core.library.contextual.prompt import passage_with_path
from core.models.structured import Prompt
from core.records.findings import CATEGORIES, Category, FindingKind
from core.search.documents.context import without_markers
from core.store.items import MemoryItem

MOST: Mapping[FindingKind, int] = {"quote": 6, "mental_model": 4, "summary": 2}
"""Maximum number of findings of each kind from one part."""
MOST_TITLE = 200
_NUMBER = re.compile(r"\d{1,5}")


class Answer(BaseModel, populate_by_name=True):
    """The model's answer before it is checked. An entry in a wrong format does not affect the others."""

    quotes: list[JsonValue] = []
    mental_models: list[JsonValue] = Field([], alias="models")
    summaries: list[JsonValue] = []

    def of(self, kind: FindingKind) -> list[JsonValue]:
        lists = {"quote": self.quotes, "mental_model": self.mental_models, "summary": self.summaries}
        return lists[kind][: MOST[kind]]


class Entry(BaseModel):
    """One entry of a model's answer. ``places`` (from 0) are the passages that it names as its source."""

    text: str
    category: Category | None = None
    places: list[int] = []


def prompt_of(rules: str, title: str, passages: Sequence[MemoryItem]) -> Prompt:
    """The prompt for a part; ``passages`` are numbered from 1."""
    parts = [f"Title: {without_markers(title[:MOST_TITLE])}"]
    parts += [f"[{number}] {passage_with_path(item)}" for number, item in enumerate(passages, 1)]
    return Prompt(rules, "BEGIN BOOK\n" + "\n\n".join(parts) + "\nEND BOOK")


def entries_of(given: Sequence[JsonValue]) -> Iterator[Entry]:
    """The answer's entries that have a text; a plain string becomes an entry without category and passage."""
    for each in given:
        fields: dict[str, Any] = each if isinstance(each, dict) else {"text": each}
        text = fields.get("text")
        if isinstance(text, str) and text.strip():
            category = fields.get("category")
            known = category if category in CATEGORIES else None
            yield Entry(text=text, category=known, places=_places(fields.get("passage", fields.get("passages"))))


def _places(given: JsonValue) -> list[int]:
    """ "[3]", 3, "3, 4" or [3, 4] → [2], [2], [2, 3], [2, 3]."""
    named = given if isinstance(given, list) else [given]
    return [int(number) - 1 for each in named for number in _NUMBER.findall(str(each)) if int(number)]
