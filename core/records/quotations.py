"""Defines a quoted sentence, and the quotations that are shown until a model begins to write."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Quote(BaseModel, frozen=True):
    """A sentence taken verbatim from a passage."""

    number: int
    item_id: str
    text: str


class Meanwhile(BaseModel, frozen=True):
    """What the documents say, shown while a slow model has not begun to write; its first text replaces it."""

    type: Literal["assistant.meanwhile"] = "assistant.meanwhile"
    quotes: list[Quote]
