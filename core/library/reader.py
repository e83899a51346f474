"""Runs the process that reads files: ``python -m core.library.reader``, one order per line on standard input.

On systems with fork, each order runs in a forked process, whose exit code is reported when it has ended. On other
systems the process ends after its first order.
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
from pathlib import Path
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
"""Process priority of reading files, lower than that of answering questions."""
PRACTICE = ("A page", "The annual report of a company for the year 2024, with its revenue and its costs.")
"""A title that is in no word list, so that every list is searched, and a sample text."""


def main() -> None:
    """Run orders until standard input closes; progress goes to standard output, one line per event."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()
    stand_back(NICE)
    if sys.platform == "win32":
        if line := sys.stdin.readline():
            obey(ReadOrder.model_validate_json(line))
        return
    for number, line in enumerate(
        iter(sys.stdin.readline, "")
    ):  # The input has ended: the server is gone, or no longer needs this process.
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
    """Load patterns, word lists and the tokenizer once, so that all processes forked later share them."""
    extracted = Extracted(blocks=[Block(text=text) for text in PRACTICE], mime="text/plain")
    chunk_structure(structure_of(extracted.blocks, extracted.bookmarks), Chunking())
    describe(extracted, "practice.txt")


def _end_with(order: ReadOrder) -> NoReturn:
    """End a forked process without running the parent's cleanup code."""
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
    """Carry out an order and write the outcome to the path in the order."""
    watch(sys.stdin.fileno())
    limit_memory(MEMORY_BYTES)
    tempfile.tempdir = str(order.result.parent)  # The server removes it, even when this process is killed.
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
        leave()  # The server is gone, and its folder was removed with it.


def read(order: ReadOrder) -> Reading:
    """Read a file. Raises ``PalimpsestError`` for a file that cannot be used. Long results are handed over in
    pieces."""
    settings = _settings_of(order)
    inspect(order.path, order.filename, settings)
    found = format_of(order.path, order.filename)
    if found == "parquet":
        return _read_parquet(order)
    if found in TABLES and is_large(order.path, found, settings, as_dataset=order.as_dataset):
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


def _read_parquet(order: ReadOrder) -> Reading:
    """Read the rows of a Parquet file as those of a CSV file."""
    from core.library.extract.parquet import MIME, rows_as_csv

    try:
        rows = rows_as_csv(order.path, order.result.parent)
    except ValueError as error:
        raise problems.corrupt(order.filename, "PARQUET") from error
    name = Path(order.filename).with_suffix(".csv").name
    return read(order.model_copy(update={"path": rows, "filename": name})).model_copy(update={"mime": MIME})


def _read_large(order: ReadOrder, found: Format, settings: Settings) -> Reading:
    """Read a table that is too large for memory; without ``in_pieces`` everything except its passages."""
    from core.library.record_tables.large_files import LargeFile  # The parsers of large tables are only needed here.

    file = LargeFile(order.path, order.filename, found, settings, partial(_tell, ROWS), as_dataset=order.as_dataset)
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
            "shortened": file.shortened,
        }
    )


def _handed_over(order: ReadOrder, reading: Reading) -> Reading:
    """Return ``reading`` without its passages and tables, which were handed over before."""
    handover = Handover(order.result.parent, _tell)
    rest = reading.model_copy(update={"chunks": [], "tables": [], "passages": len(reading.chunks)})
    handover.begin(rest)
    for piece in chain[Chunk | Table](reading.tables, reading.chunks):
        handover.add(piece)
    handover.flush()
    return rest


def recognise(order: ReadOrder, pages: Recognise) -> Outcome:
    """Recognise pages and write them to the order's folder. Raises ``PalimpsestError`` if a picture is damaged."""
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
    """The settings, parsed once for all files, because reading the environment takes time."""
    return Settings.model_validate_json(given)


def _tell(stage: str, done: int, total: int) -> None:
    try:
        print(json.dumps([stage, done, total]), flush=True)
    except BrokenPipeError:
        leave()


def _limit_processor(order: ReadOrder) -> None:
    """Limit the processor time, not the waiting time, so that a busy machine does not shorten a file's budget. When it
    is used up, the operating system ends this process, even inside a parser that ignores signals."""
    with contextlib.suppress(ImportError, ValueError, OSError, AttributeError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (processor_seconds(order.path, _settings_of(order).deadlines), hard))


if __name__ == "__main__":
    main()
