"""Defines a suggestion to remember something about the user, and the user's decision on it."""

from __future__ import annotations

from typing import Literal

from core.memory.items.records import BankTag, Record
from core.memory.profile.statements import Category
from core.store.items import Kind

State = Literal["offered", "accepted", "declined"]
MemoryCommand = Literal["", "remember", "forget"]


class ProfileSuggestion(Record):
    """A suggestion to remember something.

    ``was`` is the known text that it would replace. After it was accepted, ``what`` and ``memory_id`` say what was done
    in the bank and with which item, and ``joined`` is that item's earlier text.

    ``command``: the user ordered it, so that it was done without a question. Of an order to forget, *accepted* means
    that the fact is archived, and *declined* that it is kept. ``only_said``: it was never remembered, only said in a
    conversation, so that its archived item only serves to leave it out.
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
    command: MemoryCommand = ""
    only_said: bool = False
    created_at: float
    decided_at: float | None = None
