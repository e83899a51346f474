"""A workbench that lives for one experiment, with keyword search only unless set otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.clock import Clock, system_clock
from core.workbench import Workbench
from tests.service import reading_here
from tests.service.effects.experiment import Bench
from tests.service.house import GatedEmbeddings, House


@asynccontextmanager
async def opened(bench: Bench, clock: Clock = system_clock, *, dense: bool = False) -> AsyncIterator[House]:
    """Starts a workbench that reads files in this process and computes vectors from letters."""
    reading_here.arrange(bench.patch.setattr)
    bench.patch.setattr("core.memory.retrieval.build_embeddings", lambda *_: GatedEmbeddings())
    bench.settings.dense_enabled = dense
    workbench = Workbench(bench.settings, clock)
    await workbench.start()
    try:
        yield House(workbench, bench.folder / "uploads")
    finally:
        await workbench.stop()
