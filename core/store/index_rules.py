"""Implements what all index adapters share: schema comparison, payloads, the IDF corpus and the order of ties."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import PalimpsestError, fail
from core.store.index import Hit, Payload, Point, Schema, SchemaMismatchError, SparseVector, Vector, Where

DISTANCE = "Cosine"
TENANT = "user_id"
GROUP = "org_id"
WRITE_BATCH = 256
"""Points per engine call: about 1 MB with 384 dimensions and a Hebrew lexical vector."""

_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
_SPARE = 16
_MOST_TIES = 4_096


@dataclass(frozen=True)
class Stored:
    """The form of an existing collection; ``dense`` is name → (dimension, distance), ``model`` is None if unknown."""

    model: str | None
    dense: Mapping[str, tuple[int, str]]
    lexical: tuple[str, ...]


class CollectionFormat:
    """The ``wanted`` form of a collection, its stored form, and the conversion of points between the two."""

    def __init__(self) -> None:
        self.wanted = Schema("", 0)
        self.mismatch: SchemaMismatchError | None = None
        self._stored = Stored(None, {}, ())

    def compare(self, stored: Stored) -> None:
        """Compare stored and wanted form; afterwards ``mismatch`` shows whether dense vectors can be used."""
        self._stored, self.mismatch = stored, mismatch(stored, self.wanted)

    @property
    def dense(self) -> tuple[str, int]:
        """The name of the dense vector, and its dimension. Raises ``SchemaMismatchError``."""
        if self.mismatch is not None:
            raise SchemaMismatchError(str(self.mismatch))
        return self.wanted.dense_name, self.wanted.dimension

    @property
    def lexical(self) -> str:
        """The lexical vector to use: the one with the wanted name, otherwise the existing one.

        Raises:
            SchemaMismatchError: there is none.
        """
        if self.wanted.lexical_name in self._stored.lexical:
            return self.wanted.lexical_name
        if not self._stored.lexical:
            raise SchemaMismatchError("The index has no lexical vector. Reindex to search by text.")
        return self._stored.lexical[0]

    def vectors(self, point: Point, sparse: Callable[[SparseVector], object]) -> dict[str, Any]:
        """The vectors by their stored names; ``sparse``: the engine's form of a lexical one."""
        vectors: dict[str, Any] = {}
        if point.lexical is not None:
            vectors[self.lexical] = sparse(point.lexical)
        if point.dense is not None:
            name, dimension = self.dense
            vectors[name] = checked_vector(point.dense, dimension)
        return vectors

    def point(self, id: object, payload: Payload, vectors: Any) -> Point:
        """A point as returned by the engine, with those of its ``vectors`` that are known."""
        lexical = next((vectors[name] for name in self._stored.lexical if name in vectors), None)
        dense = next((vectors[name] for name in self._stored.dense if name in vectors), None)
        return Point(
            id=str(id),
            payload=payload,
            lexical=None if lexical is None else SparseVector(list(lexical.indices), list(lexical.values)),
            dense=None if dense is None else np.asarray(dense, dtype=np.float32),
        )


def differences(stored: Stored, wanted: Schema) -> list[str]:
    """The reasons why ``stored`` cannot serve ``wanted``; empty if it can."""
    found: list[str] = []
    if stored.model != wanted.model:
        found.append(f"the model is {stored.model or 'unknown'}, not {wanted.model}")
    if wanted.dense_name not in stored.dense:
        found.append(f"the dense vector is named {_names_text(stored.dense)}, not {wanted.dense_name}")
    for dimension, distance in list(stored.dense.values())[:1]:
        dimension, distance = stored.dense.get(wanted.dense_name, (dimension, distance))
        if dimension != wanted.dimension:
            found.append(f"the dimension is {dimension}, not {wanted.dimension}")
        if distance.lower() != DISTANCE.lower():
            found.append(f"the distance is {distance}, not {DISTANCE}")
    if wanted.lexical_name not in stored.lexical:
        found.append(f"the lexical vector is named {_names_text(stored.lexical)}, not {wanted.lexical_name}")
    return found


def mismatch(stored: Stored, wanted: Schema) -> SchemaMismatchError | None:
    """The error to raise when ``stored`` cannot serve ``wanted``."""
    found = differences(stored, wanted)
    if not found:
        return None
    return SchemaMismatchError(
        f"The index was made for something else: {'; '.join(found)}. Search by text goes on, search by meaning is off. "
        f"Reindex to use {wanted.model}, or set the embedding model back to {stored.model or 'the earlier one'}."
    )


