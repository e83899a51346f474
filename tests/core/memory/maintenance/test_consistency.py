"""Tests the differences between an item in the record store and its point in the index, one pair at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.items.index_writer import COPY_OF, point_of, vector_hash
from core.memory.maintenance.consistency import Differences, compare
from core.store.index import Point, Vector
from core.store.items import ItemSource, MemoryItem, Timestamps

MODEL = "m"


def item(text: str = "zebra", *, embedded: bool = True, tier: str = "working", model: str = MODEL) -> MemoryItem:
    made = MemoryItem.model_validate(
        {
            "_id": f"mem_{1:032x}",
            "user_id": "ada",
            "tier": tier,
            "text": text,
            "scope": "memory",
            "source": ItemSource(type="user"),
            "timestamps": Timestamps(created_at=1.0, updated_at=1.0),
            "indexed": True,
            "embedded": embedded,
        }
    )
    known = vector_hash(made, model) if embedded else None
    return made.model_copy(update={"embedding": made.embedding.model_copy(update={"vector_hash": known})})


def axis() -> Vector:
    return np.array([1, 0], dtype=np.float32)


def kinds(found: Differences) -> set[str]:
    return {kind for kind in ("missing", "texts", "payload", "unmarked", "bare") if getattr(found, kind)}


def nameless(point: Point) -> Point:
    return replace(point, payload={key: value for key, value in point.payload.items() if key != COPY_OF})


CASES: dict[str, tuple[MemoryItem, Callable[[MemoryItem], Point | None], str | None, set[str]]] = {
    "alike": (item(), lambda each: point_of(each, axis()), MODEL, set()),
    "alike without a vector": (item(embedded=False), point_of, MODEL, set()),
    "no point": (item(), lambda each: None, MODEL, {"missing"}),
    "an old text": (item(), lambda each: point_of(item("walrus"), axis()), MODEL, {"texts"}),
    "another tier": (item(), lambda each: point_of(item(tier="history"), axis()), MODEL, {"payload"}),
    "marked without a vector": (item(), point_of, MODEL, {"bare"}),
    "unmarked with a vector": (item(embedded=False), lambda each: point_of(each, axis()), MODEL, {"unmarked"}),
    "marked for another model": (item(model="old"), lambda each: point_of(each, axis()), MODEL, {"unmarked"}),
    "vectors left out": (item(), point_of, None, set()),
    "does not say what it copies": (item(), lambda each: nameless(point_of(each, axis())), MODEL, {"texts"}),
    "the same with vectors left out": (item(), lambda each: nameless(point_of(each)), None, set()),
}


@pytest.mark.parametrize("case", CASES)
def test_what_differs(case: str) -> None:
    each, make, model, expected = CASES[case]
    point = make(each)
    found = compare([each], {point.id: point} if point else {}, model)
    assert kinds(found) == expected
    assert [known.id for known in found.items] == [each.id] * bool(expected)


@given(
    text=st.sampled_from(["zebra", "walrus"]),
    tier=st.sampled_from(["working", "history"]),
    marked=st.booleans(),
    dense=st.booleans(),
    named=st.booleans(),
    model=st.sampled_from([MODEL, "old"]),
)
def test_mending_leaves_nothing_to_mend(
    text: str, tier: str, marked: bool, dense: bool, named: bool, model: str
) -> None:
    """Takes the repair service's steps on one pair."""
    truth = item(embedded=marked, model=model)
    point = point_of(item(text, tier=tier), axis() if dense else None)
    point = point if named else nameless(point)
    found = compare([truth], {point.id: point}, MODEL)
    if found.missing or found.texts:
        point = point_of(truth, found.dense.get(truth.id))
        truth = truth if truth.id in found.dense else item(embedded=False)
    elif found.payload:
        point = replace(point, payload={**point.payload, **point_of(truth).payload})
    if found.bare:
        truth = item(embedded=False)
    if found.unmarked:
        truth = item(embedded=True)
    assert kinds(compare([truth], {point.id: point}, MODEL)) == set()
    assert point.dense is None or truth.text == "zebra"
