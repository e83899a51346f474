"""What is told of a container of documents that was taken in."""

from __future__ import annotations

from pydantic import BaseModel

from core.errors import Problem
from core.library.records import Document


class LeftOut(BaseModel):
    """A file of a container that was not taken in."""

    name: str
    problem: Problem


class Unpacked(BaseModel):
    """What became of each file of a container: ``known`` were there already with the same bytes."""

    added: list[Document] = []
    known: list[Document] = []
    left_out: list[LeftOut] = []
