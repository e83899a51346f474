"""Defines the shard keys of a sharded cluster: *a collection's name* → its shard key.

Collections that do not grow with the number of users are small and stay on one shard. User records are sharded by
owner, because every query names one, and then by ``_id``, so one user's records may be on several shards. Run events
are sharded by their run, by which they are read and unique. Original files and checkpoints are set up by the modules
that create them, with the key that they are read by.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pymongo.asynchronous.database import AsyncDatabase
from pymongo.errors import OperationFailure

from core.store.truth import Json

log = logging.getLogger(__name__)

_BY_OWNER = ("user_id", "_id")
_CHECKPOINT = ("thread_id", "checkpoint_ns", "checkpoint_id")
SHARD_KEYS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "items",
            "memory_answers",
            "memory_lessons",
            "memory_outcomes",
            "memory_transitions",
            "memory_versions",
            "documents",
            "outlines",
            "tables",
            "document_figures",
            "figure_labels",
            "datasets",
            "dataset_files",
            "dataset_corrections",
            "knowledge_concepts",
            "knowledge_mentions",
            "conversations",
            "messages",
            "runs",
        ),
        _BY_OWNER,
    ),
    "run_events": ("run_id", "sequence"),
    "files.chunks": ("files_id", "n"),
    "checkpoints": _CHECKPOINT,
    "checkpoint_writes": _CHECKPOINT,
}
_REFUSED = 13


async def shard(database: AsyncDatabase[Json]) -> None:
    """Ask a cluster to shard the collections; those already sharded are not changed.

    If the workbench lacks permission (it needs the role ``clusterManager``), a log message says so, and an
    administrator can do it.
    """
    for name, fields in SHARD_KEYS.items():
        key = dict.fromkeys(fields, 1)
        namespace = f"{database.name}.{name}"
        try:
            await database[name].create_index(list(key.items()))
            await database.client.admin.command({"shardCollection": namespace, "key": key})
        except OperationFailure as error:
            if error.code == _REFUSED:
                log.warning("this account may not shard collections; see docs/server.md, 'MongoDB': %s", error)
                return
            log.warning("%s is not sharded by %s: %s", namespace, ", ".join(fields), error)
