"""Reads files in a thread of this process instead of a separate reader process, so that tests are faster.

A new reader process needs most of a second for imports. Tests of uploads, refusals, ``tests/core/library``,
``tests/faults`` and the served pages cover the separate process, and what happens when it is stopped or dies.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from core.errors import PalimpsestError, explain
from core.library import reader
from core.library.handover import PIECES, Receiver
from core.library.reading import Outcome, Progress, Readers, Reading, ReadOrder, Recognise, reader_settings, take_piece
from core.settings import Settings

_ONE = threading.Lock()
"""The PDF engine works in one thread at a time."""
_told: ContextVar[Progress] = ContextVar("told")


async def read_here(
    _: Readers,
    path: Path,
    filename: str,
    settings: Settings,
    progress: Progress,
    scans: Path | None = None,
    receiver: Receiver | None = None,
    *,
    as_dataset: bool = False,
) -> Reading:
    """Like ``Readers.read_file``, with order and outcome passed as JSON; but a reading cannot be stopped before its
    end."""
    order = ReadOrder(
        path=path,
        filename=filename,
        settings=reader_settings(settings),
        scans=scans,
        in_pieces=receiver is not None,
        as_dataset=as_dataset,
    )
    outcome = await _obey(order, progress, receiver)
    assert outcome.reading
    return outcome.reading


async def recognise_here(
    _: Readers, path: Path, filename: str, settings: Settings, progress: Progress, scans: Path, pages: Recognise
) -> None:
    """Like ``Readers.recognise``."""
    given = reader_settings(settings)
    await _obey(ReadOrder(path=path, filename=filename, settings=given, scans=scans, recognise=pages), progress, None)


async def _obey(order: ReadOrder, progress: Progress, receiver: Receiver | None) -> Outcome:
    loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as folder:

        def tell(stage: str, done: int, total: int) -> None:
            if stage in PIECES and receiver is not None:
                asyncio.run_coroutine_threadsafe(take_piece(Path(folder), stage, done, receiver), loop).result()
            else:
                loop.call_soon_threadsafe(progress, stage, done, total)

        _told.set(tell)
        order = order.model_copy(update={"result": Path(folder) / "result.json"})
        outcome = Outcome.model_validate_json(await asyncio.to_thread(_read, order))
    if outcome.problem:
        raise PalimpsestError(outcome.problem)
    return outcome


def _read(order: ReadOrder) -> str:
    try:
        with _ONE:
            recognised = order.recognise and reader.recognise(order, order.recognise)
            outcome = recognised or Outcome(reading=reader.read(order))
    except Exception as error:
        outcome = Outcome(problem=explain(error))
    return outcome.model_dump_json()


def arrange(setattr_: Callable[[Any, str, Any], None]) -> None:
    """Makes every upload be read in this process; ``setattr_`` is that of a monkeypatch, or the built-in one."""
    setattr_(reader, "_tell", lambda stage, done, total: _told.get()(stage, done, total))
    setattr_(Readers, "read_file", read_here)
    setattr_(Readers, "recognise", recognise_here)
