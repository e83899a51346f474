"""Defines the members of a container: a file in it, or the reason why a file is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import Problem
from core.settings import Settings


@dataclass(frozen=True)
class Member:
    """A file of a container. ``content``: its bytes, or a file in the given folder, which may be moved away."""

    name: str
    content: bytes | Path


@dataclass(frozen=True)
class Refused:
    """A file of a container that is left out, and why; ``detail`` is for the log."""

    name: str
    problem: Problem
    detail: str = ""


@dataclass(frozen=True)
class Container:
    """A kind of file that holds documents. Both functions block and may raise ``PalimpsestError``.

    ``recognises``: whether the file at a path, with a given name, is of this kind. ``open``: yields its members, from a
    path and a name; larger members are written to the folder.
    """

    recognises: Callable[[Path, str], bool]
    open: Callable[[Path, str, Path, Settings], Iterator[Member | Refused]]
