"""Tests that both record stores answer in the same way: every method, every operator."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import PalimpsestError
from core.store.truth import (
    Change,
    Collection,
    Delete,
    DuplicateError,
    Filter,
    Json,
    Sort,
    Sorted,
    Truth,
    Unique,
    Update,
    Upsert,
)
from tests.contract.reference import arranged, matches

FIELDS = ("n", "s", "b", "tags", "deep.in.k", "מפתח")


def ids(documents: list[Json]) -> str:
    return "".join(str(document["_id"]) for document in documents)


@pytest.fixture
def items(truth: Truth) -> Collection:
    return truth.collection("items")


@pytest.fixture(params=["plain", "indexed"])
async def filled(request: pytest.FixtureRequest, items: Collection) -> Collection:
    """A collection with ``DOCUMENTS``: once without indexes, once with an index on every field."""
    if request.param == "indexed":
        await items.ensure(sort=[Sorted((field,)) for field in FIELDS])
    await items.insert_many(DOCUMENTS)
    return items


DOCUMENTS: list[Json] = [
    {"_id": "a", "n": 1, "s": "x", "b": True, "z": None, "tags": ["red", "blue"], "deep": {"in": {"k": 5}}},
    {"_id": "b", "n": 2.5, "s": "y", "b": False, "tags": ["red", None, 3], "deep": {"in": {"k": "5"}}},
    {"_id": "c", "n": "1", "s": "שלום עולם", "tags": [], "deep": {"in": 7}, "מפתח": "ערך 🌍"},
    {"_id": "d", "n": True, "s": ["x", "z"], "tags": "red", "deep": 5},
    {"_id": "e", "n": None, "tags": [1, 5]},
    {"_id": "f", "n": {"k": 1}, "s": "", "tags": [["red"]], "deep": {"in": {"k": None}}},
]

CASES: list[tuple[Filter | None, str]] = [
    (None, "abcdef"),
    ({}, "abcdef"),
    ({"_id": "c"}, "c"),
    ({"_id": {"$in": ["f", "a", "none"]}}, "af"),
    ({"_id": {"$gt": "b", "$lte": "e"}}, "cde"),
    ({"n": 1}, "a"),
    ({"n": 1.0}, "a"),
    ({"n": "1"}, "c"),
    ({"n": True}, "d"),
    ({"b": False}, "b"),
    ({"n": None}, "e"),
    ({"z": None}, "abcdef"),
    ({"z": {"$exists": True}}, "a"),
    ({"z": {"$exists": False}}, "bcdef"),
    ({"n": {"$ne": 1}}, "bcdef"),
    ({"b": {"$ne": None}}, "ab"),
    ({"n": {"$gt": 1}}, "b"),
    ({"n": {"$gte": 1}}, "ab"),
    ({"n": {"$lt": 2}}, "a"),
    ({"n": {"$lte": 2.5, "$gt": 0}}, "ab"),
    ({"n": {"$gte": "0"}}, "c"),
    ({"n": {"$lt": "2"}}, "c"),
    ({"n": {"$in": [1, "1", None]}}, "ace"),
    ({"n": {"$nin": [1, "1", None]}}, "bdf"),
    ({"n": {"$in": []}}, ""),
    ({"n": {"$nin": []}}, "abcdef"),
    ({"s": "x"}, "ad"),
    ({"s": "שלום עולם"}, "c"),
    ({"s": {"$gt": "x"}}, "bcd"),
    ({"s": ""}, "f"),
    ({"tags": "red"}, "abd"),
    ({"tags": None}, "b"),
    ({"tags": {"$ne": "red"}}, "cef"),
    ({"tags": {"$in": ["blue", 3]}}, "ab"),
    ({"tags": {"$nin": ["blue", 3]}}, "cdef"),
    ({"tags": {"$gt": 3}}, "e"),
    ({"tags": {"$gt": 4, "$lt": 2}}, "e"),
    ({"tags": {"$exists": True}}, "abcdef"),
    ({"deep.in.k": 5}, "a"),
    ({"deep.in.k": "5"}, "b"),
    ({"deep.in.k": None}, "cdef"),
    ({"deep.in.k": {"$exists": True}}, "abf"),
    ({"מפתח": "ערך 🌍"}, "c"),
    ({"מפתח": {"$exists": True}}, "c"),
    ({"n": 1, "s": "y"}, ""),
    ({"$or": [{"n": 1}, {"s": "y"}]}, "ab"),
    ({"$or": [{"n": 1}, {"$or": [{"s": ""}, {"b": False}]}], "tags": "red"}, "ab"),
    ({"$and": [{"n": {"$gt": 0}}, {"$or": [{"b": True}, {"b": False}]}], "_id": {"$ne": "a"}}, "b"),
    ({"$or": [{"n": 1, "s": {"$in": ["x", "y"]}}, {"s": "y", "n": 2}]}, "a"),
    ({"$or": [{}]}, "abcdef"),
]


@pytest.mark.parametrize(("filter", "expected"), CASES, ids=[str(case[0]) for case in CASES])
def test_the_reference_agrees_with_the_table(filter: Filter | None, expected: str) -> None:
    assert ids([document for document in DOCUMENTS if matches(document, filter or {})]) == expected


async def test_every_operator(filled: Collection) -> None:
    for filter, expected in CASES:
        assert ids(await filled.find(filter)) == expected, filter
        assert await filled.count(filter) == len(expected), filter


REFUSED: list[Any] = [
    {"$where": "1"},
    {"n": {"$regex": "x"}},
    {"n": {}},
    {"n": [1]},
    {"n": {"$eq": {"a": 1}}},
    {"n": {"$in": "abc"}},
    {"n": {"$gt": None}},
    {"n": {"$gt": True}},
    {"n": {"$exists": 1}},
    {"n": float("nan")},
    {"n": 2**63},
    {"n": "a\x00b"},
    {"$or": []},
    {"$or": {"n": 1}},
    {"a..b": 1},
    {"": 1},
    {'n") OR 1=1 --': 1},
    {"n'": 1},
    {"$n": 1},
    {"n\n": 1},
]


@pytest.mark.parametrize("filter", REFUSED, ids=str)
async def test_filters_beyond_the_subset_are_refused(items: Collection, filter: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        await items.find(filter)
    with pytest.raises(ValueError):  # noqa: PT011
        await items.delete(filter)


async def test_documents_come_back_as_they_went(items: Collection) -> None:
    document: Json = {
        "_id": "é/ש",
        "שם": "בְּרֵאשִׁית",
        "empty": {},
        "list": [1, 1.0, True, None, "a\nb\x00", {"x": []}],
        "big": 2**62,
        "small": -0.25,
        "emoji 🌍 key": "🌍",
    }
    await items.insert_many([document])
    back = await items.get("é/ש")
    assert back == document
    assert back is not None
    assert [type(value) for value in back["list"]] == [int, float, bool, type(None), str, dict]  # type: ignore[union-attr]
    assert await items.get("nobody") is None


@pytest.mark.parametrize("document", [{}, {"_id": ""}, {"_id": 5}, {"_id": None}], ids=str)
async def test_an_id_is_a_text(items: Collection, document: Json) -> None:
    for write in (items.insert_many([{"_id": "good"}, document]), items.upsert(document)):
        with pytest.raises(ValueError, match="_id"):
            await write
    assert await items.count() == 0


PROJECTIONS: list[tuple[list[str], Json]] = [
    ([], {"_id": "a"}),
    (["_id"], {"_id": "a"}),
    (["n", "none"], {"_id": "a", "n": 1}),
    (["deep.in.k"], {"_id": "a", "deep": {"in": {"k": 5}}}),
    (["deep.other"], {"_id": "a", "deep": {}}),
    (["n.k"], {"_id": "a"}),
    (["deep", "deep.in"], {"_id": "a", "deep": {"in": {"k": 5}}}),
    (["z"], {"_id": "a", "z": None}),
]


async def test_fields(filled: Collection) -> None:
    for fields, expected in PROJECTIONS:
        assert await filled.find({"_id": "a"}, fields=fields) == [expected], fields


SORTS: list[tuple[Sort, str]] = [
    ([], "abcdef"),
    ([("n", 1)], "eabcfd"),
    ([("n", -1)], "dfcbae"),
    ([("b", -1), ("_id", -1)], "abfedc"),
    ([("מפתח", 1)], "abdefc"),
    ([("deep.in.k", -1)], "bacdef"),
]


async def test_sorting_and_paging(filled: Collection) -> None:
    for sort, expected in SORTS:
        assert ids(await filled.find(sort=sort)) == expected, sort
        assert ids(await filled.find(sort=sort, limit=2)) == expected[:2], sort
        paged, after = "", None
        while page := await filled.find(sort=sort, limit=1, after=after, fields=[field for field, _ in sort]):
            paged, after = paged + ids(page), page[-1]
        assert paged == expected, sort
    assert await filled.find(limit=0) == []
    with pytest.raises(ValueError, match="direction"):
        await filled.find(sort=[("n", 2)])


async def test_pages_stay_stable_while_others_write(items: Collection) -> None:
    """With keyset paging, inserts and deletes before the page boundary do not shift the pages after it."""
    await items.insert_many([{"_id": f"{i:02}", "at": i // 3} for i in range(9)])
    first = await items.find(sort=[("at", 1)], limit=4)
    await items.delete({"_id": "01"})
    await items.insert_many([{"_id": "00a", "at": 0}])
    rest = await items.find(sort=[("at", 1)], after=first[-1])
    assert [document["_id"] for document in rest] == ["04", "05", "06", "07", "08"]


async def test_insert_is_all_or_none(items: Collection) -> None:
    await items.ensure(unique=[Unique(("user_id", "key"))])
    await items.insert_many([{"_id": "1", "user_id": "ada", "key": "k"}])
    for clash in ({"_id": "1", "key": "new"}, {"_id": "9", "user_id": "ada", "key": "k"}):
        with pytest.raises(DuplicateError):
            await items.insert_many([{"_id": "2", "key": "a"}, clash, {"_id": "3", "key": "b"}])
    assert ids(await items.find()) == "1"
    await items.insert_many([])
    await items.insert_many([{"_id": "2", "user_id": "bob", "key": "k"}])


async def test_uniqueness_of_missing_and_of_types(items: Collection) -> None:
    await items.ensure(unique=[Unique(("key",))])
    await items.insert_many([{"_id": "1", "key": 1}, {"_id": "2", "key": "1"}, {"_id": "3", "key": True}, {"_id": "4"}])
    for value in (1.0, "1", True, None):
        with pytest.raises(DuplicateError):
            await items.insert_many([{"_id": "5", "key": value}])


async def test_a_constraint_that_old_documents_break_changes_nothing(items: Collection) -> None:
    await items.insert_many([{"_id": "1", "key": 1}, {"_id": "2", "key": 1}])
    with pytest.raises(DuplicateError):
        await items.ensure(unique=[Unique(("key",))], sort=[Sorted(("other",))])
    assert ids(await items.find({"key": 1, "other": None})) == "12"
    await items.insert_many([{"_id": "3", "key": 1}])


async def test_ensure_again_changes_nothing(items: Collection) -> None:
    for _ in range(2):
        await items.ensure(unique=[Unique(("key",))], sort=[Sorted(("at", "key")), Sorted(("_id",))])
        await items.upsert({"_id": "1", "key": 1})
    assert await items.count() == 1


async def test_lists_are_found_whenever_they_come(items: Collection) -> None:
    """Documents with lists are found whether the index was created before, between or after them."""
    await items.ensure(sort=[Sorted(("user_id", "tags"))])
    await items.insert_many([{"_id": "1", "user_id": "ada", "tags": "red"}])
    assert ids(await items.find({"user_id": "ada", "tags": "red"})) == "1"
    await items.insert_many([{"_id": "2", "user_id": "ada", "tags": []}])
    await items.update("2", Change(push={"tags": "red"}))
    await items.upsert({"_id": "3", "user_id": ["ada", "bob"], "tags": "red"})
    assert ids(await items.find({"user_id": "ada", "tags": "red"})) == "123"


async def test_upsert(items: Collection) -> None:
    await items.ensure(unique=[Unique(("key",))])
    await items.upsert({"_id": "1", "key": 1, "old": True})
    await items.upsert({"_id": "1", "key": 2})
    await items.upsert({"_id": "2", "key": 3})
    assert await items.find() == [{"_id": "1", "key": 2}, {"_id": "2", "key": 3}]
    with pytest.raises(DuplicateError):
        await items.upsert({"_id": "2", "key": 2})
    assert await items.get("2") == {"_id": "2", "key": 3}


async def test_upsert_many(items: Collection) -> None:
    await items.ensure(unique=[Unique(("key",))])
    await items.upsert_many([])
    await items.upsert_many([{"_id": "1", "key": 1, "old": True}, {"_id": "2", "key": 2}])
    await items.upsert_many([{"_id": "1", "key": 3}, {"_id": "3", "key": 1}])
    assert await items.find(sort=[("_id", 1)]) == [
        {"_id": "1", "key": 3},
        {"_id": "2", "key": 2},
        {"_id": "3", "key": 1},
    ]
    with pytest.raises(DuplicateError):
        await items.upsert_many([{"_id": "4", "key": 2}])


async def test_upsert_where(items: Collection) -> None:
    await items.upsert({"_id": "1", "owner": "ada"}, where={"owner": "ada"})
    await items.upsert({"_id": "1", "owner": "ada", "n": 1}, where={"owner": "ada"})
    with pytest.raises(DuplicateError):
        await items.upsert({"_id": "1", "owner": "bob"}, where={"owner": "bob"})
    assert await items.get("1") == {"_id": "1", "owner": "ada", "n": 1}


CHANGES: list[tuple[Json, Change, Json]] = [
    ({"n": 1}, Change(set={"n": 2, "שם": "ש"}), {"n": 2, "שם": "ש"}),
    ({}, Change(set={"a.b.c": [1]}), {"a": {"b": {"c": [1]}}}),
    ({"a": {"x": 1}}, Change(set={"a.b": None}), {"a": {"x": 1, "b": None}}),
    ({"n": 1}, Change(inc={"n": 2, "m": -1, "a.k": 0.5}), {"n": 3, "m": -1, "a": {"k": 0.5}}),
    ({"n": 1}, Change(inc={"n": 0.5}), {"n": 1.5}),
    ({"l": [1]}, Change(push={"l": {"x": 1}, "new.list": 2}), {"l": [1, {"x": 1}], "new": {"list": [2]}}),
    ({"a": {"b": 1, "c": 2}, "d": 1}, Change(unset=["a.b", "d", "none", "gone.x", "a.c.x"]), {"a": {"c": 2}}),
    ({"n": 1}, Change(set={"s": 1}, inc={"n": 1}, push={"l": 1}, unset=["x"]), {"n": 2, "s": 1, "l": [1]}),
    ({"n": 1}, Change(), {"n": 1}),
]


async def test_changes(items: Collection) -> None:
    for before, change, after in CHANGES:
        await items.upsert({"_id": "1", **before})
        assert await items.update("1", change) == {"_id": "1", **after}, change
        await items.upsert({"_id": "1", **before})
        assert await items.update_where({"_id": "1"}, change) == 1
        assert await items.get("1") == {"_id": "1", **after}, change
        await items.bulk([Upsert({"_id": "1", **before}), Update("1", change)])
        assert await items.get("1") == {"_id": "1", **after}, change


BAD_CHANGES = [
    Change(set={"_id": "2"}),
    Change(set={"a": 1}, inc={"a": 1}),
    Change(set={"a": 1, "a.b": 1}),
    Change(set={"a-": 1, "a": 1}, unset=["a.b"]),
    Change(set={"$a": 1}),
    Change(inc={"s": 1}),
    Change(inc={"none": 1}),
    Change(push={"n": 1}),
    Change(set={"n.b": 1}),
    Change(set={"none.b": 1}),
]


@pytest.mark.parametrize("change", BAD_CHANGES, ids=str)
async def test_changes_that_cannot_be_applied_are_refused(items: Collection, change: Change) -> None:
    document: Json = {"_id": "1", "n": 1, "s": "x", "none": None}
    await items.insert_many([document])
    for write in (items.update("1", change), items.update_where({}, change), items.bulk([Update("1", change)])):
        with pytest.raises(ValueError):  # noqa: PT011
            await write
    assert await items.get("1") == document


async def test_update_demands_a_document_and_a_version(items: Collection) -> None:
    await items.insert_many([{"_id": "1", "version": 0, "owner": "ada"}, {"_id": "2"}])
    assert await items.update("none", Change(set={"x": 1})) is None
    assert await items.update("1", Change(set={"x": 1}), where={"owner": "bob"}) is None
    assert await items.update("2", Change(set={"x": 1}), if_version=0) is None
    assert await items.update("1", Change(set={"x": 1}), if_version=0) == {
        "_id": "1",
        "version": 1,
        "owner": "ada",
        "x": 1,
    }
    assert await items.update("1", Change(set={"x": 2}), if_version=0) is None
    assert await items.update("1", Change(), if_version=1, where={"owner": "ada"}) is not None
    with pytest.raises(ValueError, match="version"):
        await items.update("1", Change(set={"version": 9}), if_version=2)
    assert await items.count() == 2


async def test_update_where_delete_and_counts(filled: Collection) -> None:
    assert await filled.update_where({"tags": "red"}, Change(set={"seen": True})) == 3
    assert await filled.update_where({"tags": "none"}, Change(set={"seen": True})) == 0
    assert ids(await filled.find({"seen": True})) == "abd"
    assert await filled.delete({"seen": True, "_id": {"$ne": "a"}}) == 2
    assert await filled.delete({"seen": 1}) == 0
    assert ids(await filled.find()) == "acef"


COUNTS: list[tuple[str, dict[str, int]]] = [
    ("b", {"true": 1, "false": 1, "": 4}),
    ("none", {"": 6}),
    ("tags", {"red": 3, "blue": 1, "": 2, "3": 1, "1": 1, "5": 1, "[]": 1}),
    ("deep.in.k", {"5": 2, "": 4}),
    ("מפתח", {"ערך 🌍": 1, "": 5}),
]


async def test_count_by(filled: Collection) -> None:
    for field, expected in COUNTS:
        assert await filled.count_by(field) == expected, field
    assert await filled.count_by("tags", {"n": {"$gt": 0}}) == {"red": 2, "blue": 1, "": 1, "3": 1}
    assert await filled.count_by("n", {"_id": {"$in": ["a", "b"]}}) == {"1": 1, "2.5": 1}
    assert await filled.count_by("n", {"_id": "none"}) == {}


async def test_count_by_counts_documents_not_repetitions(items: Collection) -> None:
    await items.insert_many([{"_id": "1", "tags": ["a", "a", "b"]}, {"_id": "2", "tags": ["a", 1, 1.0]}])
    assert await items.count_by("tags") == {"a": 2, "b": 1, "1": 1}


async def test_bulk_goes_in_order(items: Collection) -> None:
    await items.bulk(
        [
            Upsert({"_id": "1", "n": 1}),
            Update("1", Change(inc={"n": 1})),
            Upsert({"_id": "2"}),
            Delete("2"),
            Update("2", Change(set={"x": 1})),
            Delete("none"),
            Delete("1", where={"n": 1}),
            Update("1", Change(set={"x": 1}), where={"n": 1}),
        ]
    )
    assert await items.find() == [{"_id": "1", "n": 2}]
    await items.bulk([])


async def test_bulk_is_all_or_none(items: Collection) -> None:
    await items.ensure(unique=[Unique(("key",))])
    await items.insert_many([{"_id": "1", "key": 1, "n": "text"}])
    for last, error in (
        (Upsert({"_id": "3", "key": 1}), DuplicateError),
        (Upsert({"_id": "1", "key": 5}, where={"key": 7}), DuplicateError),
        (Update("1", Change(inc={"n": 1})), ValueError),
    ):
        with pytest.raises(error):
            await items.bulk([Upsert({"_id": "2", "key": 2}), Update("1", Change(set={"x": 1})), last])
        assert await items.find() == [{"_id": "1", "key": 1, "n": "text"}]


async def test_a_claim_has_one_winner(items: Collection) -> None:
    await items.insert_many([{"_id": f"{i}", "state": "queued", "at": -i} for i in range(3)])

    async def claim(owner: str) -> Json | None:
        begun = Change(set={"state": "begun"}, inc={"attempts": 1})
        return await items.claim(
            {"state": "queued"}, owner=owner, seconds=10, now=100.0, sort=[("at", 1)], change=begun
        )

    leased = [job for job in await asyncio.gather(*(claim(f"w{i}") for i in range(6))) if job]
    assert sorted(str(job["_id"]) for job in leased) == ["0", "1", "2"]
    assert len({str(job["lease_owner"]) for job in leased}) == 3
    assert {(job["lease_until"], job["state"], job["attempts"]) for job in leased} == {(110.0, "begun", 1)}


async def test_a_lease_ends_and_can_be_given_back(items: Collection) -> None:
    await items.insert_many([{"_id": "1"}, {"_id": "2"}])
    first = await items.claim({}, owner="a", seconds=10, now=0, sort=[("_id", -1)])
    assert first == {"_id": "2", "lease_owner": "a", "lease_until": 10}
    assert await items.claim({"_id": "2"}, owner="b", seconds=10, now=9.9) is None
    assert (await items.claim({"_id": "2"}, owner="b", seconds=10, now=10) or {})["lease_owner"] == "b"
    await items.update("2", Change(set={"lease_owner": None}))
    assert await items.claim({"_id": "2"}, owner="c", seconds=10, now=0) is not None


async def test_of_racing_versions_one_wins(items: Collection) -> None:
    await items.insert_many([{"_id": "1", "version": 0}])
    results = await asyncio.gather(*(items.update("1", Change(set={"by": i}), if_version=0) for i in range(8)))
    winners = [result for result in results if result]
    assert len(winners) == 1
    assert await items.get("1") == winners[0]


async def test_racing_increments_all_count(items: Collection) -> None:
    await items.insert_many([{"_id": "1"}])
    await asyncio.gather(*(items.update("1", Change(inc={"n": 1}, push={"l": i})) for i in range(12)))
    document = await items.get("1") or {}
    assert document["n"] == 12
    assert sorted(document["l"]) == list(range(12))  # type: ignore[arg-type, type-var]


async def test_racing_upserts_leave_one_document(items: Collection) -> None:
    await asyncio.gather(*(items.upsert({"_id": "1", "by": i}) for i in range(8)))
    await asyncio.gather(*(items.upsert({"_id": "2", "owner": "ada"}, where={"owner": "ada"}) for i in range(8)))
    several = [[{"_id": f"3{each}", "by": i} for each in "abc"] for i in range(8)]
    await asyncio.gather(*map(items.upsert_many, several))
    assert await items.count() == 5


async def test_many_ids_at_once(items: Collection) -> None:
    await items.insert_many([{"_id": f"m_{i}", "n": i} for i in range(1200)])
    wanted = [f"m_{i}" for i in range(0, 2400, 2)]
    assert await items.count({"_id": {"$in": wanted}}) == 600
    assert await items.count({"_id": {"$nin": wanted}}) == 600
    assert await items.count({"n": {"$in": [*range(0, 2400, 2), None]}}) == 600


async def test_collections_are_apart_and_their_names_checked(truth: Truth) -> None:
    await truth.collection("one").insert_many([{"_id": "1"}])
    assert await truth.collection("two").count() == 0
    for name in ("", "a b", "A", "1a", 'x"; DROP TABLE one; --', "sqlite_master", "system_users", "a\n", "a" * 64):
        with pytest.raises(ValueError, match="name"):
            truth.collection(name)


async def test_not_started(truth: Truth) -> None:
    await truth.stop()
    with pytest.raises(RuntimeError, match="not been started"):
        await truth.collection("items").count()
    await truth.start()
    assert await truth.collection("items").count() == 0


async def test_a_read_is_bounded(truth: Truth, items: Collection) -> None:
    await items.insert_many([{"_id": f"{i}", "n": i} for i in range(3000)])
    truth._seconds = 1e-4  # type: ignore[attr-defined]
    with pytest.raises(PalimpsestError) as caught:
        await items.find({"$or": [{"tags": f"{i}"} for i in range(60)]}, sort=[("x.y", 1)])
    truth._seconds = 10.0  # type: ignore[attr-defined]
    assert caught.value.problem.category == "timeout"
    assert await items.count() == 3000


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.0, -2.5, 2.0**53, 2**53 + 1]),
    st.sampled_from(["", "a", "b", "1", "true", "[]", '["a"]', "א", "ב", "בְ", "🌍", "\uffff", "'", '"']),
)
VALUES = st.one_of(SCALARS, st.lists(st.one_of(SCALARS, st.just(["a"]), st.just({"k": 1})), max_size=3))
NAMES = st.sampled_from(["p", "q", "שדה", "o.p", "o.q"])
OPERANDS = st.one_of(
    st.tuples(st.sampled_from(["$eq", "$ne"]), SCALARS),
    st.tuples(st.sampled_from(["$in", "$nin"]), st.lists(SCALARS, max_size=3)),
    st.tuples(
        st.sampled_from(["$gt", "$gte", "$lt", "$lte"]),
        SCALARS.filter(lambda value: value is not None and not isinstance(value, bool)),
    ),
    st.tuples(st.just("$exists"), st.booleans()),
)
CONDITIONS = st.one_of(SCALARS, st.lists(OPERANDS, min_size=1, max_size=2).map(dict))
FILTERS = st.recursive(
    st.dictionaries(NAMES, CONDITIONS, max_size=2),
    lambda part: st.builds(
        lambda operator, parts, rest: {**rest, operator: parts},
        st.sampled_from(["$or", "$and"]),
        st.lists(part, min_size=1, max_size=3),
        st.dictionaries(NAMES, CONDITIONS, max_size=1),
    ),
    max_leaves=4,
)
INNER = st.fixed_dictionaries({}, optional={"p": VALUES, "q": SCALARS})
BODIES = st.fixed_dictionaries(
    {}, optional={"p": VALUES, "q": SCALARS, "שדה": VALUES, "o": st.one_of(INNER, st.sampled_from([None, 1, "x"]))}
)


def inner(body: Json) -> Json:
    child = body.get("o")
    return child if isinstance(child, dict) else {}


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    bodies=st.lists(BODIES, max_size=8),
    filters=st.lists(FILTERS, min_size=1, max_size=4),
    sort=st.lists(
        st.tuples(st.sampled_from(["q", "o.q"]), st.sampled_from([1, -1])), max_size=2, unique_by=lambda s: s[0]
    ),
    indexed=st.booleans(),
)
async def test_random_filters_as_the_reference(
    truth: Truth, bodies: list[Json], filters: list[dict[str, Any]], sort: Sort, indexed: bool
) -> None:
    flat = not any(isinstance(value, list) for body in bodies for value in (*body.values(), *inner(body).values()))
    collection = truth.collection(f"{'flat' if flat else 'listed'}_{'indexed' if indexed else 'plain'}")
    await collection.delete({})
    if indexed:
        await collection.ensure(sort=[Sorted((name,)) for name in ("p", "q", "שדה", "o.p", "o.q")])
        await collection.ensure(sort=[Sorted(("q", "p"))])
    documents = [{"_id": f"{i}", **body} for i, body in enumerate(bodies)]
    await collection.insert_many(documents)
    for filter in filters:
        expected = arranged((document for document in documents if matches(document, filter)), sort)
        found = await collection.find(filter, sort=sort)
        assert ids(found) == ids(expected)
        assert await collection.count(filter) == len(expected)
        if expected:
            border = expected[len(expected) // 2]
            rest = await collection.find(filter, sort=sort, after=border)
            assert ids(rest) == ids(expected[len(expected) // 2 + 1 :])
