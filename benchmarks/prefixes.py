"""Measures the cost of contextual prefixes without the model's own cost: model calls per document, added time, and the
calls when a document is read a second time.

    python -m benchmarks.prefixes --data ../shared/data/chunking [--json FILE]

The model is scripted: it answers immediately, with the first words of the previous passage. So neither a real model's
time nor its effect on retrieval is measured. All vectors are the same. Only the code around the model is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, Report
from core.events import StepStatus
from core.library.records import Document
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.settings import Settings
from core.workbench import Workbench
from tests.servers.local import LocalServer, Reply, Request, chat_stream

USER = "bench"
WINDOWS = (32_768, 131_072)
NUMBERED = re.compile(r"^\[(\d+)\] (.*?)(?=^\[\d+\] |\Z)", re.MULTILINE | re.DOTALL)
WORDS = 12


class NoVectors:
    """Returns the same vector for every text, because embedding is not measured."""

    identity = EmbeddingIdentity("none", 8, Calibration(0.0, 1.0))

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.eye(8, dtype=np.float32)[0]

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.tile(np.eye(8, dtype=np.float32)[0], (len(texts), 1))


def scripted(request: Request) -> Reply:
    """Returns a context for every passage: the beginning of the previous one."""
    found = NUMBERED.findall(str(request.body["messages"][1]["content"]))
    before = ["the beginning of the document", *(text for _, text in found)]
    said = {
        number: "It follows on " + " ".join(text.split()[:WORDS])
        for (number, _), text in zip(found, before, strict=False)
    }
    return chat_stream(json.dumps(said))


async def measure(files: Sequence[Path], window: int, report: Report) -> None:
    """Reads ``files`` twice, the second time after deleting them."""
    with tempfile.TemporaryDirectory() as home, patch("core.memory.retrieval.build_embeddings", lambda *_: NoVectors()):
        async with LocalServer(responder=scripted) as server:
            settings = Settings(
                _env_file=None,
                home=Path(home),
                model="openai:scripted",
                model_base_url=f"{server.url}/v1",
                model_window=window,
            )
            settings.metadata.enabled = False  # Other requests to the model are not counted.
            workbench = Workbench(settings)
            await workbench.start()
            try:
                for file in files:
                    await _measure_file(workbench, server, file, f"{file.name}, window of {window:,} tokens", report)
            finally:
                await workbench.stop()


async def _measure_file(workbench: Workbench, server: LocalServer, file: Path, group: str, report: Report) -> None:
    before = len(server.requests)
    began = time.process_time()
    document, milliseconds = await _read(workbench, file)
    spent = time.process_time() - began
    calls = len(server.requests) - before
    rows = await workbench.truth.collection("items").find({"document_id": document.id})
    given = sum(bool(row["source"]["book"]["source_context"]) for row in rows)  # type: ignore[index,call-overload]
    wanted = sum(bool(row["embedded"]) for row in rows)
    await workbench.library.delete(USER, document.id)
    _, again = await _read(workbench, file)
    asked_again = len(server.requests) - before - calls
    report.add(Figure(group, "passages", len(rows)))
    report.add(Figure(group, "calls", calls))
    report.add(Figure(group, "passages with a vector that have a context", given / wanted, floor=1.0))
    report.add(Figure(group, "milliseconds of the step, a passage", milliseconds / wanted))
    report.add(Figure(group, "processor seconds of the whole upload", spent))
    report.add(Figure(group, "second reading: share without a call", float(asked_again == 0), floor=1.0))
    report.add(Figure(group, "second reading: ms of the step, a passage", again / wanted))


async def _read(workbench: Workbench, file: Path) -> tuple[Document, float]:
    """Returns the document and the milliseconds of the context step."""
    copy = workbench.settings.folder / f"upload-{file.name}"
    await asyncio.to_thread(shutil.copyfile, file, copy)
    submission = await workbench.library.submit(USER, copy, file.name)
    run_id = (await workbench.library.get(USER, submission.document.id)).run_id or ""
    milliseconds = 0.0
    async for entry in workbench.ledger.tail(USER, run_id):
        if isinstance(entry.event, StepStatus) and entry.event.step_id.endswith("-context"):
            milliseconds = entry.event.milliseconds or 0.0
    return await workbench.library.get(USER, submission.document.id), milliseconds


def main(arguments: list[str] | None = None) -> int:
    """Returns 1 when a floor is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prefixes", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of texts (*.md)")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    report = Report("Contextual prefixes, with a scripted model")
    for window in WINDOWS:
        asyncio.run(measure(sorted(options.data.glob("*.md")), window, report))
    report.notes.append(
        "The model is scripted and answers immediately: neither a real model nor search quality is measured."
    )
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
