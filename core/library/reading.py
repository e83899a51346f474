"""Reads each file in a separate process, so that a malicious file can only crash or stall that process.

A process that has loaded its imports is kept for the next file. If the system supports fork, it forks a process for
each file, which costs a tenth of a new start; otherwise it ends with its file.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import BaseModel

from core.errors import PalimpsestError, Problem, fail
from core.library.chunking.chunks import Chunk
from core.library.handover import BEGIN, PASSAGES, PIECES, Receiver, chunks_of, table_of, taken_text
from core.library.records import Metadata
from core.library.structure.records import Outline
from core.library.tables.records import Table
from core.resilience.dependencies import too_slow
from core.resilience.idle_processes import IdleProcesses
from core.resilience.piped_process import start_module
from core.resilience.watchdog import end_group
from core.setting_groups import Deadlines
from core.settings import Settings

log = logging.getLogger(__name__)

MOST_DEATHS = 3
"""How often a reader may die on one file before the file is set aside. A signal or lack of memory is not the file's
fault."""
OVER_BUDGET = (-signal.SIGXCPU,) if sys.platform != "win32" else ()
"""Exit codes of a reader that the system ended because it used up a file's processor time."""
MEGABYTE = 1024 * 1024
LONGEST = 4.0
"""The whole reading may take this many times the seconds that are allowed without progress."""

RECOGNISING_SECONDS = 1_200.0
"""Seconds that recognising pages may take without progress. It is long, because recognition only gets idle processor
time."""
KEPT_SECONDS = 60.0
"""Seconds for which an idle process is kept."""
ENDED = "ended"
"""The last stage that a reused process reports for a file, with the exit code of the fork that read it."""


ROWS = "rows"
"""The name of the stage in which the rows of a long table are counted."""

Progress = Callable[[str, int, int], None]
"""Reports progress: the stage ("extracting", "chunking" or ``ROWS``), the units done, and the total."""
Process = asyncio.subprocess.Process


class UnreadableError(PalimpsestError):
    """The file is judged unreadable; another attempt would not change that."""


class Reading(BaseModel):
    """The full result of reading one file. ``passages`` is the number of passages that were handed over before and are
    not in ``chunks``. ``without_vectors`` of all passages are found by keyword only. ``scanned`` is the number of
    pages that need recognition, ``waiting`` the number of those not yet recognised. ``shortened`` are the long tables,
    by sheet, of which only the beginning has passages, with their estimated number of rows."""

    mime: str
    pages: int | None
    notes: list[tuple[str, str]]
    metadata: Metadata
    text_sha256: str
    tokens: int
    chunks: list[Chunk]
    outline: Outline = Outline()
    tables: list[Table] = []
    scanned: int = 0
    waiting: int = 0
    passages: int = 0
    without_vectors: int = 0
    shortened: dict[str, int] = {}


class Outcome(BaseModel):
    """What the reading process returns: a result or an error, or neither if it only recognised pages."""

    reading: Reading | None = None
    problem: Problem | None = None


class Recognise(BaseModel, frozen=True):
    """Recognise up to ``most`` pages, ``at_once`` in parallel; ``nice`` lowers the OCR engine's priority."""

    most: int
    at_once: int
    nice: int


class ReadOrder(BaseModel):
    """An order for the reading process. ``in_pieces``: hand over long results before the final result.

    ``scans``: the folder of the pages that were recognised before (``extract.scans``); without one, each page is
    recognised when it is reached. ``recognise``: only recognise more pages and put them there.
    ``as_dataset``: the rows of long tables are stored as datasets, so only their beginning gets passages.
    """

    path: Path
    filename: str
    result: Path = Path()
    settings: dict[str, object]
    scans: Path | None = None
    recognise: Recognise | None = None
    in_pieces: bool = False
    as_dataset: bool = False


