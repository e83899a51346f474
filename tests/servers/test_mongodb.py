from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import pytest
from pymongo import MongoClient, ReturnDocument
from pymongo.collection import Collection
from pymongo.errors import WriteError

from tests.mongodb import running_mongodb
from tests.servers.mongodb.order import is_count
from tests.servers.mongodb.planner import alternatives

Row = dict[str, object]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection[Row]]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri, MongoClient[Row](uri) as client:
        found = client["planned"]["rows"]
        found.create_index([("owner", 1), ("state", 1)])
        found.insert_many(
            [{"_id": n, "owner": f"o{n % 3}", "state": "new" if n % 2 else "old", "size": n % 4} for n in range(30)]
        )
        yield found


@pytest.mark.parametrize(
    ("filter", "looked_up"),
    [
        ({"_id": 1, "state": "new"}, [{"_id": 1}]),
        ({"_id": {"$in": [1, 2]}, "$and": [{"state": "new"}]}, [{"_id": {"$in": [1, 2]}}]),
        ({"_id": 1, "$or": [{"owner": "o1"}]}, [{"_id": 1}]),
        ({"owner": "o1", "$or": [{"state": "new"}]}, [{"owner": "o1", "state": "new"}]),
        ({"owner": "o1", "$or": [{"state": "new"}, {"size": 3}]}, [{"owner": "o1"}]),
        (
            {"owner": "o1", "$or": [{"state": "new"}, {"state": {"$in": ["old"]}}]},
            [{"owner": "o1", "state": "new"}, {"owner": "o1", "state": {"$in": ["old"]}}],
        ),
        ({"$or": [{"state": "new"}]}, [{"$or": [{"state": "new"}]}]),
        ({"owner": "o1", "state": "new"}, [{"owner": "o1", "state": "new"}]),
        ({"state": "new", "size": 3, "owner": "o1"}, [{"owner": "o1", "state": "new"}]),
        ({"state": {"$gt": "m"}, "size": 3, "owner": "o1"}, [{"owner": "o1", "state": {"$gt": "m"}}]),
        ({"state": {"$ne": "new"}, "owner": "o1"}, [{"owner": "o1"}]),
        ({"state": ["new"], "owner": "o1"}, [{"owner": "o1"}]),
        ({"owner": {"$in": ["o1"]}, "state": "new"}, [{"owner": {"$in": ["o1"]}}]),
        ({"state": "new", "size": 3}, [{"state": "new", "size": 3}]),
        ({"owner": {"$eq": "o1"}}, [{"owner": "o1"}]),
        ({"_id": {"$eq": 1}, "state": "new"}, [{"_id": 1}]),
        ({"_id": {"$ne": 1}, "owner": "o1"}, [{"owner": "o1"}]),
        ({"_id": {"$ne": 1}}, [{"_id": {"$ne": 1}}]),
    ],
)
def test_what_is_looked_up_and_what_is_held_to_the_whole_filter(
    filter: Row, looked_up: list[Row], rows: Collection[Row]
) -> None:
    assert alternatives(filter, [["owner", "state"]], lambda _: False) == looked_up
    everything = [row for row in rows.find({}) if _meets(row, filter)]
    assert sorted(map(str, rows.find(filter))) == sorted(map(str, everything))


@pytest.mark.parametrize(
    ("few", "looked_up"),
    [
        (["sha"], {"owner": "o1", "sha": "s3"}),
        (["sha", "state"], {"owner": "o1", "scope": "all", "state": {"$in": ["new"]}}),
        ([], {"owner": "o1", "scope": "all", "state": {"$in": ["new"]}}),
    ],
)
def test_an_index_that_leads_to_few_is_taken_instead_of_a_longer_one(few: list[str], looked_up: Row) -> None:
    filter: Row = {"owner": "o1", "scope": "all", "sha": "s3", "state": {"$in": ["new"]}}
    keys = [["owner", "scope", "state"], ["owner", "sha"], ["owner"]]
    assert alternatives(filter, keys, lambda part: any(each in part for each in few)) == [looked_up]


def test_what_one_of_two_indexes_knows_to_be_rare_is_found_among_many(rows: Collection[Row]) -> None:
    kept = rows.database["rare"]
    kept.create_index([("owner", 1), ("scope", 1), ("state", 1)])
    kept.create_index([("owner", 1), ("sha", 1)])
    kept.insert_many(
        [{"_id": n, "owner": "o", "scope": "all", "state": "new", "sha": f"s{n // 2}"} for n in range(100)]
    )
    rare: Row = {"owner": "o", "scope": "all", "state": {"$in": ["new", "old"]}}
    assert [row["_id"] for row in kept.find({**rare, "sha": "s7"}, sort=[("_id", 1)])] == [14, 15]
    assert list(kept.find({**rare, "sha": "none"})) == []
    assert len(list(kept.find(rare))) == 100


