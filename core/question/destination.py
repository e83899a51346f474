"""Defines where the answer to a message comes from (docs/specification.md, "Routes"); decided before any search."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Place = Literal[
    "documents",
    "memory",
    "remember",
    "forget",
    "correct",
    "web",
    "tool",
    "open_data",
    "data",
    "series",
    "small_talk",
    "summarize",
    "compare",
    "audit",
    "ask_back",
    "not_here",
]
"""Where an answer comes from, or what is done. ``correct`` replaces a remembered fact; ``not_here``: nothing that the
person has can answer it (a current price while the web is off)."""


class Wish(BaseModel, frozen=True):
    """One thing that a message wants: its ``place``, and its ``text`` if it is only a part of the message.

    ``tool`` is the name of the tool if a tool answers.
    """

    place: Place
    text: str = ""
    tool: str = ""


class Destination(BaseModel, frozen=True):
    """Where the answer to a message comes from. ``more`` are its other wishes, in order. ``sure``: nothing else came
    close; a destination that is not sure may fall back on the documents.

    >>> Destination(wish=Wish(place="memory")).place
    'memory'
    """

    wish: Wish = Wish(place="documents")
    more: tuple[Wish, ...] = ()
    sure: bool = True

    @property
    def place(self) -> Place:
        return self.wish.place
