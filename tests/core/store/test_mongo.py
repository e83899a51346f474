"""Tests details of the MongoDB adapter: query translation, and servers with limited features."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator

import pytest

from core.errors import PalimpsestError
from core.store.filters import parse
from core.store.mongo import MongoTruth
from core.store.mongo_query import beyond, translate
from core.store.truth import Change, DuplicateError, Filter, Unique, Update, Upsert
from tests.mongodb import SERVER, free_port, running_mongodb


@pytest.mark.parametrize(
    ("filter", "query"),
    [
        ({}, {}),
        ({"a": 1}, {"a": 1}),
        ({"a": {"$in": (1, 2)}}, {"a": {"$in": [1, 2]}}),
        ({"a": {"$gt": 1, "$lt": 2}}, {"a": {"$gt": 1}, "$and": [{"a": {"$lt": 2}}]}),
        ({"a": 1, "_id": "x"}, {"_id": "x", "a": 1}),
        (
            {"a": 1, "$and": [{"a": {"$ne": 2}}, {"a": {"$ne": 3}}]},
            {"a": 1, "$and": [{"a": {"$ne": 2}}, {"a": {"$ne": 3}}]},
        ),
        (
            {"$or": [{"a": 1}, {"a": 2}], "$and": [{"$or": [{"b": 1, "c": 2}, {"b": 3}]}]},
            {"$or": [{"a": 1}, {"a": 2}], "$and": [{"$or": [{"b": 1, "c": 2}, {"b": 3}]}]},
        ),
        ({"$or": [{"a": 1}, {}]}, {"$or": [{"a": 1}, {}]}),
    ],
)
def test_translate(filter: Filter, query: dict[str, object]) -> None:
    assert translate(parse(filter)) == query


def test_a_page_starts_after_the_types_that_mongodb_would_not_compare() -> None:
    assert beyond([("n", 1), ("_id", 1)], {"_id": "x", "n": 2}) == {
        "$or": [
            {
                "$and": [
                    {
                        "$or": [
                            {"n": {"$gt": 2}},
                            {"n": {"$type": "string"}},
                            {"n": {"$type": ["object", "array"]}},
                            {"n": {"$type": "bool"}},
                        ]
                    }
                ]
            },
            {
                "$and": [
                    {"n": 2},
                    {"$or": [{"_id": {"$gt": "x"}}, *({"_id": {"$type": t}} for t in (["object", "array"], "bool"))]},
                ]
            },
        ]
    }


async def test_a_server_that_is_not_there_is_named() -> None:
    truth = MongoTruth(f"mongodb://127.0.0.1:{free_port()}", "test", seconds=0.2)
    with pytest.raises(PalimpsestError) as caught:
        await truth.start()
    assert caught.value.problem.category == "connection"
    assert "MONGODB_URI" in caught.value.problem.why.en
    await truth.stop()


@pytest.fixture(scope="module")
def single_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a MongoDB server outside a replica set, which has no transactions."""
    if not SERVER.exists() and not sys.platform.startswith("linux"):
        pytest.skip("the test server for MongoDB is packaged for Linux alone")
    with running_mongodb(tmp_path_factory.mktemp("mongodb"), "--standalone") as uri:
        yield uri


@pytest.fixture
async def truth(single_node: str) -> AsyncIterator[MongoTruth]:
    truth = MongoTruth(single_node, "test")
    await truth.start()
    yield truth
    await truth.stop()


async def test_without_transactions_an_insert_is_still_all_or_none(truth: MongoTruth) -> None:
    items = truth.collection("items")
    await items.ensure(unique=[Unique(("key",))])
    await items.insert_many([{"_id": "1", "key": 1}])
    with pytest.raises(DuplicateError):
        await items.insert_many([{"_id": "2", "key": 2}, {"_id": "3", "key": 1}, {"_id": "4", "key": 4}])
    assert await items.find() == [{"_id": "1", "key": 1}]


async def test_without_transactions_a_bulk_stops_at_the_first_that_fails(truth: MongoTruth) -> None:
    items = truth.collection("ordered")
    await items.insert_many([{"_id": "1", "n": "text"}])
    with pytest.raises(ValueError, match="n"):
        await items.bulk([Upsert({"_id": "2"}), Update("1", Change(inc={"n": 1})), Upsert({"_id": "3"})])
    assert [document["_id"] for document in await items.find()] == ["1", "2"]
