"""Looks up places by their names, spellings and codes in data of Israeli authorities."""

from __future__ import annotations

from functools import cache
from typing import Literal

from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of


class Place(Entry):
    """A place; ``names`` contains every spelling, the Hebrew one first; ``codes`` are the official statistical codes of
    the settlement."""

    key: str
    names: list[str]
    codes: tuple[str, ...] = ()


_places = file_of("places", dict[Literal["places"], list[Place]])


def _folded_name(name: str) -> str:
    return " ".join(fold(name).replace("-", " ").replace("'", "").split())


@cache
def _by_name() -> dict[str, Place]:
    return {_folded_name(name): place for place in _places()["places"] for name in (place.key, *place.names)}


def find_place(name: str) -> Place | None:
    """Returns the place called ``name`` in any spelling (case, hyphens and apostrophes are ignored)."""
    return _by_name().get(_folded_name(name))


def spellings() -> list[str]:
    """Returns every name of every known place, as written."""
    return [name for place in _places()["places"] for name in place.names]


def is_place(name: str) -> bool:
    """Returns whether ``name`` as a whole is the name of a known place."""
    return find_place(name) is not None
