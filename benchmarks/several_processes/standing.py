"""Reads the record store and the index directly, and finds accepted work that is lost, incomplete or doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
from pymongo import MongoClient

INDEX = "memories_v1"
AT_ONCE = 10_000
"""Number of index points per reply."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Standing:
    """The state of the stores: rows of the record store, and the ids of the items whose points are in the index.
    ``ends`` contains a run's id once for each time that the run reported its end."""

    documents: list[Row] = field(default_factory=list)
    items: list[Row] = field(default_factory=list)
    runs: list[Row] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)
    jobs: list[Row] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    points: frozenset[str] = frozenset()

    @property
    def at_rest(self) -> bool:
        """Returns whether no work is left."""
        return not self.unfinished

    @property
    def awaited(self) -> list[Row]:
        """Returns runs that a user waits for. If a file was uploaded again at another server, its first run is not
        included: no document refers to it, and maintenance ends it."""
        named = {each["run_id"] for each in self.documents}
        return [run for run in self.runs if run["kind"] == "question" or run["_id"] in named]

    @property
    def unfinished(self) -> list[str]:
        """Returns work that is in progress or waiting."""
        open_jobs = [job for job in self.jobs if job["state"] in ("pending", "processing")]
        ready = [each for each in self.documents if each["state"] == "completed"]
        return [
            *(f"job {job['_id']} is {job['state']}, attempt {job['attempts']}" for job in open_jobs),
            *(f"{run['_id']} is running" for run in self.awaited if run["state"] == "running"),
            *(f"{item['_id']} is not indexed yet" for item in self.items if not item["indexed"]),
            *(f"{each['filename']} has not all vectors yet" for each in ready if each["embedded"] < each["chunks"]),
        ]

    @property
    def begun_anew(self) -> int:
        """Returns jobs that were started again because their process was lost."""
        return sum(job["attempts"] > 1 for job in self.jobs)

    @property
    def interrupted(self) -> int:
        """Returns answers that were interrupted because their process was lost."""
        return sum(run["outcome"] == "interrupted" for run in self.awaited)


@dataclass(frozen=True)
class Faults:
    """Descriptions of all faults; empty if there are none."""

    lost: list[str]
    half: list[str]
    doubled: list[str]

    def __bool__(self) -> bool:
        return bool(self.lost or self.half or self.doubled)


def faults(standing: Standing, files: Collection[str], runs: Collection[str]) -> Faults:
    """Finds the faults after all work has ended; ``files`` (names) and ``runs`` (ids of questions) are the accepted
    work."""
    return Faults(
        list(_lost(standing, files, runs)), list(_half(standing)), [*_doubled_answers(standing), *_doubled(standing)]
    )


def _lost(standing: Standing, files: Collection[str], runs: Collection[str]) -> Iterator[str]:
    read = {each["filename"] for each in standing.documents if each["state"] == "completed"}
    settled = {run["_id"] for run in standing.runs if run["state"] in ("ended", "waiting")}
    yield from (f"file {each}" for each in sorted(set(files) - read))
    yield from (f"answer {each}" for each in sorted(set(runs) - settled))


def _half(standing: Standing) -> Iterator[str]:
    passages = Counter(item["document_id"] for item in standing.items if item["tier"] == "books")
    for each in standing.documents:
        counts = passages[each["_id"]], each["chunks"], each["embedded"]
        if each["state"] != "completed" or len({*counts}) > 1 or not each["chunks"]:
            yield f"{each['filename']} is {each['state']}: passages, as told, with vectors: {counts}{_why(each)}"
    ids = {item["_id"] for item in standing.items}
    yield from (f"{each} is not in the index" for each in sorted(ids - standing.points))
    yield from (f"{each} is only in the index" for each in sorted(standing.points - ids))
    known = {each["_id"] for each in standing.documents}
    yield from (f"document of {each} is gone" for each in sorted(set(passages) - known))
    ended = [run["_id"] for run in standing.runs if run["state"] == "ended"]
    yield from (f"{each} has ended without reporting it" for each in sorted(set(ended) - set(standing.ends)))
    yield from (f"{run['_id']} goes on" for run in standing.awaited if run["state"] == "running")
    yield from (f"job {job['_id']} is {job['state']}" for job in standing.jobs if job["state"] != "completed")


