"""Writes quotations as Markdown: sentences as quotations, table rows as tables under the headings of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from core.events import Source
from core.records.answer import CellReference
from core.words import Language
from viz.citations import page_words, quoted_page
from viz.quotes import Shown


def quotations_markdown(
    groups: Sequence[tuple[Source, list[Shown]]], cells: Sequence[CellReference], language: Language
) -> list[str]:
    """Returns one paragraph per quoted sentence and one table per run of rows with the same headings, each with its
    citation. Args: cells: the cells that the answer uses, whose pages count before those of their passages."""
    return [part for source, rows in groups for part in _of_source(source, rows, cells, language)]


def table_markdown(rows: Sequence[Sequence[str]], headings: Sequence[str] = ()) -> str:
    """Returns rows as a Markdown table, which always has a line of headings; they may be empty."""
    width = max(len(row) for row in (*rows, headings))
    head = [*headings, *[""] * (width - len(headings))]
    lines = [_row(head), _row(["---"] * width), *(_row([*row, *[""] * (width - len(row))]) for row in rows)]
    return "\n".join(lines)


def _of_source(
    source: Source, rows: Sequence[Shown], cells: Sequence[CellReference], language: Language
) -> Iterator[str]:
    for headings, group in groupby(rows, key=lambda each: tuple(each.headings) if each.cells else None):
        together = list(group)
        if headings is None:
            yield from (_sentence(source, each, cells, language) for each in together)
            continue
        pages = sorted({page for each in together if (page := quoted_page(source, each.quote, cells))})
        caption = ", ".join(part for part in (_flat(source.title), page_words(pages, language)) if part)
        yield f"{table_markdown([each.cells for each in together], headings)}\n\n{caption} [{source.number}]"


def _sentence(source: Source, shown: Shown, cells: Sequence[CellReference], language: Language) -> str:
    page = quoted_page(source, shown.quote, cells)
    place = f" ({page_words([page], language)})" if page else ""
    text = f"> {_flat(shown.quote.text)} [{source.number}]{place}"
    rows = [[cell.html.striptags() for cell in row] for row in shown.announced]
    return f"{text}\n\n{table_markdown(rows[1:], rows[0])}" if rows else text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_flat(cell).replace('|', '/') for cell in cells)} |"


def _flat(text: str) -> str:
    return " ".join(text.split())
