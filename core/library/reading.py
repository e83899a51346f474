"""Reads files, each in a process of its own: a hostile one can crash or stall only that.

A process that has made its imports is kept for the next file. Where systems can, it forks another for each file, which
costs a tenth of a new start; elsewhere it ends with its file.
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
from core.resilience.piped_process import start_module
from core.resilience.watchdog import end_group
from core.setting_groups import Deadlines
from core.settings import Settings

log = logging.getLogger(__name__)

MOST_DEATHS = 3
"""How often a reader may die over one file before the file is set aside: a signal or a full memory is no verdict."""
OVER_BUDGET = (-signal.SIGXCPU,) if sys.platform != "win32" else ()
"""Exit codes of a reader that has used up the processor time of a file: the system ends it."""
MEGABYTE = 1024 * 1024
LONGEST = 4.0
"""All of a reading may take so many times the seconds that it may take without getting on."""

RECOGNISING_SECONDS = 1_200.0
"""Recognising may take so long without getting on: it has only the processor time that nothing else wants."""
KEPT_SECONDS = 60.0
"""For which a process that nobody needs is kept."""
ENDED = "ended"
"""The stage that a process which goes on tells last of a file, with the exit code of the one that read it."""


ROWS = "rows"
"""The stage in which the rows of a long table are counted."""

Progress = Callable[[str, int, int], None]
"""Stage ("extracting", "chunking" or ``ROWS``), done, total."""
Process = asyncio.subprocess.Process


class UnreadableError(PalimpsestError):
    """A verdict on a file, which another attempt would not change."""


class Reading(BaseModel):
    """All that is taken from a file. ``passages`` were handed over before it, and are not among ``chunks``; of all of
    them ``without_vectors`` are found by their words alone. ``scanned`` counts the pages that are or were to be
    recognised, ``waiting`` those of them that have not been yet."""

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


class Outcome(BaseModel):
    """What the reading process leaves behind: one of the two, or neither where it was to recognise pages."""

    reading: Reading | None = None
    problem: Problem | None = None


class Recognise(BaseModel, frozen=True):
    """``most`` pages, ``at_once`` of them at a time, by an engine whose priority ``nice`` lowers."""

    most: int
    at_once: int
    nice: int


class ReadOrder(BaseModel):
    """What the reading process is asked to do; ``in_pieces``: hand over what is long before the result.

    ``scans``: the folder of the pages that were recognised before (``extract.scans``); without one each is recognised
    as it is met. ``recognise``: put more pages there, and read nothing else.
    """

    path: Path
    filename: str
    result: Path = Path()
    settings: dict[str, object]
    scans: Path | None = None
    recognise: Recognise | None = None
    in_pieces: bool = False


class ReaderDiedError(Exception):
    """The reader ended without an outcome; ``code`` is negative for a signal."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"the reading process ended with {code}")


class Readers:
    """Processes of one event loop, each of which reads one file at a time."""

    def __init__(self) -> None:
        self._idle: list[tuple[Process, asyncio.TimerHandle]] = []

    async def read_file(
        self,
        path: Path,
        filename: str,
        settings: Settings,
        progress: Progress,
        scans: Path | None = None,
        receiver: Receiver | None = None,
    ) -> Reading:
        """Guard, extract, chunk and describe ``path``; a reader that dies is followed by another, ``MOST_DEATHS`` in
        all. ``scans``: as in ``ReadOrder``.

        Args:
            receiver: takes the passages and tables of a long file, which the result then lacks. Without one, a table
                that is too long to be held has no passages.

        Raises:
            UnreadableError: the file cannot be used, its readers died, or it took longer than the extraction deadline.
            Exception: what ``receiver`` raised.
        """
        order = ReadOrder(
            path=path,
            filename=filename,
            settings=reader_settings(settings),
            scans=scans,
            in_pieces=receiver is not None,
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
        """End those that nobody needs; none may read any more."""
        idle, self._idle = self._idle, []
        for process, timer in idle:
            timer.cancel()
            end_group(process.pid)
        await asyncio.gather(*(process.wait() for process, _ in idle))

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
        """The exit code of whoever read the file. Only after a good end is the process kept: what a bad one has left
        behind ends with it."""
        process = self._taken() or await start_module("core.library.reader")
        assert process.stdin is not None
        assert process.stdout is not None
        code = None
        try:
            async with asyncio.timeout(longest) as whole, asyncio.timeout(seconds) as patience:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # Dead already: its code says how.
                    # Left open: the reader ends when its server does, which closes it.
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
                raise  # It is the receiver's.
            raise _verdict(too_slow(order.filename, seconds)) from error
        finally:
            if process.returncode is None:
                if code == 0:
                    self._keep(process)
                else:
                    end_group(process.pid)
                    await asyncio.shield(process.wait())

    def _taken(self) -> Process | None:
        while self._idle:
            process, timer = self._idle.pop()
            timer.cancel()
            if process.returncode is None:
                return process
        return None

    def _keep(self, process: Process) -> None:
        timer = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._let_go, process)
        self._idle.append((process, timer))

    def _let_go(self, process: Process) -> None:
        self._idle = [each for each in self._idle if each[0] is not process]
        end_group(process.pid)


@asynccontextmanager
async def _paused(timeout: asyncio.Timeout) -> AsyncIterator[None]:
    """The time within counts for nobody's deadline."""
    loop = asyncio.get_running_loop()
    ends, began = timeout.when(), loop.time()
    timeout.reschedule(None)
    yield
    timeout.reschedule(None if ends is None else ends + loop.time() - began)


async def take_piece(folder: Path, kind: str, number: int, receiver: Receiver) -> None:
    """Give ``receiver`` the piece of this number."""
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
    """The settings that a reading process needs, as JSON; with others a file is read differently."""
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
    """What reading the file at ``path`` may take of the processor, its OCR engine not counted."""
    megabytes = path.stat().st_size / MEGABYTE
    return math.ceil(deadlines.extraction_processor + megabytes * deadlines.extraction_processor_megabyte)


def over_budget(filename: str, seconds: float) -> PalimpsestError:
    """A file on which a reader would work on while others wait."""
    return fail("timeout", "library.reading.over_budget", filename=filename, seconds=round(seconds))


def broke_the_reader(filename: str, times: int, detail: str) -> PalimpsestError:
    """A file that was set aside; whether it is at fault, nobody knows."""
    return fail("server", "library.reading.broke_the_reader", detail=detail, filename=filename, times=times)