def _why(document: Row) -> str:
    problem = document.get("problem")
    return f" ({problem['what']['en']} {problem['why']['en']})" if problem else ""


def _doubled_answers(standing: Standing) -> Iterator[str]:
    answers = [each["run_id"] for each in standing.messages if each["role"] == "assistant"]
    yield from (f"{each} is answered {count} times" for each, count in _often(answers))
    yield from (f"{each} has {count} ends" for each, count in _often(standing.ends))


def _doubled(standing: Standing) -> Iterator[str]:
    names = [each["filename"] for each in standing.documents]
    yield from (f"file {each} is there {count} times" for each, count in _often(names))
    places = [
        f"passage {item['source']['book']['chunk_index']} of {item['document_id']}"
        for item in standing.items
        if item["tier"] == "books"
    ]
    yield from (f"{each} is there {count} times" for each, count in _often(places))


def _often(values: list[str]) -> Iterator[tuple[str, int]]:
    return ((value, count) for value, count in Counter(values).items() if count > 1)


class Records:
    """Reads records directly from the store, so that no read goes through a part that was struck."""

    def __init__(self, mongodb: str, qdrant: str, database: str) -> None:
        self._client = MongoClient[Row](mongodb)
        self._truth = self._client[database]
        self._index = httpx.Client(base_url=qdrant, timeout=60)

    def whole(self) -> int:
        """Returns documents that are ready, with as many vectors as passages."""
        ready = {"state": "completed", "chunks": {"$gt": 0}, "$expr": {"$eq": ["$chunks", "$embedded"]}}
        return self._truth["documents"].count_documents(ready)

    def begun_again(self) -> int:
        return self._truth["jobs"].count_documents({"attempts": {"$gt": 1}})

    def missing_points(self) -> int:
        """Returns passages whose number of points in the index differs from that in the record store."""
        reply = self._index.post(f"/collections/{INDEX}/points/count", json={"exact": True}).json()
        return abs(self._truth["items"].count_documents({}) - int(reply["result"]["count"]))

    def unfinished(self) -> list[str]:
        """Like ``Standing.unfinished``, but reads few rows, so that frequent checks do not disturb the measurement."""
        runs = self._rows("runs", {"state": "running"})
        lacking = {"state": "completed", "$expr": {"$lt": ["$embedded", "$chunks"]}}
        named = {"run_id": {"$in": [run["_id"] for run in runs]}}
        return Standing(
            documents=[*self._rows("documents", lacking), *self._rows("documents", named)],
            items=self._rows("items", {"indexed": False}),
            runs=runs,
            jobs=self._rows("jobs", {"state": {"$in": ["pending", "processing"]}}),
        ).unfinished

    def _rows(self, name: str, which: Row) -> list[Row]:
        return list(self._truth[name].find(which))

    def standing(self) -> Standing:
        def rows(name: str) -> list[Row]:
            return self._rows(name, {})

        ended = self._truth["run_events"].find({"event.type": "run.completed"}, {"run_id": 1})
        return Standing(
            rows("documents"),
            rows("items"),
            rows("runs"),
            rows("messages"),
            rows("jobs"),
            [str(row["run_id"]) for row in ended],
            frozenset(self._points()),
        )

    def _points(self) -> Iterator[str]:
        asked: Row = {"limit": AT_ONCE, "with_payload": False, "with_vector": False}
        while True:
            found = self._index.post(f"/collections/{INDEX}/points/scroll", json=asked).json()["result"]
            yield from (f"mem_{UUID(str(point['id'])).hex}" for point in found["points"])
            if found.get("next_page_offset") is None:
                return
            asked["offset"] = found["next_page_offset"]

    def forget(self) -> None:
        self._client.drop_database(self._truth.name)

    def close(self) -> None:
        self._client.close()
        self._index.close()
