"""Defines a correction: the right answer that a user typed, and the passage of their documents that holds it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.memory.items.records import Record

MOST_CHARACTERS = 500
"""Maximum number of characters of a typed answer."""


class Pin(BaseModel, frozen=True):
    """The passage that holds a correction's value; ``quote`` is its line or sentence with the value."""

    document_id: str
    item_id: str
    title: str = ""
    page: int | None = None
    quote: str = ""


class Correction(Record):
    """A question's right answer as its user typed it.

    ``question`` is the question in full, ``vector`` (float16, base64) its embedding without codes, if there is a model;
    ``usual`` is the mean direction of the user's sentences in the language of the pin. Without a ``pin``, no document
    holds ``value``: it is the user's statement. The ``_id`` is derived from the answer that it corrects.
    """

    answer_id: str
    conversation_id: str | None = None
    question: str
    value: str = Field(max_length=MOST_CHARACTERS)
    pin: Pin | None = None
    vector: str | None = None
    usual: str | None = None
    created_at: float


class CorrectionEffect(BaseModel):
    """What a correction changes, for the page: ``before`` is the first line of the answer that it corrects."""

    value: str
    before: str = ""
    pin: Pin | None = None
    at: float
