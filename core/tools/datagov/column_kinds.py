"""Detects from its name what a column contains, and which kinds of columns a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator

from core.language.normalisation import fold, normalise
from core.language.vocabulary import Entry, file_of

ColumnKind = Literal[
    "place_code", "phone", "email", "website", "hours", "coordinates", "address", "city", "district", "identifier",
    "share", "price", "money", "year", "month", "date", "quantity", "name",
]  # fmt: skip

ADDED_UP: tuple[ColumnKind, ...] = ("money", "quantity")
"""Kinds of columns whose values may be added up; a sum of years, codes, prices or percentages is meaningless."""
PLACES: tuple[ColumnKind, ...] = ("city", "address", "coordinates", "district", "place_code")
_ALIKE: dict[ColumnKind, tuple[ColumnKind, ...]] = {
    "coordinates": ("coordinates", "address"),
    "address": ("address", "coordinates"),
    "city": ("city", "place_code", "address"),
    "year": ("year", "date"),
    "month": ("month", "date"),
}
_PARTS = re.compile(r"[_\-./]+|(?<=[a-z])(?=[A-Z])")


class _Kind(Entry):
    kind: ColumnKind
    names: re.Pattern[str]
    asked: Annotated[re.Pattern[str], BeforeValidator(lambda written: "|".join(written.values()))] | None = None


class _Kinds(Entry):
    kinds: list[_Kind]


_fields = file_of("datagov/fields", _Kinds)


@lru_cache(maxsize=20_000)
def kind_of_column(name: str) -> ColumnKind | None:
    """The kind that a column's name shows, such as ``"phone"``; ``None`` if the name does not show one."""
    plain = fold(_PARTS.sub(" ", normalise(name))).strip()
    return next((each.kind for each in _fields().kinds if each.names.search(plain)), None)


class AskedColumns(NamedTuple):
    """The kinds of columns that a question asks for; ``rest`` is the question without the words for them."""

    kinds: list[ColumnKind]
    rest: str


def asked_columns(question: str) -> AskedColumns:
    """The kinds of columns that ``question`` asks for, in the order of the vocabulary."""
    rest = normalise(question).lower()
    kinds: list[ColumnKind] = []
    for each in _fields().kinds:
        if each.asked and each.asked.search(rest):
            kinds.append(each.kind)
            rest = each.asked.sub(" ", rest)
    return AskedColumns(kinds, rest)


def serves(kind: ColumnKind, kinds: Sequence[ColumnKind | None]) -> bool:
    """Whether a column of one of ``kinds`` answers a question for ``kind``; a location, for example, can be given in
    several ways."""
    return any(each in kinds for each in _ALIKE.get(kind, (kind,)))
