"""Reads a file in a process of its own: a hostile file can crash or stall only that."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel

from core.errors import PalimpsestError, Problem, fail
from core.library.chunking import Chunk
from core.library.records import Metadata
from core.library.structure.records import Outline
from core.library.tables.records import Table
from core.resilience import too_slow
from core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]

Progress = Callable[[str, int, int], None]
"""Stage ("extracting" or "chunking"), done, total."""


class Reading(BaseModel):
    """All that is taken from a file."""

    mime: str
    pages: int | None
    notes: list[tuple[str, str]]
    metadata: Metadata
    text_sha256: str
    tokens: int
    chunks: list[Chunk]
    outline: Outline = Outline()
    tables: list[Table] = []


class Outcome(BaseModel):
    """What the reading process leaves behind: exactly one of the two."""

    reading: Reading | None = None
    problem: Problem | None = None


class Order(BaseModel):
    """What the reading process is asked to do."""

    path: Path
    filename: str
    result: Path
    settings: dict[str, object]


async def read_file(path: Path, filename: str, settings: Settings, progress: Progress) -> Reading:
    """Guard, extract, chunk and describe ``path``.

    Raises:
        PalimpsestError: the file cannot be used, its process died, or it took longer than the extraction deadline.
    """
    with tempfile.TemporaryDirectory(prefix="palimpsest-") as folder:
        result = Path(folder) / "result.json"
        order = Order(path=path, filename=filename, result=result, settings=portable(settings))
        code = await _run(order, settings.deadlines.extraction, progress)
        if code != 0 or not result.exists():
            raise _died(filename, code)
        outcome = Outcome.model_validate_json(await asyncio.to_thread(result.read_bytes))
    if outcome.problem:
        raise PalimpsestError(outcome.problem)
    if outcome.reading is None:
        raise _died(filename, code)
    return outcome.reading


async def _run(order: Order, seconds: float, progress: Progress) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "core.library.reader",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(seconds):
            process.stdin.write(order.model_dump_json().encode() + b"\n")
            await process.stdin.drain()
            async for line in process.stdout:
                stage, done, total = json.loads(line)
                progress(stage, done, total)
            return await process.wait()
    except TimeoutError as error:
        raise too_slow(order.filename, seconds) from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())


def portable(settings: Settings) -> dict[str, object]:
    """The settings that a reading process needs, as JSON."""
    return settings.model_dump(mode="json", include={"limits", "chunking", "ocr_enabled", "deadlines"})


def _died(filename: str, code: int | None) -> PalimpsestError:
    return fail(
        "validation",
        (f"{filename} could not be read.", f"לא ניתן היה לקרוא את {filename}."),
        (
            "Reading it used too much memory or broke the reader; the file is probably damaged.",
            "הקריאה שלו דרשה יותר מדי זיכרון או הפילה את הקורא; הקובץ כנראה פגום.",
        ),
        (
            "Open it in the program that made it, save it again, and upload the new copy.",
            "פתחו אותו בתוכנה שיצרה אותו, שמרו מחדש והעלו את העותק החדש.",
        ),
        f"reading process ended with {code}",
    )
