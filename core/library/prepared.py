"""Reads several known files ahead of their jobs: paths in, readings by digest out, all in one process.

A reading process costs most of a second before it reads its first page, so the samples share one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from core.library.digest import digest
from core.library.reading import ROOT, Reading, portable
from core.settings import Settings

log = logging.getLogger(__name__)

SECONDS = 60.0
LONGEST_LINE = 32 * 1024 * 1024
"""A reading is one line of JSON."""


class PreparedReadings:
    """``begin`` with files, then ``take`` each of them by its digest; whatever fails is simply read by its own job."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._coming: dict[str, asyncio.Future[Reading | None]] = {}
        self._reading: set[asyncio.Task[None]] = set()

    async def begin(self, paths: Sequence[Path]) -> None:
        """Read these in the background; those that are known or on their way are not read again."""
        digests = await asyncio.to_thread(lambda: {digest(path): path for path in paths})
        new = {digest: path for digest, path in digests.items() if digest not in self._coming}
        if not new:
            return
        loop = asyncio.get_running_loop()
        self._coming |= {digest: loop.create_future() for digest in new}
        task = asyncio.create_task(self._read(new))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def take(self, sha256: str) -> Reading | None:
        """The reading of a file that was begun, once it is there; ``None`` for any other file."""
        coming = self._coming.get(sha256)
        return await asyncio.shield(coming) if coming else None

    async def stop(self) -> None:
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)

    async def _read(self, files: dict[str, Path]) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                await self._in_one_process(files)
        except Exception:
            log.warning("the samples are read one by one", exc_info=True)
        finally:
            for digest in files:
                future = self._coming[digest]
                if not future.done():
                    future.set_result(None)
                    # Another click may fare better.
                    del self._coming[digest]

    async def _in_one_process(self, files: dict[str, Path]) -> None:
        order = {"settings": portable(self._settings), "files": {key: str(path) for key, path in files.items()}}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "core.library.prepared_reader",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(order).encode())
            process.stdin.close()
            async for line in process.stdout:
                digest, _, reading = line.partition(b"\t")
                self._coming[digest.decode()].set_result(Reading.model_validate_json(reading))
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await asyncio.shield(process.wait())
