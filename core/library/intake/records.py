"""What is said of files before they come, and of a container of documents that was taken in."""

from __future__ import annotations

from pydantic import BaseModel

from core.errors import Problem
from core.library.extract.sniff import readable_extensions
from core.library.intake.file_limits import table_extensions
from core.library.records import Document

READABLE: tuple[str, ...] = tuple(readable_extensions())
"""Extensions, without dots, of all files that can be added."""
TABLES: tuple[str, ...] = tuple(table_extensions())
"""Those of them that have the limit of tables."""


class LeftOut(BaseModel):
    """A file of a container that was not taken in."""

    name: str
    problem: Problem


class Unpacked(BaseModel):
    """What became of each file of a container: ``known`` were there already with the same bytes."""

    added: list[Document] = []
    known: list[Document] = []
    left_out: list[LeftOut] = []
