"""What the drawing process is asked, one JSON line each, and what it says back."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from core.library.tables.records import Box
from core.library.viewing.records import Marks, PageGeometry


class Inspect(BaseModel):
    """How many pages there are, how large, and how they are numbered."""

    kind: Literal["inspect"] = "inspect"
    path: Path


class Draw(BaseModel):
    """Page ``page`` (from 1), ``width`` pixels wide, as WebP to ``target``."""

    kind: Literal["draw"] = "draw"
    path: Path
    page: int
    width: int
    target: Path


class PrintedCell(BaseModel):
    """A cell of a table as it is printed on ``page``; ``lead`` is what of its row stands before it."""

    page: int
    text: str
    box: Box | None = None
    lead: str = ""


class Find(BaseModel):
    """Where ``passage`` stands on ``pages``, and in it the first of ``quotes`` that can be found, after ``lead``; and
    ``cell``, in the row that the quotes name.

    ``scans`` is the folder in which the recognised words of scanned pages are kept; ``None``: pictures are not read.
    """

    kind: Literal["find"] = "find"
    path: Path
    pages: list[int]
    passage: str
    quotes: list[str]
    lead: str = ""
    cell: PrintedCell | None = None
    scans: Path | None = None
    seconds: float = 30.0


class Render(BaseModel):
    """The document of type ``mime`` as HTML (not yet sanitised) to ``target``; ``encoding``: what was chosen."""

    kind: Literal["render"] = "render"
    path: Path
    mime: str
    encoding: str = ""
    target: Path


class Order(BaseModel):
    order: Inspect | Draw | Find | Render


class Found(BaseModel):
    """``page`` is where the reader should look."""

    page: int | None = None
    marks: dict[int, Marks] = {}
    quote_found: bool = False
    passage_found: bool = False


class Reply(BaseModel):
    """``failed`` names the error for the log; nothing else is then set."""

    anatomy: PageGeometry | None = None
    found: Found | None = None
    failed: str = ""
