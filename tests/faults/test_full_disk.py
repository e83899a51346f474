"""Tests a full disk, simulated in three ways: refusals have clear messages, deleting works, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.mongodb import free_port
from tests.servers.forked import forked
from tests.servers.small_disk import MEGABYTE, SmallDisk, small_disk
from tests.servers.workbench import serve
from tests.service.house import POLICY, long_text, until

ROOT = Path(__file__).parents[2]
LOW = 160 * MEGABYTE
LEAST = LOW // 2
WATER = "How many cubic metres of water does reservoir 3 hold?"
HOTEL = "What is a night in a hotel in Haifa reimbursed up to?"


class Served:
    """One run of a workbench on a small disk."""

    def __init__(self, disk: SmallDisk, log: Path) -> None:
        self.disk, self.log, self.port = disk, log, free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PALIMPSEST_")}
        given = {"HOME": str(disk.home), "PORT": str(self.port), "LIMITS__DISK_LOW_BYTES": str(LOW)}
        environment |= {f"PALIMPSEST_{name}": value for name, value in given.items()} | disk.environment
        environment["PALIMPSEST_DENSE_ENABLED"] = "false"
        self.process = forked(serve, environment, ROOT, log, False)
        self.process.start()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60)

    async def ready(self) -> Served:
        async def answers() -> bool:
            assert self.process.is_alive(), self.log.read_text()[-3000:]
            try:
                return (await asyncio.to_thread(self.client.get, "/health")).status_code == 200
            except httpx.TransportError:
                return False

        await until(answers, "it serves")
        return self

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.process.is_alive() and self.process.pid:
            os.kill(self.process.pid, number)
        self.process.join(40)

    def call(self, endpoint: str, **given: object) -> Any:
        return self.client.post(f"/api/{endpoint}", json=given).json()

    def send(self, content: bytes) -> httpx.Response:
        return self.client.put("/api/uploads", content=content)

    def add(self, name: str, text: str) -> str:
        reply = self.call("upload_document", file=self.send(text.encode()).json()["path"], name=name)
        return str(reply["document"]["id"])

    def state(self, document: str) -> str:
        return str(self.call("get_document", document_id=document)["document"]["state"])

    async def settled(self, document: str) -> str:
        async def is_settled() -> bool:
            assert self.process.is_alive(), "it died"
            return await asyncio.to_thread(self.state, document) in ("completed", "failed")

        await until(is_settled, "the document")
        return self.state(document)

    def names(self) -> set[str]:
        return {each["filename"] for each in self.call("list_documents")["documents"]}

    def answer(self, question: str) -> str:
        reply = self.call("ask", question=question)
        return str(reply)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small", 300) as made:
        yield made


@pytest.fixture
async def start(disk: SmallDisk, tmp_path: Path) -> AsyncIterator[Callable[[], Served]]:
    lives: list[Served] = []

    def begin() -> Served:
        lives.append(Served(disk, tmp_path / f"log-{len(lives)}"))
        return lives[-1]

    yield begin
    for life in lives:
        await asyncio.to_thread(life.end, signal.SIGKILL)


async def test_filled_by_uploads(disk: SmallDisk, start: Callable[[], Served]) -> None:
    life = await start().ready()
    policy = life.add("policy.md", POLICY)
    assert await life.settled(policy) == "completed"
    with ThreadPoolExecutor(4) as threads:
        replies = list(threads.map(life.send, [b"x" * 10 * MEGABYTE] * 30))
    refused = [reply for reply in replies if reply.status_code == 507]
    taken = [reply.json()["path"] for reply in replies if reply.status_code == 200]
    assert len(refused) + len(taken) == 30
    assert len(taken) > 3
    assert {reply.json()["problem"]["what"] for reply in refused} == {
        "There is not enough disk space for another file."
    }
    assert disk.free >= LEAST - MEGABYTE
    assert "560" in life.answer(HOTEL), "questions go on"
    await asyncio.to_thread(life.end, signal.SIGKILL)

    life = await start().ready()
    assert {os.stat(path).st_size for path in taken} == {10 * MEGABYTE}, "what was acknowledged is there"
    assert life.names() == {"policy.md"}
    for path in taken:
        life.call("discard_upload", file=path, name="x")
    water = life.add("water.md", long_text(5))
    assert await life.settled(water) == "completed"
    life.call("delete_document", document_id=policy)
    assert life.names() == {"water.md"}


async def test_filled_by_another_program_while_a_document_is_read(disk: SmallDisk, start: Callable[[], Served]) -> None:
    life = await start().ready()
    policy, old = life.add("policy.md", POLICY), life.add("old.md", "# Old\n\nThe old gate was painted green.\n")
    assert [await life.settled(policy), await life.settled(old)] == ["completed", "completed"]
    water = life.add("water.md", long_text(4000))
    disk.fill()
    assert await life.settled(water) == "failed"
    document = life.call("get_document", document_id=water)["document"]
    assert "disk" in str(document["problem"]) or "saved" in str(document["problem"])
    assert life.send(b"more").json()["problem"]["what"] == "There is not enough disk space for another file."
    assert "The disk is full" in life.answer(WATER), "what is left is for deletions"
    for each in (old, water):
        assert life.call("delete_document", document_id=each) == {"deleted": each}
    assert life.names() == {"policy.md"}
    assert life.client.get("/ready").status_code == 200

    disk.empty()
    again = life.add("water.md", long_text(40))
    assert await life.settled(again) == "completed"
    assert "111" in life.answer(WATER)
    await asyncio.to_thread(life.end, signal.SIGKILL)
    life = await start().ready()
    assert life.names() == {"policy.md", "water.md"}
    assert "560" in life.answer(HOTEL)


async def test_full_before_the_start(disk: SmallDisk, start: Callable[[], Served]) -> None:
    life = await start().ready()
    assert await life.settled(life.add("policy.md", POLICY)) == "completed"
    old = life.add("old.md", "# Old\n\nThe old gate was painted green.\n")
    assert await life.settled(old) == "completed"
    await asyncio.to_thread(life.end)
    disk.fill()

    life = await start().ready()  # deleting uses the disk space that is reserved for a full disk
    assert life.call("delete_document", document_id=old) == {"deleted": old}
    assert life.names() == {"policy.md"}
    await asyncio.to_thread(life.end, signal.SIGKILL)
    disk.fill()

    life = start()
    await asyncio.to_thread(life.process.join, 60)
    told = life.log.read_text()
    assert life.process.exitcode == 1, told
    assert "There is too little disk space to start." in told
    assert "8 MB are needed" in told
    assert "Traceback" not in told
    disk.empty()
    life = await start().ready()
    assert life.names() == {"policy.md"}
    assert "560" in life.answer(HOTEL)
