"""Measures what users wait for: until an upload is searchable, until the first sign of an answer, and until the server
has started."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import numpy as np
import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from benchmarks.speed_section import Floor, Options, Section, percentiles
from core.settings import Settings
from core.workbench import Workbench

ROOT = Path(__file__).parents[1]
USER = "local"
PAGES = 300
LINES = 46
WORDS_PER_LINE = 12
VOCABULARY = 4_000
ASKS = 20
START_SECONDS = 120


@asynccontextmanager
async def _workbench(folder: Path) -> AsyncIterator[Workbench]:
    workbench = Workbench(Settings(_env_file=None, home=folder))  # type: ignore[call-arg]
    await workbench.start()
    try:
        yield workbench
    finally:
        await workbench.stop()


def upload(options: Options) -> Section:
    """Measures the time from uploading a 300-page PDF to the first keyword search that finds it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "book.pdf"
        _write_book(path, options.seed)
        began = time.perf_counter()
        characters = _plain(path)
        plain = time.perf_counter() - began
        findable, chunks = asyncio.run(_submit(Path(folder) / "home", path))
    values = {
        "findable_s": findable,
        "plain_extraction_s": plain,
        "findable_ratio": findable / plain,
        "pages_per_s": PAGES / findable,
        "passages": float(chunks),
        "characters": float(characters),
    }
    note = (
        f"A generated PDF of {PAGES} pages, {LINES} lines of {WORDS_PER_LINE} made-up words each. From the submission\n"
        "until keyword search finds it; vectors follow later. Baseline: pypdfium2 on the same file."
    )
    return Section(values, note=note, goals=[Floor("findable_s", 20.0)])


def _write_book(path: Path, seed: int) -> None:
    chance = np.random.default_rng(seed)
    vocabulary = ["".join(chance.choice(list("aeioulmnrst"), chance.integers(3, 10))) for _ in range(VOCABULARY)]
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(PAGES):
        text = canvas.beginText(56, 790)
        text.textLine(f"{page + 1}. Chapter {page + 1}")
        for _ in range(LINES):
            words = chance.zipf(1.3, WORDS_PER_LINE) % VOCABULARY
            text.textLine(" ".join(vocabulary[word] for word in words) + ".")
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()


def _plain(path: Path) -> int:
    document = pypdfium2.PdfDocument(path)
    characters = sum(len(page.get_textpage().get_text_range()) for page in document)
    document.close()
    return characters


async def _submit(home: Path, path: Path) -> tuple[float, int]:
    async with _workbench(home) as workbench:
        began = time.perf_counter()
        submission = await workbench.library.submit(USER, path, path.name)
        while True:
            seen = workbench.ledger.version_of(USER)
            document = await workbench.library.get(USER, submission.document.id)
            if document.problem:
                raise RuntimeError(document.problem.what.en)
            if document.chunks and document.searchable == document.chunks:
                return time.perf_counter() - began, document.chunks
            await workbench.ledger.wait_for_user(USER, seen, seconds=0.25)


def first_event(options: Options) -> Section:
    """Measures from sending a question to its run's first event, and to the end of the answer."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        first, last, bare = asyncio.run(_ask(Path(folder)))
    values = percentiles("first_event", first) | percentiles("answer", last) | percentiles("truth_write_read", bare)
    values["first_event_p95_ratio"] = values["first_event_p95_ms"] / values["truth_write_read_p95_ms"]
    note = (
        f"{ASKS} questions over the sample documents, without a language model. Baseline: one write and one read of "
        "the record store,\nwhich each event needs at least."
    )
    return Section(values, note=note, goals=[Floor("first_event_p95_ms", 100.0)])


async def _ask(home: Path) -> tuple[list[float], list[float], list[float]]:
    first: list[float] = []
    last: list[float] = []
    bare: list[float] = []
    async with _workbench(home) as workbench:
        await _with_samples(workbench)
        questions = [each.text for each in workbench.samples.questions if each.language == "en"]
        scratch = workbench.truth.collection("benchmark")
        for number in range(ASKS):
            began = time.perf_counter()
            await scratch.upsert({"_id": str(number), "user_id": USER})
            await scratch.get(str(number))
            bare.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            asked = await workbench.ask(USER, questions[number % len(questions)])
            async for entry in workbench.ledger.tail(USER, asked.run_id):
                if entry.sequence == 1:
                    first.append((time.perf_counter() - began) * 1000)
            last.append((time.perf_counter() - began) * 1000)
    return first, last, bare


async def _with_samples(workbench: Workbench) -> None:
    await workbench.load_samples(USER)
    while True:
        seen = workbench.ledger.version_of(USER)
        if not await workbench.library.busy(USER):
            return
        await workbench.ledger.wait_for_user(USER, seen, seconds=0.5)


def start(options: Options) -> Section:
    """Starts the served application on a new data directory, and again on that directory with the samples in it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "home"
        imports = _run([sys.executable, "-c", "import gradio, langgraph.graph, qdrant_client"])
        cold = _serve(home)
        asyncio.run(_fill(home))
        warm = _serve(home)
    values = {"cold_s": cold, "warm_s": warm, "imports_s": imports, "warm_ratio": warm / imports}
    note = "From starting the process to /health answering. Baseline: a process that imports the three large libraries."
    return Section(values, note=note, goals=[Floor("warm_s", 10.0)])


async def _fill(home: Path) -> None:
    async with _workbench(home) as workbench:
        await _with_samples(workbench)


def _run(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def _serve(home: Path) -> float:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PALIMPSEST_HOME": str(home), "PALIMPSEST_PORT": str(port)}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        while time.perf_counter() - began < START_SECONDS:
            try:
                httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).raise_for_status()
                return time.perf_counter() - began
            except httpx.HTTPError:
                time.sleep(0.05)
        raise RuntimeError("the application did not start")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
