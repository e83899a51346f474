"""A workbench on a temporary data directory, opened inside the benchmark's process; benchmarks write to it through its
public calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.served import kept_vectors, write_vectors
from core.clock import Clock, system_clock
from core.knowledge.content_store import ContentStore
from core.knowledge.graph_sync import GraphSync
from core.knowledge.synced_graph import SyncedGraph
from core.setting_groups import Deadlines
from core.settings import Settings
from core.workbench import Workbench

PATIENCE = 60.0
"""Time limit of every stage in seconds, long enough that a busy machine does not change the figures."""
LOOK_AGAIN = 0.5
PATIENT = Deadlines(
    dense=PATIENCE, lexical=PATIENCE, rerank=PATIENCE, embed_query=PATIENCE, truth=PATIENCE, retrieval=PATIENCE
)


@asynccontextmanager
async def open_workbench(
    cache: Path | None = None, *, dense: bool = True, clock: Clock = system_clock, **given: Any
) -> AsyncIterator[Workbench]:
    """Yields a workbench whose data directory is deleted afterwards; ``cache`` (.npz) keeps its embeddings; ``given``
    are settings."""
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        settings = Settings(_env_file=None, home=home, deadlines=PATIENT, dense_enabled=dense, **given)
        workbench = Workbench(settings, clock)
        await workbench.start()
        try:
            await workbench.retrieval.accept_vectors(kept_vectors(cache, workbench.retrieval.schema.model))
            yield workbench
            if cache:
                await write_vectors(workbench.truth, cache)
        finally:
            await workbench.stop()


async def upload(workbench: Workbench, user_id: str, path: Path) -> str:
    """Submits a file and waits until it is read and has its vectors; returns its document's id."""
    submission = await workbench.library.submit(user_id, path, path.name, choice="keep_both")
    if submission.status != "accepted":
        raise RuntimeError(f"{path.name}: {submission.status}")
    async for _ in workbench.ledger.tail(user_id, submission.document.run_id or ""):
        pass
    return submission.document.id


async def graph_of(workbench: Workbench, user_id: str) -> SyncedGraph:
    """Returns a user's graph after all pending texts have been read into it, by any process."""
    store = ContentStore(workbench.truth)
    for _ in range(round(PATIENCE / LOOK_AGAIN)):
        await workbench.memory.settle()
        # A new reader has no cached state, so it reads the record store.
        grown = await GraphSync(store, system_clock).of(user_id)
        if not grown.pending:
            return grown
        await asyncio.sleep(LOOK_AGAIN)
    raise TimeoutError("the graph was not read in time")
