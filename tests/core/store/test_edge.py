"""The index inside this process, as far as the contract of all indexes does not say it."""

from __future__ import annotations

import threading
from pathlib import Path

from core.store.edge import EdgeIndex
from core.store.index import Schema, Where


def readers() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name.startswith("index-read")}


async def test_an_index_that_is_stopped_has_no_threads_and_can_be_started_again(tmp_path: Path) -> None:
    before = readers()
    index = EdgeIndex(tmp_path)
    for _ in range(2):
        await index.start(Schema(dimension=4, model="m"))
        assert await index.count(Where("ada")) == 0
        mine = readers() - before
        await index.stop()
        assert mine
        for each in mine:
            each.join(10)
        assert readers() == before
