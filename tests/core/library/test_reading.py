"""Tests that files are read by reused processes, and that a file that breaks its reader affects no other file."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library import reading
from core.library.reading import Readers, Reading
from core.settings import Settings

WORDS = "The harbour moved 4.1 million containers.\n\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, home=tmp_path / "home")  # type: ignore[call-arg]


@pytest.fixture
async def readers() -> AsyncIterator[Readers]:
    made = Readers()
    yield made
    await made.stop()


class Reads:
    """Reads texts in a folder, and records which process read each."""

    def __init__(self, readers: Readers, settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.readers, self.settings, self.folder = readers, settings, folder
        self.started: list[int] = []
        start = reading.start_module

        async def noted(name: str) -> reading.Process:
            process = await start(name)
            self.started.append(process.pid)
            return process

        monkeypatch.setattr(reading, "start_module", noted)

    async def __call__(self, text: str) -> Reading:
        path = self.folder / f"{len(text)}.txt"
        path.write_text(text)
        return await self.readers.read_file(path, path.name, self.settings, lambda *_: None)


@pytest.fixture
def reads(readers: Readers, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(readers, settings, tmp_path, monkeypatch)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_one_process_reads_one_file_after_the_other(reads: Reads) -> None:
    first, second = await reads(WORDS), await reads(WORDS * 2)
    assert first.text_sha256 != second.text_sha256
    assert len(reads.started) == 1


async def test_two_files_at_once_have_a_process_each(reads: Reads) -> None:
    await asyncio.gather(reads(WORDS), reads(WORDS * 2))
    await asyncio.gather(reads(WORDS * 3), reads(WORDS * 4))
    assert len(reads.started) == 2


async def test_a_file_that_cannot_be_used_leaves_its_reader_as_it_was(reads: Reads) -> None:
    with pytest.raises(PalimpsestError):
        await reads(" ")
    await reads(WORDS)
    assert len(reads.started) == 1


async def test_one_that_died_meanwhile_is_followed_by_another(reads: Reads) -> None:
    await reads(WORDS)
    os.killpg(reads.started[0], signal.SIGKILL)
    await reads(WORDS * 2)
    assert len(reads.started) == 2


async def test_a_file_that_takes_too_long_ends_its_reader(reads: Reads) -> None:
    await reads(WORDS)
    reads.settings.deadlines.extraction = 0.0001
    with pytest.raises(reading.UnreadableError) as raised:
        await reads(WORDS * 1_000)
    assert raised.value.problem.category == "timeout"
    assert not is_alive(reads.started[0])


async def test_one_that_nobody_needs_is_let_go(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT_SECONDS", 0.05)
    await reads(WORDS)
    async with asyncio.timeout(10):
        while is_alive(reads.started[0]):  # noqa: ASYNC110 -- it is a process that is waited for
            await asyncio.sleep(0.01)


async def test_none_outlives_the_workbench(reads: Reads) -> None:
    await reads(WORDS)
    await reads.readers.stop()
    assert not is_alive(reads.started[0])


AFTER_PRACTICE = """
import re, sys
from core.library import reader
from core.library.extracted import Block, Extracted
from core.library.description.description import describe
from core.library.structure.sections import structure_of
from core.library.chunking.chunks import chunk_structure
from core.setting_groups import Chunking

reader.practise()
made, compile = [], re._compiler.compile
re._compiler.compile = lambda *given: made.append(given[0]) or compile(*given)
texts = ("Minutes of a meeting\\nThe board of Alder Pumps Ltd met in Leeds on 4 May 2023.", "Costs rose by 3 %.")
read = Extracted(blocks=[Block(text=text) for text in texts], mime="text/plain")
chunk_structure(structure_of(read.blocks, read.bookmarks), Chunking())
describe(read, "minutes.txt")
print(len(made))
"""


def test_who_reads_a_file_need_not_make_again_what_was_practised() -> None:
    told = subprocess.run([sys.executable, "-c", AFTER_PRACTICE], capture_output=True, text=True, check=True)
    assert int(told.stdout) <= 5


async def test_a_file_that_takes_too_much_of_the_processor_is_refused_and_others_are_read(reads: Reads) -> None:
    reads.settings.deadlines.extraction_processor = 1
    reads.settings.deadlines.extraction_processor_megabyte = 0
    with pytest.raises(reading.UnreadableError) as raised:
        await reads(WORDS * 40_000)
    assert raised.value.problem.category == "timeout"
    assert "takes too long" in raised.value.problem.what.en
    assert (await reads(WORDS)).chunks
