"""The process that reads files: ``python -m core.library.reader``, an order a line on its standard input.

Where systems fork, each order is obeyed by a fork of its own, whose exit code is told when it has ended. Elsewhere the
process ends with its first order.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import signal
import sys
import tempfile
from functools import lru_cache, partial
from itertools import chain
from typing import NoReturn

from core.errors import explain
from core.language.tokens import count_tokens
from core.library.chunking.chunks import Chunk, chunk_structure
from core.library.description.description import describe
from core.library.extract import extract, import_parser_for, problems
from core.library.extract.scans import EnoughError, KeptScans, Scans, WantedScans, words_from
from core.library.extract.sniff import TREES, Format, format_of
from core.library.extracted import Block, Extracted
from core.library.guard import inspect
from core.library.handover import PIECE, Handover
from core.library.intake.file_limits import TABLES
from core.library.reading import ENDED, ROWS, Outcome, Reading, ReadOrder, Recognise, processor_seconds
from core.library.record_tables.keeping import sampled, with_records
from core.library.record_tables.sizes import is_large
from core.library.structure.records import Outline
from core.library.structure.sections import structure_of
from core.library.tables.packing import pack
from core.library.tables.records import Table
from core.resilience.priority import stand_back
from core.resilience.watchdog import die_with_parent, leave, limit_memory, watch
from core.setting_groups import Chunking
from core.settings import Settings

MEMORY_BYTES = 4 * 1024**3
NICE = 5
"""Questions are answered before files are read."""
PRACTICE = ("A page", "The annual report of a company for the year 2024, with its revenue and its costs.")
"""A title that no list of words knows, so that each is gone through, and a text."""


def main() -> None:
    """Progress goes to standard output, a line each."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()
    stand_back(NICE)
    if sys.platform == "win32":
        if line := sys.stdin.readline():
            obey(ReadOrder.model_validate_json(line))
        return
    for number, line in enumerate(iter(sys.stdin.readline, "")):  # The end: its server is gone, or needs it no more.
        order = ReadOrder.model_validate_json(line)
        import_parser_for(order.filename)
        _settings_of(order)
        child = os.fork()
        if child == 0:
            _end_with(order)
        if number == 0:
            practise()
        _, status = os.waitpid(child, 0)
        _tell(ENDED, os.waitstatus_to_exitcode(status), 0)


def practise() -> None:
    """Make patterns, word lists and tokens once, which all have that are forked from here on."""
    extracted = Extracted(blocks=[Block(text=text) for text in PRACTICE], mime="text/plain")
    chunk_structure(structure_of(extracted.blocks, extracted.bookmarks), Chunking())
    describe(extracted, "practice.txt")


def _end_with(order: ReadOrder) -> NoReturn:
    """In a fork: what its parent goes on with is not touched on the way out."""
    code = 1
    try:
        die_with_parent()
        obey(order)
        code = 0
    except BaseException:
        logging.getLogger(__name__).exception("the reader of %s died", order.filename)
    finally:
        sys.stdout.flush()
        os._exit(code)


def obey(order: ReadOrder) -> None:
    """Write the outcome to the path that the order names."""
    watch(sys.stdin.fileno())
    limit_memory(MEMORY_BYTES)
    tempfile.tempdir = str(order.result.parent)  # The server removes it, also when this process is killed.
    _limit_processor(order)
    try:
        outcome = Outcome(reading=read(order)) if order.recognise is None else recognise(order, order.recognise)
    except MemoryError:
        outcome = Outcome(problem=problems.too_demanding(order.filename, MEMORY_BYTES).problem)
    except Exception as error:
        logging.getLogger(__name__).exception("%s could not be read", order.filename)
        outcome = Outcome(problem=explain(error))
    try:
        order.result.write_text(outcome.model_dump_json(), encoding="utf-8")
    except FileNotFoundError:
        leave()  # Its server is gone, and took the folder with it.