def _names_text(names: Mapping[str, object] | Sequence[str]) -> str:
    return ", ".join(names) or "(none)"


def checked_name(name: str) -> str:
    """``name``, if it is valid for a collection (and a folder).

    Raises:
        ValueError: it is not.
    """
    if not _NAME.match(name):
        raise ValueError(f"not a collection name: {name!r} (letters, digits, '_', '.', '-'; at most 100)")
    return name


def checked_vector(vector: Vector, dimension: int) -> list[float]:
    """``vector`` as numbers that the engine accepts.

    Raises:
        SchemaMismatchError: it has another dimension.
        ValueError: it contains NaN or infinity, which would spoil every ranking that it takes part in.
    """
    if vector.shape != (dimension,):
        raise SchemaMismatchError(
            f"The vector has shape {vector.shape}, the index holds {dimension} dimensions. "
            "Reindex, or set the embedding model back."
        )
    if not np.isfinite(vector).all():
        raise ValueError("the vector holds NaN or infinity")
    numbers: list[float] = vector.tolist()
    return numbers


def checked_points(points: Sequence[Point]) -> None:
    """Refuse points that no user could ever see.

    Raises:
        ValueError: a point without ``user_id``.
    """
    for point in points:
        if not point.payload.get(TENANT):
            raise ValueError(f"point {point.id} has no {TENANT}")


def present(payload: Payload) -> Payload:
    """The payload without empty fields, because engines treat them differently."""
    return {key: value for key, value in payload.items() if value is not None}


def conditions(where: Where) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Returns (field → allowed values, field → excluded values), always with the user first. If a group is named, a
    point that is published to it need not be the user's.

    Raises:
        ValueError: no user is named.
    """
    if not where.user_id:
        raise ValueError("a query must name its user")
    must = {TENANT: [where.user_id], **{field: list(values) for field, values in where.any_of.items()}}
    if must[TENANT] != [where.user_id]:
        raise ValueError(f"{TENANT} is set by Where.user_id alone")
    if GROUP in where.any_of:
        raise ValueError(f"{GROUP} is set by Where.org_id alone")
    must_not = {field: list(values) for field, values in where.none_of.items() if values}
    return must, must_not


def owned(where: Where) -> Where:
    """``where`` for a deletion. Raises ``ValueError`` if it names a group, whose points belong to other users."""
    if where.org_id:
        raise ValueError("only a user's own points are deleted")
    return where


def idf_corpus(where: Where) -> Where:
    """The default set for document frequencies: what the user may see of the same tiers."""
    tiers = {"tier": where.any_of["tier"]} if "tier" in where.any_of else {}
    return Where(where.user_id, tiers, org_id=where.org_id)


async def best(fetch: Callable[[int], Awaitable[list[Hit]]], limit: int) -> list[Hit]:
    """The best ``limit`` hits in a reproducible order: by score, ties by id.

    An engine cuts a sequence of equal scores anywhere, so more hits are fetched until the sequence ends (or 4,096 hits
    are reached: duplicates beyond that are cut by the engine).
    """
    if limit < 1:
        return []
    wanted = limit + _SPARE
    while True:
        hits = await fetch(wanted)
        complete = len(hits) < wanted or hits[-1].score < hits[limit - 1].score
        if complete or wanted >= _MOST_TIES:
            return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]
        wanted = min(wanted * 4, _MOST_TIES)


def unreachable(detail: str) -> PalimpsestError:
    """The error when the index is closed, in use by another process, or does not answer."""
    return fail("connection", "store.index_rules.unreachable", detail=detail)


def refused(detail: str) -> PalimpsestError:
    """The error when the index server does not accept our key."""
    return fail("auth", "store.index_rules.refused", detail=detail)


def failed(detail: str) -> PalimpsestError:
    """The error when the index server reports a failure."""
    return fail("server", "store.index_rules.failed", detail=detail)


def no_collection(detail: str) -> PalimpsestError:
    """The error when there is no collection with this name."""
    return fail("not_found", "store.index_rules.no_collection", detail=f"no collection {detail}")


def other_vectors(detail: str) -> SchemaMismatchError:
    """The error when the served collection was made for other vectors; ``detail`` is the engine's message."""
    return SchemaMismatchError(
        f"The index serves a collection for other vectors by now: {detail}. Reindex, or restart."
    )
