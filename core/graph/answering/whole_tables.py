"""Completes tables that were divided into several passages, for questions about figures."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Passage, Source
from core.graph.services import Services
from core.graph.state import State, asked_in_full
from core.language.fields import named_figures
from core.language.tokens import count_tokens
from core.library.tables.records import Table
from core.library.tables.rendering import SEPARATOR, heading, line

MOST_TABLES = 2
"""Number of tables of each document that are completed: those with the best passages."""
MOST_DOCUMENTS = 4
WHOLE_TOKENS = 1_500
"""Maximum tokens of a completed table; a longer one stays divided, between whole rows and with its headings."""


async def with_whole_tables(services: Services, state: State, sources: Sequence[Source]) -> list[Source]:
    """Returns ``sources`` in which the best table passages of each document show their whole tables, if the question
    names a figure or a statement."""
    if not named_figures(asked_in_full(state)):
        return list(sources)
    known = await services.turn.by_id(state)
    found: list[Source] = []
    for place, source in enumerate(sources):
        document = known.get(source.document_id)
        if place < MOST_DOCUMENTS and document and any(each.table is not None for each in source.passages):
            source = completed(source, await services.tables.get(state["asked"].user_id, document))
        found.append(source)
    return found


def completed(source: Source, tables: Sequence[Table]) -> Source:
    """Returns ``source`` with its best tables whole; their other passages are left out."""
    ranked = sorted((each for each in source.passages if each.table is not None), key=lambda each: -each.score)
    best: dict[int, Passage] = {}
    for passage in ranked:
        if passage.table is not None and (passage.table in best or len(best) < MOST_TABLES):
            best.setdefault(passage.table, passage)
    whole = {
        number: text
        for number, passage in best.items()
        if number < len(tables) and (text := whole_text(passage.text, tables[number]))
    }
    passages = []
    for passage in source.passages:
        if passage.table is None or passage.table not in whole:
            passages.append(passage)
        elif passage is best[passage.table]:
            passages.append(passage.model_copy(update={"text": whole[passage.table]}))
    return source.model_copy(update={"passages": passages})


def whole_text(text: str, table: Table) -> str:
    """Returns ``text``, a passage with some rows of ``table``, with all of them; nothing if none is missing, or if the
    whole table is too long."""
    rows = [row for row in map(line, table.rows) if row]
    lines = text.split("\n")
    shown = set(lines)
    if not rows or all(row in shown for row in rows) or not any(row in shown for row in rows):
        return ""
    head = heading(table)
    known = {*rows, *head.split("\n")}
    first = next((place for place, each in enumerate(lines) if SEPARATOR in each or each in known), 0)
    lead = "\n".join(lines[:first]).strip("\n")
    whole = "\n".join([*([lead, ""] if lead else []), *([head] if head else []), *rows])
    return whole if count_tokens(whole) <= WHOLE_TOKENS else ""
