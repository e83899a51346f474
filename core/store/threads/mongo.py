"""Reads and writes threads in the collections of LangGraph's checkpointer for MongoDB."""

from __future__ import annotations

from typing import Any

from core.store.checkpoints import serializer
from core.store.mongo import WRITE_FACTOR, MongoTruth
from core.store.threads.stored import StoredCheckpoint, StoredThread, StoredWrite


class MongoThreads:
    """``ThreadStore`` in the collections of LangGraph's checkpointer for MongoDB, which has created their indexes."""

    def __init__(self, truth: MongoTruth) -> None:
        self._truth = truth
        self._serde = serializer()

    async def following(self, id: str) -> StoredThread | None:
        from langgraph.checkpoint.mongodb.utils import loads_metadata

        async with self._truth.bounded(WRITE_FACTOR):
            later = {"thread_id": {"$gt": id}}
            first = await self._checkpoints.find_one(later, {"thread_id": 1}, sort=[("thread_id", 1)])
            if first is None:
                return None
            thread = str(first["thread_id"])
            checkpoints = await self._checkpoints.find({"thread_id": thread}).to_list()
            writes = await self._writes.find({"thread_id": thread}).to_list()
        kept = [
            StoredCheckpoint(
                each["checkpoint_ns"], each["checkpoint_id"], each["parent_checkpoint_id"], each["type"],
                bytes(each["checkpoint"]), dict(loads_metadata(self._serde, each["metadata"])),
            )
            for each in checkpoints
        ]  # fmt: skip
        written = [
            StoredWrite(
                each["checkpoint_ns"], each["checkpoint_id"], each["task_id"], each["idx"], each.get("task_path", ""),
                each["channel"], each["type"], bytes(each["value"]),
            )
            for each in writes
        ]  # fmt: skip
        return StoredThread(
            thread,
            tuple(sorted(kept, key=lambda each: (each.namespace, each.id))),
            tuple(sorted(written, key=lambda each: (each.namespace, each.checkpoint, each.task, each.number))),
        )

    async def replace(self, thread: StoredThread) -> None:
        """Replace a thread. Its writes are stored first, so a visible thread is complete, except after a crash in the
        middle; then it is replaced again."""
        from langgraph.checkpoint.mongodb.utils import dumps_metadata

        await self.delete(thread.id)
        checkpoints = [
            {
                "thread_id": thread.id, "checkpoint_ns": each.namespace, "checkpoint_id": each.id,
                "parent_checkpoint_id": each.parent, "type": each.kind, "checkpoint": each.value,
                "metadata": dumps_metadata(self._serde, each.metadata),
            }
            for each in thread.checkpoints
        ]  # fmt: skip
        writes = [
            {
                "thread_id": thread.id, "checkpoint_ns": each.namespace, "checkpoint_id": each.checkpoint,
                "task_id": each.task, "task_path": each.path, "idx": each.number, "channel": each.channel,
                "type": each.kind, "value": each.value,
            }
            for each in thread.writes
        ]  # fmt: skip
        async with self._truth.bounded(WRITE_FACTOR):
            if writes:
                await self._writes.insert_many(writes)
            if checkpoints:
                await self._checkpoints.insert_many(checkpoints)

    async def delete(self, id: str) -> None:
        async with self._truth.bounded(WRITE_FACTOR):
            await self._checkpoints.delete_many({"thread_id": id})
            await self._writes.delete_many({"thread_id": id})

    @property
    def _checkpoints(self) -> Any:
        return self._truth.database["checkpoints"]

    @property
    def _writes(self) -> Any:
        return self._truth.database["checkpoint_writes"]
