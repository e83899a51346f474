"""What a container of documents gives, one after the other: a file in it, or why one is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import Problem
from core.settings import Settings


@dataclass(frozen=True)
class Member:
    """``content``: its bytes, or a file in the folder that was given, which may be moved away."""

    name: str
    content: bytes | Path


@dataclass(frozen=True)
class Refused:
    """``detail`` is for the log."""

    name: str
    problem: Problem
    detail: str = ""


@dataclass(frozen=True)
class Container:
    """A kind of file that holds documents. Both functions block and may raise ``PalimpsestError``.

    ``recognises``: whether the file at a path, of this name, is of the kind. ``open``: its members, of a path and a
    name; larger ones are written to the folder.
    """

    recognises: Callable[[Path, str], bool]
    open: Callable[[Path, str, Path, Settings], Iterator[Member | Refused]]
