"""Places by their names, spellings and codes in the data of Israeli authorities."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel

from core.language.normalisation import fold
from core.language.vocabulary import read_vocabulary


class Place(BaseModel, frozen=True, extra="forbid"):
    """``names`` holds every spelling, the Hebrew one first; ``codes`` are the statistical codes of the settlement."""

    key: str
    names: list[str]
    codes: list[str] = []


class _Places(BaseModel, extra="forbid"):
    places: list[Place]


def _folded_name(name: str) -> str:
    return fold(name).replace("-", " ").replace("'", "")


@cache
def _by_name() -> dict[str, Place]:
    loaded = _Places.model_validate(read_vocabulary("places")).places
    return {_folded_name(name): place for place in loaded for name in (place.key, *place.names)}


def find_place(name: str) -> Place | None:
    """The place called ``name`` in any spelling (case, hyphens and apostrophes do not matter)."""
    return _by_name().get(_folded_name(name))


def spellings() -> list[str]:
    """Every name of every known place, as it is written."""
    loaded = _Places.model_validate(read_vocabulary("places")).places
    return [name for place in loaded for name in place.names]


def is_place(name: str) -> bool:
    """Whether ``name`` as a whole is a known place."""
    return find_place(name) is not None
