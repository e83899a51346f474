"""Reads the datasets of a file in a process of its own, so that a malicious file can only crash or stall that process:
``python -m core.datasets.reading.process``, with the order on standard input."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from core.datasets.reading.reading import Correction, read_datasets
from core.datasets.records import Dataset
from core.library.reading import processor_seconds, reader_settings
from core.library.tables.records import Table
from core.resilience.piped_process import start_module
from core.resilience.priority import stand_back
from core.resilience.watchdog import die_with_parent, end_group, limit_memory, watch
from core.settings import Settings

MEMORY_BYTES = 4 * 1024**3
NICE = 5
WAITING = 4.0
"""A reading may take this many times its seconds of processor time."""
_RESULT = "datasets.json"


class UnreadableTablesError(Exception):
    """The datasets of a file cannot be read; another attempt would not change that."""


class Order(BaseModel):
    """An order: the file, its name, the document, the folder for the Parquet files, and what a person has set."""

    path: Path
    filename: str
    document_id: str
    folder: Path
    settings: dict[str, object]
    corrections: dict[str, dict[str, Correction]] = {}
    tables: list[Table] | None = None
    seconds: int


class Outcome(BaseModel):
    """The datasets that were read."""

    datasets: list[Dataset]


async def read_in_process(
    path: Path,
    filename: str,
    document_id: str,
    folder: Path,
    settings: Settings,
    corrections: dict[str, dict[str, Correction]],
    tables: Sequence[Table] | None = None,
) -> list[Dataset]:
    """Calls ``read_datasets`` in a process of its own.

    Raises:
        UnreadableTablesError: the process failed, or used up its time.
    """
    seconds = await asyncio.to_thread(processor_seconds, path, settings.deadlines)
    order = Order(
        path=path,
        filename=filename,
        document_id=document_id,
        folder=folder,
        settings=reader_settings(settings),
        corrections=corrections,
        tables=None if tables is None else list(tables),
        seconds=seconds,
    )
    process = await start_module("core.datasets.reading.process")
    assert process.stdin is not None
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(order.model_dump_json().encode() + b"\n")  # Kept open: the process ends when it closes.
            await process.stdin.drain()
        async with asyncio.timeout(WAITING * seconds):
            code = await process.wait()
    except TimeoutError as error:
        raise UnreadableTablesError(f"no datasets within {WAITING * seconds} seconds") from error
    finally:
        if process.returncode is None:
            end_group(process.pid)
            await asyncio.shield(process.wait())
    result = folder / _RESULT
    if code != 0 or not result.exists():
        raise UnreadableTablesError(f"the process ended with {code}")
    return (await asyncio.to_thread(lambda: Outcome.model_validate_json(result.read_bytes()))).datasets


def main() -> None:
    """Carries out the order on standard input."""
    die_with_parent()
    stand_back(NICE)
    line = sys.stdin.readline()
    if not line:
        return
    order = Order.model_validate_json(line)
    watch(sys.stdin.fileno())
    limit_memory(MEMORY_BYTES)
    _limit_processor(order.seconds)
    tempfile.tempdir = str(order.folder)
    settings = Settings.model_validate(order.settings)
    found = read_datasets(
        order.path, order.filename, order.document_id, order.folder, settings, order.corrections, order.tables
    )
    (order.folder / _RESULT).write_text(Outcome(datasets=found).model_dump_json(), encoding="utf-8")


def _limit_processor(seconds: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError, AttributeError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    main()
