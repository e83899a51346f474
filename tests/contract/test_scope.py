"""Tests that no user sees, changes, counts or deletes another user's data with any method."""

from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from core.store.scope import ReadableCollection, ScopedTruth, readable_rows
from core.store.truth import (
    Change,
    Collection,
    Delete,
    DuplicateError,
    Filter,
    Json,
    Readable,
    Sorted,
    Truth,
    Unique,
    Update,
    Upsert,
)

ADA: list[Json] = [
    {"_id": "a1", "key": 1, "tags": ["secret"], "version": 0},
    {"_id": "a2", "key": 2, "tags": ["secret", "old"]},
]
MARK = Change(set={"stolen": True})


@pytest.fixture
async def ada(truth: Truth) -> Collection:
    collection = ScopedTruth(truth, "ada").collection("items")
    await collection.ensure(unique=[Unique(("key",))], sort=[Sorted(("tags",))])
    await collection.insert_many(ADA)
    return collection


@pytest.fixture
async def bob(truth: Truth, ada: Collection) -> Collection:
    collection = ScopedTruth(truth, "bob").collection("items")
    await collection.insert_many([{"_id": "b1", "key": 1}])
    return collection


async def everything(truth: Truth) -> list[Json]:
    return await truth.collection("items").find()


FILTERS: list[tuple[Filter, bool]] = [
    ({}, True),
    ({"_id": "a1"}, False),
    ({"_id": {"$in": ["a1", "a2"]}}, False),
    ({"user_id": "ada"}, False),
    ({"user_id": {"$ne": "bob"}}, False),
    ({"user_id": {"$exists": True}, "tags": "secret"}, False),
    ({"tags": "secret"}, False),
    ({"$or": [{"user_id": "ada"}, {"_id": "a1"}]}, False),
    ({"$or": [{}, {"user_id": "ada"}]}, True),
    ({"$and": [{"$or": [{"user_id": "ada"}, {"tags": "secret"}]}]}, False),
]
"""Filters, each with whether it matches Bob's only document."""


@pytest.mark.parametrize(("filter", "hit"), FILTERS, ids=str)
async def test_no_filter_reaches_another_user(truth: Truth, bob: Collection, filter: Filter, hit: bool) -> None:
    before = [document for document in await everything(truth) if document["user_id"] == "ada"]
    mine = ["b1"] if hit else []
    for found in (
        await bob.find(filter),
        await bob.find(filter, sort=[("key", -1)], limit=5, fields=["key"]),
        await bob.find(filter, after=ADA[0]),
    ):
        assert [document["_id"] for document in found] == mine
    assert await bob.count(filter) == len(mine)
    assert await bob.count_by("tags", filter) == ({"": 1} if hit else {})
    claimed = await bob.claim(filter, owner="bob", seconds=9, now=0)
    assert [claimed["_id"]] == mine if claimed else not mine
    assert await bob.update_where(filter, MARK) == len(mine)
    assert await bob.delete(filter) == len(mine)
    assert [document for document in await everything(truth) if document["user_id"] == "ada"] == before


async def test_without_a_filter(bob: Collection) -> None:
    assert [document["_id"] for document in await bob.find()] == ["b1"]
    assert await bob.count() == 1
    assert await bob.count_by("user_id") == {"bob": 1}


async def test_no_id_reaches_another_user(truth: Truth, bob: Collection) -> None:
    before = await everything(truth)
    assert await bob.get("a1") is None
    assert await bob.update("a1", MARK) is None
    assert await bob.update("a1", MARK, if_version=0) is None
    assert await bob.update("a1", MARK, where={"user_id": "ada"}) is None
    await bob.bulk([Update("a1", MARK), Update("a1", MARK, {"user_id": "ada"}), Delete("a1"), Delete("a2", {"key": 2})])
    assert await everything(truth) == before


@pytest.mark.parametrize("document", [{"_id": "a1"}, {"_id": "a1", "user_id": "ada"}], ids=str)
async def test_an_upsert_over_a_foreign_id_finds_nothing(truth: Truth, bob: Collection, document: Json) -> None:
    before = await everything(truth)
    for write in (
        bob.upsert(document),
        bob.upsert(document, where={"user_id": "ada"}),
        bob.upsert_many([document]),
        bob.bulk([Upsert({"_id": "b9"}), Upsert(document)]),
    ):
        with pytest.raises(PalimpsestError) as caught:
            await write
        assert caught.value.problem.category == "not_found"
    with pytest.raises(DuplicateError):
        await bob.insert_many([{"_id": "b9"}, document])
    assert await everything(truth) == before


