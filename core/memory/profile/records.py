"""What a person may let the memory keep of them: a suggestion, and what was decided of it."""

from __future__ import annotations

from typing import Literal

from core.memory.items.records import BankTag, Record
from core.memory.profile.statements import Category
from core.store.items import Kind

State = Literal["offered", "accepted", "declined"]


class ProfileSuggestion(Record):
    """Something to remember, if the person wants it.

    ``was`` is the known text that it would replace. ``what`` and ``memory_id`` say what became of it in the bank,
    ``joined`` what stood there before.
    """

    conversation_id: str
    message_id: str
    text: str
    category: Category
    tags: list[BankTag]
    kind: Kind = "fact"
    importance: float
    confidence: float
    was: str | None = None
    state: State = "offered"
    what: Literal["new", "merged", "updated"] | None = None
    memory_id: str | None = None
    joined: str | None = None
    created_at: float
    decided_at: float | None = None