def test_a_condition_beside_the_id_is_kept(rows: Collection[Row]) -> None:
    def change(filter: Row) -> Row | None:
        return rows.find_one_and_update(filter, {"$set": {"seen": True}}, return_document=ReturnDocument.AFTER)

    assert change({"_id": 1, "state": "old"}) is None
    changed = change({"_id": 1, "state": "new"})
    assert changed
    assert changed["seen"]
    assert rows.update_one({"_id": 2, "$nor": [{"state": "old"}]}, {"$set": {"seen": True}}).modified_count == 0
    assert rows.delete_many({"owner": "o0", "$or": [{"state": "none"}]}).deleted_count == 0


def _meets(row: Row, filter: Row) -> bool:
    wanted: dict[str, Any] = dict(filter)
    every, either = wanted.pop("$and", []), wanted.pop("$or", [])
    return (
        all(_is(row[name], clause) for name, clause in wanted.items())
        and all(_meets(row, part) for part in every)
        and (not either or any(_meets(row, part) for part in either))
    )


def _is(value: Any, clause: object) -> bool:
    if not isinstance(clause, dict):
        return bool(value == clause)
    ((operator, given),) = clause.items()
    if operator == "$in":
        return value in given
    if operator == "$gt":
        return bool(value > given)
    return bool(value == given) if operator == "$eq" else bool(value != given)


def test_what_is_written_while_an_index_is_made_or_dropped_is_found_by_it(rows: Collection[Row]) -> None:
    kept = rows.database["written"]

    def write(place: int) -> None:
        for number in range(60):
            colours: object = ["red", "blue"] if number % 10 == 9 else "red"
            kept.insert_one({"_id": f"{place}.{number}", "colour": colours, "place": place})
            kept.update_one({"_id": f"{place}.{number}"}, {"$set": {"size": number}})

    with ThreadPoolExecutor(4) as threads:
        for written in [threads.submit(write, place) for place in range(4)]:
            while not written.done():
                kept.create_index([("colour", 1), ("size", 1)])
                kept.create_index([("place", 1)])
                kept.drop_index([("place", 1)])
            written.result()
    kept.create_index([("place", 1)])
    assert kept.count_documents({"colour": "red"}) == len(list(kept.find({"colour": "red"}))) == 240
    assert len(list(kept.find({"colour": "blue"}))) == 24
    assert [len(list(kept.find({"colour": "red", "size": number}))) for number in range(60)] == [4] * 60
    assert [len(list(kept.find({"place": place}))) for place in range(4)] == [60] * 4


def test_a_list_in_an_indexed_field_is_found_by_each_of_its_values(rows: Collection[Row]) -> None:
    kept = rows.database["lists"]
    kept.create_index([("names", 1)])
    kept.insert_many([{"_id": 1, "names": "a"}, {"_id": 2, "names": ["a", "b"]}, {"_id": 3, "names": "b"}])
    assert [row["_id"] for row in kept.find({"names": "a"}, sort=[("_id", 1)])] == [1, 2]
    assert [row["_id"] for row in kept.find({"names": "b"}, sort=[("_id", 1)])] == [2, 3]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("lists", [False, True], ids=["plain", "with lists"])
def test_the_first_few_by_an_index_are_those_that_sorting_all_gives(
    direction: int, lists: bool, rows: Collection[Row]
) -> None:
    kept = rows.database[f"ordered{direction}{lists}"]
    kept.create_index([("owner", 1), ("kind", 1), ("at.changed", 1)])
    drawn = random.Random(5)
    times: list[object] = [None, *range(6), 2.5, "late"]
    many = [{"_id": n, "owner": "ada", "kind": "kn"[n % 2], "at": {"changed": drawn.choice(times)}} for n in range(80)]
    del many[7]["at"]
    if lists:
        many[9]["at"] = {"changed": [1, 5]}
    kept.insert_many([*many, {"_id": 99, "owner": "bob", "kind": "k", "at": {"changed": 9}}])
    by: list[tuple[str, int]] = [("at.changed", direction), ("_id", -direction)]
    every = list(kept.find({"owner": "ada", "kind": "k"}, sort=by))
    assert len(every) == 40
    for limit in (1, 2, 5, 39, 40, 50):
        assert list(kept.find({"owner": "ada", "kind": "k"}, sort=by, limit=limit)) == every[:limit]
    (only,) = kept.find({"kind": "k", "owner": "ada"}, {"at.changed": 1}, sort=by, limit=1)
    assert only == {"_id": every[0]["_id"], "at": every[0]["at"]}
    assert list(kept.find({"owner": "eve", "kind": "k"}, sort=by, limit=1)) == []


def test_a_text_is_found_by_a_list_of_texts_as_by_any_other_list(rows: Collection[Row]) -> None:
    kept = rows.database["in_lists"]
    values: list[object] = ["a", "b", "A", 1, 1.0, None, ["a", "c"], [], ["b"], {"a": 1}]
    kept.insert_many([{"_id": n, "value": value} for n, value in enumerate(values)] + [{"_id": "none"}])
    wanted: list[list[object]] = [["a"], ["c", "b"], ["x"], [], ["a", 1], [None, "a"], [["a", "c"]]]
    for listed in wanted:
        either = {"$or": [{"value": each} for each in listed]} if listed else {"_id": "nobody"}
        found = {str(row["_id"]) for row in kept.find({"value": {"$in": listed}})}
        assert found == {str(row["_id"]) for row in kept.find(either)}, listed