class ReaderDiedError(Exception):
    """The reader ended without an outcome; ``code`` is negative for a signal."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"the reading process ended with {code}")


class Readers:
    """Manages the reading processes of one event loop, each of which reads one file at a time."""

    def __init__(self) -> None:
        self._idle = IdleProcesses()

    async def read_file(
        self,
        path: Path,
        filename: str,
        settings: Settings,
        progress: Progress,
        scans: Path | None = None,
        receiver: Receiver | None = None,
        *,
        as_dataset: bool = False,
    ) -> Reading:
        """Check, extract, chunk and describe the file at ``path``. If a reader dies, another one tries, up to
        ``MOST_DEATHS`` in all. ``scans`` and ``as_dataset``: as in ``ReadOrder``.

        Args:
            receiver: takes the passages and tables of a long file, which are then not in the result. Without one, a
            table that is too large for memory has no passages.

        Raises:
            UnreadableError: the file cannot be used, its readers died, or it took longer than the extraction deadline.
            Exception: the error that ``receiver`` raised.
        """
        order = ReadOrder(
            path=path,
            filename=filename,
            settings=reader_settings(settings),
            scans=scans,
            in_pieces=receiver is not None,
            as_dataset=as_dataset,
        )
        outcome = await self._obey(order, settings, progress, receiver)
        assert outcome.reading
        return outcome.reading

    async def recognise(
        self, path: Path, filename: str, settings: Settings, progress: Progress, scans: Path, pages: Recognise
    ) -> None:
        """Recognise some scanned pages that are not in ``scans`` yet, and put them there. Raises as ``read_file``."""
        given = reader_settings(settings)
        order = ReadOrder(path=path, filename=filename, settings=given, scans=scans, recognise=pages)
        await self._obey(order, settings, progress, None)

    async def stop(self) -> None:
        """End all idle processes; no file may be read any more."""
        await self._idle.stop()

    async def _obey(
        self, order: ReadOrder, settings: Settings, progress: Progress, receiver: Receiver | None
    ) -> Outcome:
        for death in range(1, MOST_DEATHS + 1):
            try:
                return await self._obey_once(order, settings, progress, receiver)
            except ReaderDiedError as error:
                log.warning("death %d of %d over %s: %s", death, MOST_DEATHS, order.filename, error)
                last = error
        raise _verdict(broke_the_reader(order.filename, MOST_DEATHS, str(last)))

    async def _obey_once(
        self, order: ReadOrder, settings: Settings, progress: Progress, receiver: Receiver | None
    ) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="palimpsest-") as folder:
            result = Path(folder) / "result.json"
            order = order.model_copy(update={"result": result})
            seconds = RECOGNISING_SECONDS if order.recognise else settings.deadlines.extraction
            processor = await asyncio.to_thread(processor_seconds, order.path, settings.deadlines)
            longest = LONGEST * max(seconds, processor)
            code = await self._exit_code(order, seconds, longest, progress, receiver)
            if code in OVER_BUDGET:
                raise _verdict(over_budget(order.filename, processor))
            if code != 0 or not result.exists():
                raise ReaderDiedError(code)
            outcome = await asyncio.to_thread(lambda: Outcome.model_validate_json(result.read_bytes()))
        if outcome.problem:
            raise UnreadableError(outcome.problem)
        if outcome.reading is None and order.recognise is None:
            raise ReaderDiedError(code)
        return outcome

    async def _exit_code(
        self, order: ReadOrder, seconds: float, longest: float, progress: Progress, receiver: Receiver | None
    ) -> int:
        """Run the order and return the reader's exit code. The process is reused only after a normal end, because a
        failed one may be in a bad state."""
        process = self._idle.take() or await start_module("core.library.reader")
        assert process.stdin is not None
        assert process.stdout is not None
        code = None
        try:
            async with asyncio.timeout(longest) as whole, asyncio.timeout(seconds) as patience:
                with contextlib.suppress(
                    BrokenPipeError, ConnectionResetError
                ):  # It has ended already; its exit code gives the reason.
                    # Kept open: the reader ends when the server ends and so closes it.
                    process.stdin.write(order.model_dump_json().encode() + b"\n")
                    await process.stdin.drain()
                async for line in process.stdout:
                    stage, done, total = json.loads(line)
                    if stage == ENDED:
                        code = int(done)
                        return code
                    if stage in PIECES and receiver is not None:
                        async with _paused(whole), _paused(patience):
                            await take_piece(order.result.parent, stage, done, receiver)
                    else:
                        progress(stage, done, total)
                    patience.reschedule(asyncio.get_running_loop().time() + seconds)
                return await process.wait()
        except TimeoutError as error:
            if not (whole.expired() or patience.expired()):
                raise  # The error came from the receiver.
            raise _verdict(too_slow(order.filename, seconds)) from error
        finally:
            if process.returncode is None:
                if code == 0:
                    self._idle.keep(process, KEPT_SECONDS)
                else:
                    end_group(process.pid)
                    await asyncio.shield(process.wait())


@asynccontextmanager
async def _paused(timeout: asyncio.Timeout) -> AsyncIterator[None]:
    """Stop the clock: time spent inside does not count toward the deadline."""
    loop = asyncio.get_running_loop()
    ends, began = timeout.when(), loop.time()
    timeout.reschedule(None)
    yield
    timeout.reschedule(None if ends is None else ends + loop.time() - began)


async def take_piece(folder: Path, kind: str, number: int, receiver: Receiver) -> None:
    """Give the piece with this number to ``receiver``."""
    text = await asyncio.to_thread(taken_text, folder, number)
    if kind == BEGIN:
        await receiver.begin(Reading.model_validate_json(text))
    elif kind == PASSAGES:
        await receiver.passages(await asyncio.to_thread(chunks_of, text))
    else:
        await receiver.table(await asyncio.to_thread(table_of, text))


def _verdict(error: PalimpsestError) -> UnreadableError:
    return UnreadableError(error.problem, str(error))


def reader_settings(settings: Settings) -> dict[str, object]:
    """The settings that a reading process needs, as JSON; a change of them changes how files are read."""
    return settings.model_dump(
        mode="json",
        include={
            "limits": True,
            "chunking": True,
            "reading": True,
            "ocr_enabled": True,
            "deadlines": {"extraction", "extraction_processor", "extraction_processor_megabyte"},
        },
    )


def processor_seconds(path: Path, deadlines: Deadlines) -> int:
    """Processor seconds that reading the file at ``path`` may use, without its OCR engine."""
    megabytes = path.stat().st_size / MEGABYTE
    return math.ceil(deadlines.extraction_processor + megabytes * deadlines.extraction_processor_megabyte)


def over_budget(filename: str, seconds: float) -> PalimpsestError:
    """The error for a file whose reading exceeds its time budget while others wait."""
    return fail("timeout", "library.reading.over_budget", filename=filename, seconds=round(seconds))


def broke_the_reader(filename: str, times: int, detail: str) -> PalimpsestError:
    """The error for a file that was set aside because its readers died; the file itself may not be the cause."""
    return fail("server", "library.reading.broke_the_reader", detail=detail, filename=filename, times=times)