async def test_every_write_is_stamped(truth: Truth, bob: Collection) -> None:
    await bob.insert_many([{"_id": "b2", "key": 2, "user_id": "ada"}])
    await bob.upsert({"_id": "b3", "key": 3, "user_id": "ada"})
    await bob.bulk([Upsert({"_id": "b4", "key": 4, "user_id": None})])
    await bob.upsert({"_id": "b1", "key": 1, "new": True})
    await bob.upsert_many([{"_id": "b5", "key": 5, "user_id": "ada"}])
    owners = {document["_id"]: document["user_id"] for document in await everything(truth)}
    assert owners == {"a1": "ada", "a2": "ada", "b1": "bob", "b2": "bob", "b3": "bob", "b4": "bob", "b5": "bob"}


@pytest.mark.parametrize(
    "change",
    [
        Change(set={"user_id": "ada"}),
        Change(set={"user_id.x": 1}),
        Change(unset=["user_id"]),
        Change(push={"user_id": "ada"}),
        Change(inc={"user_id": 1}),
    ],
    ids=str,
)
async def test_nothing_is_given_away(truth: Truth, bob: Collection, change: Change) -> None:
    before = await everything(truth)
    for write in (bob.update("b1", change), bob.update_where({}, change), bob.bulk([Update("b1", change)])):
        with pytest.raises(ValueError, match="user_id"):
            await write
    assert await everything(truth) == before


async def test_one_s_own_name_may_be_part_of_a_change(bob: Collection) -> None:
    changed = await bob.update("b1", Change(set={"user_id": "bob", "n": 1}))
    assert changed == {"_id": "b1", "user_id": "bob", "key": 1, "n": 1}


async def test_uniqueness_is_one_s_own(bob: Collection) -> None:
    """A user cannot learn another user's values by provoking a uniqueness error."""
    await bob.insert_many([{"_id": "b2", "key": 2}])
    with pytest.raises(DuplicateError):
        await bob.upsert({"_id": "b3", "key": 2})


@pytest.mark.parametrize(
    ("user", "group", "seen"),
    [
        ("ada", None, ["a1", "a2", "a3"]),
        ("bob", None, ["b1"]),
        ("bob", "office", ["a1", "b1"]),
        ("bob", "archive", ["a2", "b1"]),
        ("eve", "office", ["a1"]),
        ("eve", "", []),
    ],
)
async def test_a_group_reads_what_is_shared_with_it_and_no_more(
    truth: Truth, user: str, group: str | None, seen: list[str]
) -> None:
    rows: list[Json] = [
        {"_id": "a1", "user_id": "ada", "org_id": "office", "kind": "x"},
        {"_id": "a2", "user_id": "ada", "org_id": "archive", "kind": "x"},
        {"_id": "a3", "user_id": "ada", "org_id": None, "kind": "x"},
        {"_id": "b1", "user_id": "bob", "kind": "x"},
    ]
    await truth.collection("items").insert_many(rows)
    readable = readable_rows(truth, "items", user, group)
    for filter in (None, {}, {"kind": "x"}, {"$or": [{"kind": "x"}, {"kind": "y"}]}):
        assert [row["_id"] for row in await readable.find(filter, sort=[("_id", 1)])] == seen
        assert await readable.count(filter) == len(seen)
    for row in rows:
        assert (await readable.get(str(row["_id"])) is not None) == (row["_id"] in seen)


def test_nothing_is_written_through_what_a_group_reads() -> None:
    assert {name for name in vars(ReadableCollection) if not name.startswith("_")} == {"get", "find", "count"}


async def test_a_user_has_a_name(truth: Truth) -> None:
    with pytest.raises(ValueError, match="name"):
        ScopedTruth(truth, "")
    with pytest.raises(ValueError, match="name"):
        readable_rows(truth, "items", "", "office")


def test_the_scope_knows_every_method() -> None:
    """A method added to the protocol must be scoped as well, and tested above."""
    known = {name for name in (*vars(Readable), *vars(Collection)) if not name.startswith("_")}
    assert known == {
        "ensure",
        "get",
        "find",
        "insert_many",
        "upsert",
        "upsert_many",
        "update",
        "update_where",
        "bulk",
        "delete",
        "count",
        "count_by",
        "claim",
        "version",
        "unchanged",
    }