RESIDUES: list[Row] = [
    {"size": 3},
    {"size": {"$in": [1, 3]}},
    {"$or": [{"size": 2}, {"at": {"$lte": 9}}]},
    {"at": {"$gt": 40}},
    {"size": {"$gt": 9}},
    {"size": None},
]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("residue", RESIDUES, ids=str)
def test_the_first_few_that_meet_a_condition_beside_an_index_are_those_that_sorting_all_gives(
    direction: int, residue: Row, rows: Collection[Row]
) -> None:
    kept = rows.database[f"held{direction}{RESIDUES.index(residue)}"]
    kept.create_index([("state", 1), ("at", 1)])
    kept.insert_many([{"_id": n, "state": "ab"[n % 2], "at": n // 3, "size": n % 5} for n in range(400)])
    by = [("at", direction), ("_id", 1)]
    every = list(kept.find({"state": "a", **residue}, sort=by))
    for limit in (1, 7, 500):
        assert list(kept.find({"state": "a", **residue}, sort=by, limit=limit)) == every[:limit]
    taken = kept.find_one_and_update({"state": "a", **residue}, {"$set": {"state": "c"}}, sort=by)
    assert taken == (every[0] if every else None)


def test_what_is_only_counted_is_counted_by_an_index_as_it_would_be_found(rows: Collection[Row]) -> None:
    kept = rows.database["counted"]
    kept.create_index([("owner", 1), ("number", 1)], unique=True)
    kept.create_index([("state", 1), ("at", -1)])
    kept.create_index([("size", 1)])
    kept.create_index([("names", 1)])
    states = ("new", "old", None)
    kept.insert_many(
        [
            {"_id": n, "owner": "ab"[n % 2], "number": n, "state": states[n % 3], "at": n, "size": n % 4, "names": "x"}
            for n in range(60)
        ]
    )
    kept.insert_many([{"_id": "none", "owner": "c"}, {"_id": "lists", "owner": "d", "size": [1, 1.0, 2], "names": [1]}])
    kept.delete_one({"_id": 3})
    kept.update_one({"_id": 5}, {"$set": {"size": 7}})
    filters: list[Row] = [
        {"owner": "a"}, {"owner": "z"}, {"owner": "a", "number": 4}, {"number": 4, "owner": "a"}, {"state": "new"},
        {"state": None}, {"state": "old", "at": 1}, {"size": 1}, {"size": 7.0}, {"names": "x"}, {"names": [1]},
        {"owner": "a", "state": "new"}, {"owner": {"$in": ["a", "b"]}}, {},
    ]  # fmt: skip
    for filter in filters:
        assert kept.count_documents(filter) == len(list(kept.find(filter))), filter
    assert kept.count_documents({"owner": "a"}, limit=5) == 5
    by_owner = list(kept.aggregate([{"$match": {"owner": "a"}}, {"$group": {"_id": "$owner", "n": {"$sum": 1}}}]))
    assert by_owner == [{"_id": "a", "n": 30}]


@pytest.mark.parametrize(
    ("pipeline", "counts"),
    [
        ([{"$match": {"a": 1}}, {"$group": {"_id": 1, "n": {"$sum": 1}}}], True),
        ([{"$match": {"a": 1}}, {"$group": {"_id": "$a", "n": {"$sum": 1}}}], False),
        ([{"$match": {"a": 1}}, {"$group": {"_id": 1, "n": {"$sum": "$a"}}}], False),
        ([{"$match": {"a": 1}}, {"$limit": 3}, {"$group": {"_id": 1, "n": {"$sum": 1}}}], False),
        ([{"$group": {"_id": 1, "n": {"$sum": 1}}}], False),
    ],
)
def test_what_only_counts(pipeline: list[Row], counts: bool) -> None:
    assert is_count({"aggregate": "rows", "pipeline": pipeline}) is counts


def test_what_a_collection_demands_is_held_to_from_when_it_is_said(rows: Collection[Row]) -> None:
    database = rows.database
    database["strict"].insert_one({"_id": 1})
    rule = {"size": {"$gt": 5}}
    for validator, allowed in ((rule, False), ({}, True), (rule, False)):
        database.command("collMod", "strict", validator=validator)
        for _ in range(2):
            with nullcontext() if allowed else pytest.raises(WriteError):
                database["strict"].insert_one({"size": 3})
    database.drop_collection("strict")
    database["strict"].insert_one({"size": 3})
    database.create_collection("seen", viewOn="strict", pipeline=[{"$match": {"size": 3}}])
    assert [row["size"] for row in database["seen"].find()] == [3]


def test_commands_are_written_down_for_as_long_as_that_is_asked_for(rows: Collection[Row]) -> None:
    database = rows.database.client["profiled"]
    for level, expected in ((0, 0), (2, 3), (0, 3)):
        database.command("profile", level)
        for _ in range(3):
            database["some"].find_one({"_id": 1})
        written = [row for row in database["system.profile"].find({"op": "query"}) if row["ns"] == "profiled.some"]
        assert len(written) == expected
