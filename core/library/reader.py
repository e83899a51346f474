"""The process that reads one file: ``python -m core.library.reader``, an order on its standard input."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import signal
import sys

from core.errors import explain
from core.language.tokens import count_tokens
from core.library.chunking.chunks import chunk_structure
from core.library.description.description import describe
from core.library.extract import extract, problems
from core.library.guard import inspect
from core.library.reading import OVER_BUDGET, Outcome, Reading, ReadOrder
from core.library.structure.sections import structure_of
from core.library.watchdog import die_with_parent, leave, watch
from core.settings import Settings

MEMORY_BYTES = 4 * 1024**3


def main() -> None:
    """Write the outcome to the path that the order names; progress goes to standard output, a line each."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()
    line = sys.stdin.readline()
    if not line:
        return  # Its server was gone before it could say what to read.
    watch(sys.stdin.fileno())
    order = ReadOrder.model_validate_json(line)
    _limit_memory()
    _limit_processor(order)
    try:
        outcome = Outcome(reading=read(order))
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
    """Raises ``PalimpsestError`` for a file that cannot be used."""
    settings = Settings.model_validate(order.settings)
    inspect(order.path, order.filename, settings)
    extracted = extract(
        order.path, order.filename, settings, lambda done, total: _report_progress("extracting", done, total)
    )
    structure = structure_of(extracted.blocks, extracted.bookmarks)
    chunks = chunk_structure(structure, settings.chunking)
    _report_progress("chunking", len(chunks), len(chunks))
    return Reading(
        mime=extracted.mime,
        pages=extracted.pages,
        notes=extracted.notes,
        metadata=describe(extracted, order.filename),
        text_sha256=hashlib.sha256(extracted.text.encode()).hexdigest(),
        tokens=count_tokens(extracted.text),
        chunks=chunks,
        outline=structure.outline(extracted.page_labels),
        tables=extracted.tables,
    )


def _report_progress(stage: str, done: int, total: int) -> None:
    try:
        print(json.dumps([stage, done, total]), flush=True)
    except BrokenPipeError:
        leave()


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _limit_processor(order: ReadOrder) -> None:
    """Seconds of work and not of waiting: a busy machine takes nothing from a file's budget."""
    with contextlib.suppress(ImportError, ValueError, OSError, AttributeError):
        import resource

        seconds = max(1, round(Settings.model_validate(order.settings).deadlines.extraction_processor))
        signal.signal(signal.SIGXCPU, lambda *_: os._exit(OVER_BUDGET))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


if __name__ == "__main__":
    main()
