"""What a column holds, by its name, and which columns a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from core.language.normalisation import fold, normalise
from core.language.vocabulary import read_vocabulary

ColumnKind = Literal[
    "place_code", "phone", "email", "website", "hours", "coordinates", "address", "city", "district", "identifier",
    "share", "price", "money", "year", "month", "date", "quantity", "name",
]  # fmt: skip

ADDED_UP: tuple[ColumnKind, ...] = ("money", "quantity")
"""Kinds whose values may be added up; a sum of years, codes, prices or percentages says nothing."""
PLACES: tuple[ColumnKind, ...] = ("city", "address", "coordinates", "district", "place_code")
_ALIKE: dict[ColumnKind, tuple[ColumnKind, ...]] = {
    "coordinates": ("coordinates", "address"),
    "address": ("address", "coordinates"),
    "city": ("city", "place_code", "address"),
    "year": ("year", "date"),
    "month": ("month", "date"),
}
_PARTS = re.compile(r"[_\-./]+|(?<=[a-z])(?=[A-Z])")


class _Kind(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: ColumnKind
    names: str
    asked: dict[str, str] = {}


class _Kinds(BaseModel):
    kinds: list[_Kind]


@cache
def _kinds() -> list[tuple[ColumnKind, re.Pattern[str], re.Pattern[str] | None]]:
    read = _Kinds.model_validate(read_vocabulary("datagov/fields")).kinds
    return [
        (each.kind, re.compile(each.names), re.compile("|".join(each.asked.values())) if each.asked else None)
        for each in read
    ]


@lru_cache(maxsize=20_000)
def kind_of_column(name: str) -> ColumnKind | None:
    """A column's name → what it holds, such as ``"phone"``; ``None`` for one that tells nothing."""
    plain = fold(_PARTS.sub(" ", normalise(name))).strip()
    return next((kind for kind, names, _ in _kinds() if names.search(plain)), None)


class AskedColumns(NamedTuple):
    """``rest`` is the question without the words that ask for columns."""

    kinds: list[ColumnKind]
    rest: str


def asked_columns(question: str) -> AskedColumns:
    """The kinds of columns that ``question`` asks for, in the order of the vocabulary."""
    rest = normalise(question).lower()
    kinds: list[ColumnKind] = []
    for kind, _, asked in _kinds():
        if asked is not None and asked.search(rest):
            kinds.append(kind)
            rest = asked.sub(" ", rest)
    return AskedColumns(kinds, rest)


def serves(kind: ColumnKind, kinds: Sequence[ColumnKind | None]) -> bool:
    """Whether one of ``kinds`` answers who asks for ``kind``: where something is can be told in several ways."""
    return any(each in kinds for each in _ALIKE.get(kind, (kind,)))
