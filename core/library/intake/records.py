"""Defines the upload limits that pages show, and the result of adding a container of documents."""

from __future__ import annotations

from pydantic import BaseModel

from core.errors import Problem
from core.library.extract.sniff import readable_extensions
from core.library.intake.file_limits import table_extensions
from core.library.records import Document

READABLE: tuple[str, ...] = tuple(readable_extensions())
"""The extensions, without dots, of all files that can be added."""
TABLES: tuple[str, ...] = tuple(table_extensions())
"""The extensions among them that have the larger size limit of tables."""


class LeftOut(BaseModel):
    """A file of a container that was not added."""

    name: str
    problem: Problem


class Unpacked(BaseModel):
    """The result for each file of a container; ``known`` are files that were in the library already with the same
    bytes."""

    added: list[Document] = []
    known: list[Document] = []
    left_out: list[LeftOut] = []
