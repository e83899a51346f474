"""Tests how error replies of MongoDB servers are handled, by their documented codes. Also tests the requests: read and
write concerns, transaction numbers, shard keys."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.errors import PalimpsestError
from core.store.clusters.sharding import SHARD_KEYS
from core.store.mongo import MongoTruth
from core.store.truth import Change, DuplicateError, Upsert
from tests.servers.mongodb_wire import SILENCE, Document, MongoWire, error

NOT_PRIMARY = {10107: "NotWritablePrimary", 189: "PrimarySteppedDown", 91: "ShutdownInProgress"}
RETRY = "RetryableWriteError"
CHANGE = Change(set={"n": 1})


async def started(server: MongoWire, seconds: float = 5.0) -> MongoTruth:
    truth = MongoTruth(server.uri, "test", seconds)
    await truth.start()
    return truth


@pytest.mark.parametrize("code", NOT_PRIMARY)
async def test_a_write_that_meets_a_change_of_the_primary_is_sent_again_under_its_number(code: int) -> None:
    answers = {"findAndModify": [error(code, NOT_PRIMARY[code], RETRY), {"ok": 1, "value": {"_id": "1", "n": 1}}]}
    async with MongoWire(answers=answers) as server:
        truth = await started(server)
        assert await truth.collection("items").update("1", CHANGE) == {"_id": "1", "n": 1}
        first, again = server.commands("findAndModify")
        assert (first["lsid"], first["txnNumber"]) == (again["lsid"], again["txnNumber"])
        await truth.stop()


@pytest.mark.parametrize("code", NOT_PRIMARY)
async def test_where_no_member_takes_the_lead_the_truth_is_not_to_be_reached(code: int) -> None:
    answers = {name: [error(code, NOT_PRIMARY[code], RETRY)] * 10_000 for name in ("findAndModify", "find")}
    async with MongoWire(answers=answers) as server:
        truth = await started(server, 0.3)
        for call in (truth.collection("items").get("1"), truth.collection("items").update("1", CHANGE)):
            with pytest.raises(PalimpsestError) as raised:
                await call
            assert raised.value.problem.category in ("connection", "timeout")
        await truth.stop()


async def test_a_server_that_says_nothing_is_too_slow() -> None:
    async with MongoWire(answers={"find": [SILENCE] * 9}) as server:
        truth = await started(server, 0.3)
        with pytest.raises(PalimpsestError) as raised:
            await truth.collection("items").get("1")
        assert raised.value.problem.category == "timeout"
        await truth.stop()


@pytest.mark.parametrize(
    ("answer", "category"),
    [
        (error(50, "MaxTimeMSExpired"), "timeout"),
        (error(13, "Unauthorized"), "auth"),
        (error(18, "AuthenticationFailed"), "auth"),
        (error(8000, "AtlasError"), "server"),
    ],
)
async def test_an_answer_is_said_as_what_it_means(answer: Document, category: str) -> None:
    async with MongoWire(answers={"find": [answer]}) as server:
        truth = await started(server)
        with pytest.raises(PalimpsestError) as raised:
            await truth.collection("items").get("1")
        assert raised.value.problem.category == category
        await truth.stop()


def refused_at(index: int, code: int = 11000) -> Document:
    refused = {"index": index, "code": code, "errmsg": "E11000 duplicate key error collection: test.items"}
    return {"ok": 1, "n": index, "nModified": 0, "writeErrors": [refused]}


async def test_a_duplicate_key_in_a_batch_takes_all_of_it_back() -> None:
    async with MongoWire(answers={"insert": [refused_at(1)]}) as server:
        truth = await started(server)
        with pytest.raises(DuplicateError, match="E11000"):
            await truth.collection("items").insert_many([{"_id": "1"}, {"_id": "2"}, {"_id": "3"}])
        [command] = server.commands("insert")
        assert command["startTransaction"]
        assert len(server.commands("abortTransaction")) == 1
        assert not server.commands("commitTransaction")
        await truth.stop()


async def test_a_duplicate_key_among_writes_of_several_kinds_is_one_too() -> None:
    async with MongoWire(answers={"update": [refused_at(0)]}) as server:
        truth = await started(server)
        with pytest.raises(DuplicateError):
            await truth.collection("items").bulk([Upsert({"_id": "1"}), Upsert({"_id": "2"})])
        await truth.stop()


async def test_a_write_that_most_members_did_not_confirm_in_time_is_not_done() -> None:
    late = {"code": 64, "codeName": "WriteConcernTimeout", "errmsg": "waiting for replication timed out"}
    async with MongoWire(answers={"delete": [{"ok": 1, "n": 1, "writeConcernError": late}]}) as server:
        truth = await started(server)
        with pytest.raises(PalimpsestError) as raised:
            await truth.collection("items").delete({"_id": "1"})
        assert raised.value.problem.category in ("timeout", "server")
        await truth.stop()


async def test_reads_see_and_writes_wait_for_what_most_members_have() -> None:
    async with MongoWire() as server:
        truth = await started(server)
        items = truth.collection("items")
        await items.get("1")
        await items.delete({"_id": "1"})
        await items.insert_many([{"_id": "1"}])
        await items.insert_many([{"_id": "2"}, {"_id": "3"}])
        most = {"w": "majority", "j": True}
        assert server.commands("find")[0]["readConcern"]["level"] == "majority"
        assert server.commands("delete")[0]["writeConcern"] == most
        alone, together = server.commands("insert")
        assert alone["writeConcern"] == most
        assert "txnNumber" in alone
        assert together["readConcern"]["level"] == "majority"
        assert together["startTransaction"]
        assert server.commands("commitTransaction")[0]["writeConcern"].items() >= most.items()
        await truth.stop()


async def test_what_need_not_be_whole_is_written_without_a_transaction_that_could_outlive_its_writer() -> None:
    async with MongoWire() as server:
        truth = await started(server)
        items = truth.collection("items")
        await items.insert_many([{"_id": "2"}, {"_id": "3"}], whole=False)
        await items.bulk([Upsert({"_id": "4"}), Upsert({"_id": "5"})], whole=False)
        written = [*server.commands("insert"), *server.commands("update")]
        assert len(written) == 2
        assert not any("startTransaction" in command for command in written)
        await truth.stop()


async def test_a_cluster_is_asked_to_divide_what_grows_with_people() -> None:
    """The index on the shard key is created first: a collection with documents cannot be sharded without it."""
    async with MongoWire(sharded=True) as server:
        truth = await started(server)
        asked = {command["shardCollection"]: command["key"] for command in server.commands("shardCollection")}
        assert asked == {f"test.{name}": dict.fromkeys(fields, 1) for name, fields in SHARD_KEYS.items()}
        names = [next(iter(command)) for command in server.seen]
        assert names[:2] == ["createIndexes", "shardCollection"]
        await truth.stop()


@pytest.mark.parametrize(
    ("answers", "tried"),
    [([error(13, "Unauthorized")], 1), ([error(23, "AlreadyInitialized")] * len(SHARD_KEYS), len(SHARD_KEYS))],
    ids=["may not", "divided otherwise"],
)
async def test_a_cluster_that_refuses_is_worked_with_as_it_is(answers: Sequence[Document], tried: int) -> None:
    async with MongoWire(sharded=True, answers={"shardCollection": answers}) as server:
        truth = await started(server)
        assert len(server.commands("shardCollection")) == tried
        assert await truth.collection("items").get("1") is None
        await truth.stop()


async def test_a_new_document_says_where_it_goes() -> None:
    """A sharded collection accepts no upsert without its shard key."""
    async with MongoWire(sharded=True) as server:
        truth = await started(server)
        await truth.collection("items").upsert({"_id": "1", "user_id": "ada"}, where={"user_id": "ada"})
        await truth.collection("run_events").bulk([Upsert({"_id": "r:1", "run_id": "r", "sequence": 1})])
        await truth.collection("jobs").upsert({"_id": "1"})
        item, event, job = (command["updates"][0]["q"] for command in server.commands("update"))
        assert item.items() >= {"_id": "1", "user_id": {"$eq": "ada"}}.items()
        assert event == {"_id": "r:1", "run_id": {"$eq": "r"}, "sequence": {"$eq": 1}}
        assert job == {"_id": "1"}
        await truth.stop()


async def test_a_replica_set_is_not_asked_to_divide_anything() -> None:
    async with MongoWire() as server:
        truth = await started(server)
        assert not server.seen
        await truth.stop()
