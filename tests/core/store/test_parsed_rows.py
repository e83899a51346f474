"""Tests that a parsed record is reused for as long as its row is unchanged."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.store.parsed_rows import ParsedRows


class Note(BaseModel, frozen=True):
    id: str = Field(alias="_id")
    words: list[str]


def test_the_same_row_is_the_same_record() -> None:
    rows = ParsedRows(Note)
    first = rows.read({"_id": "a", "words": ["one"]})
    assert rows.read({"_id": "a", "words": ["one"]}) is first


def test_a_changed_row_is_read_anew_wherever_it_changed() -> None:
    rows = ParsedRows(Note)
    rows.read({"_id": "a", "words": ["one"]})
    assert rows.read({"_id": "a", "words": ["two"]}).words == ["two"]
    assert rows.read({"_id": "a", "words": ["one"]}).words == ["one"]


def test_the_longest_not_read_goes_first() -> None:
    rows = ParsedRows(Note, most=2)
    a, b = (rows.read({"_id": id, "words": []}) for id in "ab")
    rows.read({"_id": "a", "words": []})
    rows.read({"_id": "c", "words": []})
    assert rows.read({"_id": "a", "words": []}) is a
    assert rows.read({"_id": "b", "words": []}) is not b