def read(order: ReadOrder) -> Reading:
    """Raises ``PalimpsestError`` for a file that cannot be used. What is long is handed over in pieces."""
    settings = _settings_of(order)
    inspect(order.path, order.filename, settings)
    found = format_of(order.path, order.filename)
    if found in TABLES and is_large(order.path, found, settings):
        return _read_large(order, found, settings)
    kept = KeptScans(order.scans) if order.scans else None
    with words_from(kept or Scans()):
        extracted = extract(order.path, order.filename, settings, partial(_tell, "extracting"))
    structure = structure_of(extracted.blocks, extracted.bookmarks)
    chunks, tables = chunk_structure(structure, settings.chunking), extracted.tables
    described, notes = extracted, extracted.notes
    if found in TABLES or found in TREES:
        chunks, tables, unkept = with_records(chunks, extracted.blocks, tables, settings.limits.table_vectors)
        described = extracted.model_copy(update={"blocks": sampled(extracted.blocks)})
        notes = [*notes, *unkept]
    _tell("chunking", len(chunks), len(chunks))
    reading = Reading(
        mime=extracted.mime,
        pages=extracted.pages,
        notes=notes,
        metadata=describe(described, order.filename, structure),
        text_sha256=hashlib.sha256(extracted.text.encode()).hexdigest(),
        tokens=count_tokens(extracted.text),
        chunks=chunks,
        outline=structure.outline(extracted.page_labels),
        tables=[pack(table) for table in tables],
        without_vectors=sum(chunk.role == "records" for chunk in chunks),
        scanned=kept.met if kept else 0,
        waiting=kept.waiting if kept else 0,
    )
    return _handed_over(order, reading) if order.in_pieces and len(chunks) > PIECE else reading


def _read_large(order: ReadOrder, found: Format, settings: Settings) -> Reading:
    """Of a table that is not held: without ``in_pieces`` all but its passages."""
    from core.library.record_tables.large_files import LargeFile  # Its parsers are only needed here.

    file = LargeFile(order.path, order.filename, found, settings, partial(_tell, ROWS))
    metadata = file.metadata()
    start = Reading(mime=file.mime, pages=file.pages, notes=[], metadata=metadata, text_sha256="", tokens=0, chunks=[])
    if not order.in_pieces:
        return start
    handover = Handover(order.result.parent, _tell)
    handover.begin(start)
    for piece in file.pieces():
        handover.add(piece)
    handover.flush()
    if not handover.passages:
        raise problems.empty(order.filename)
    return start.model_copy(
        update={
            "notes": file.notes,
            "text_sha256": file.text_sha256,
            "tokens": file.tokens,
            "outline": Outline(sections=file.sections),
            "passages": handover.passages,
            "without_vectors": handover.without_vectors,
        }
    )


def _handed_over(order: ReadOrder, reading: Reading) -> Reading:
    """``reading`` without its passages and tables, which went before it."""
    handover = Handover(order.result.parent, _tell)
    rest = reading.model_copy(update={"chunks": [], "tables": [], "passages": len(reading.chunks)})
    handover.begin(rest)
    for piece in chain[Chunk | Table](reading.tables, reading.chunks):
        handover.add(piece)
    handover.flush()
    return rest


def recognise(order: ReadOrder, pages: Recognise) -> Outcome:
    """Put pages into the folder of the order. Raises ``PalimpsestError`` where a picture is damaged."""
    assert order.scans
    report = partial(_tell, "recognising", total=pages.most)
    wanted = WantedScans(order.scans, pages.most, pages.at_once, pages.nice, report)
    try:
        with words_from(wanted):
            extract(order.path, order.filename, _settings_of(order))
    except EnoughError:
        pass
    finally:
        wanted.end()
    return Outcome()


def _settings_of(order: ReadOrder) -> Settings:
    return _settings(json.dumps(order.settings))


@lru_cache(maxsize=1)
def _settings(given: str) -> Settings:
    """Made once for all files, as the environment is asked for each."""
    return Settings.model_validate_json(given)


def _tell(stage: str, done: int, total: int) -> None:
    try:
        print(json.dumps([stage, done, total]), flush=True)
    except BrokenPipeError:
        leave()


def _limit_processor(order: ReadOrder) -> None:
    """Seconds of work and not of waiting: a busy machine takes nothing from a file's budget. The system ends this
    process when they are over, also in a parser that heeds no signal."""
    with contextlib.suppress(ImportError, ValueError, OSError, AttributeError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (processor_seconds(order.path, _settings_of(order).deadlines), hard))


if __name__ == "__main__":
    main()
