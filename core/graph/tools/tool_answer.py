"""Builds an answer from a tool's results without a model: its tables and sentences with citations."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from core.events import Quote, Response, Source
from core.graph.tools.found_sources import titles_of
from core.language.sentences import split_sentences
from core.library.tables.inert_cells import inert
from core.messages import message
from core.records.source_table import SourceTable
from core.tools.manifest import attribution
from core.words import Language

MOST_ROWS = 20
"""Maximum table rows in the answer; the full table is below it."""
MOST_COLUMNS = 8
MOST_SENTENCES = 4
_NEGATIVE = re.compile(r"-\d+(\.\d+)?")
"""Matches a negative number written as text."""


def tool_answer(sources: Sequence[Source], language: Language, notes: Sequence[str] = ()) -> Response:
    """Shows tables with their row counts, texts by their first sentences, and the tools that found them."""
    tables = [each for each in sources if each.kind == "tool" and each.table is not None]
    said = [quote for each in sources if each.table is None for quote in _first_sentences(each)]
    parts = [
        *(_table(each, language) for each in tables),
        *(f"> {each.text} [{each.number}]" for each in said),
        *notes,
        attribution(titles_of(sources)).to(language),
    ]
    return Response(
        kind="extractive",
        text="\n\n".join(parts),
        language=language,
        # If the answer has a table, quotations are part of its text; without a table, they are displayed as quotations.
        quotes=[] if tables else said,
        remarks=[] if tables else [*notes],
        export=as_csv(tables[0].table) if tables and tables[0].table else "",
    )


def as_csv(table: SourceTable) -> str:
    """Returns all rows as CSV that is safe for a spreadsheet."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([_plain(each) for each in table.columns])
    writer.writerows([_plain(each) for each in row] for row in table.rows)
    return written.getvalue()


def _plain(cell: object) -> object:
    """Escapes text that a spreadsheet could run as a formula; negative numbers stay unchanged."""
    return inert(cell) if isinstance(cell, str) and not _NEGATIVE.fullmatch(cell) else cell


def _table(source: Source, language: Language) -> str:
    table = source.table
    assert table is not None
    columns = table.columns[:MOST_COLUMNS]
    lines = [_line(columns), "|" + " --- |" * len(columns)]
    lines += [_line(row[:MOST_COLUMNS]) for row in table.rows[:MOST_ROWS]]
    shown, total = min(len(table.rows), MOST_ROWS), table.total if table.total is not None else len(table.rows)
    counted = message("graph.tools.rows", shown=shown, total=total, title=source.title).to(language)
    return "\n\n".join([f"{counted} [{source.number}]", "\n".join(lines)])


def _line(cells: Sequence[object]) -> str:
    said = ["" if each is None else " ".join(str(each).replace("|", "\\|").split()) for each in cells]
    return f"| {' | '.join(said)} |"


def _first_sentences(source: Source) -> list[Quote]:
    best = max(source.passages, key=lambda each: each.score)
    said = [each.text for each in split_sentences(best.text)][:MOST_SENTENCES]
    return [Quote(number=source.number, item_id=best.item_id, text=each) for each in said]
