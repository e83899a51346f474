"""Formats data sets, rows and lists as tool results: a table and its text."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import message
from core.tools.datagov.catalogue import Searchable
from core.tools.datagov.markdown import markdown_table
from core.tools.datagov.reading import Rows
from core.tools.datagov.records import Dataset, Resource, ResourceMap
from core.tools.datagov.scoring import Breakdown
from core.tools.datagov.search import Found
from core.tools.datagov.telling import age_of, day, reading_of, role_of, source_of
from core.tools.tool import Cell, FoundTable, ToolResult
from core.words import Language, Words

_PARTS = ("title", "tags", "other_names", "keywords", "place", "format", "lacking")
"""Parts of a score, in the order in which the explanation lists them."""


def sets_found(found: Found, current: Searchable, hint: Words | None, language: Language) -> ToolResult:
    """A list of the found data sets, with their scores and the reasons."""
    rows: list[list[Cell]] = [
        [
            each.dataset.title,
            each.dataset.publisher,
            each.resource.format if each.resource else "",
            each.dataset.changed[:10],
            round(each.score, 2),
            explained(each.breakdown).to(language),
            current.map.page(each.dataset),
            each.dataset.id,
        ]
        for each in found.candidates
    ]
    heads = ("title", "publisher", "format", "changed", "score", "why", "page", "id")
    table = _table(message("tools.datagov.sets").to(language), heads, rows, language)
    table.url = current.map.address
    built = message("tools.datagov.map_of", built=day(current.map.built_at), count=len(current.map.datasets))
    notes = [built, *([hint] if hint else [])]
    if not rows:
        notes.insert(0, message("tools.datagov.nothing"))
    parts = [" · ".join(str(cell) for cell in row if cell not in ("", None)) for row in rows]
    parts += [note.to(language) for note in notes]
    return ToolResult(text="\n".join(parts), parts=parts, found=bool(rows), tables=[table] if rows else [], notes=notes)


def explained(breakdown: Breakdown) -> Words:
    """A score's parts as text: "title 0.38, place 0.10"."""
    given = breakdown.model_dump()
    said = [
        message("tools.datagov.part_of_score", part=message(f"tools.datagov.parts.{part}"), value=f"{given[part]:.2f}")
        for part in _PARTS
        if abs(given[part]) >= 0.005
    ]
    return Words.joined(said, ", ")


def dataset_shown(dataset: Dataset, known: ResourceMap, language: Language) -> ToolResult:
    """One data set with its resources and their columns."""
    heads = ("resource", "format", "rows", "columns", "changed", "id")
    rows: list[list[Cell]] = [
        [
            each.title or dataset.title,
            each.format,
            each.rows,
            ", ".join(column.name for column in each.columns)
            if each.columns is not None
            else message("tools.datagov.unknown_columns").to(language),
            each.changed[:10],
            each.id,
        ]
        for each in dataset.resources
    ]
    table = _table(dataset.title, heads, rows, language)
    table.url, table.changed, table.publisher = known.page(dataset), dataset.changed[:10], dataset.publisher
    about, _ = source_of(table, None)
    parts = [about.to(language), dataset.notes, ", ".join(dataset.tags), age_of(table, known).to(language)]
    parts += [" · ".join(str(cell) for cell in row if cell not in ("", None)) for row in rows]
    parts = [part for part in parts if part]
    return ToolResult(text="\n".join(parts), parts=parts, tables=[table] if rows else [])


def rows_told(
    dataset: Dataset, resource: Resource, rows: Rows, offset: int, known: ResourceMap, language: Language
) -> ToolResult:
    """Rows of a resource, with the requested columns."""
    table = FoundTable(
        title=resource.title or dataset.title,
        columns=[column.name for column in rows.columns],
        rows=rows.rows,
        total=rows.total,
        url=known.page(dataset),
        changed=(resource.changed or dataset.changed)[:10],
        roles=[role_of(column) for column in rows.columns],
        publisher=dataset.publisher,
    )
    notes: list[Words] = []
    if rows.total is not None and offset + len(rows.rows) < rows.total:
        notes.append(message("tools.datagov.part", shown=len(rows.rows), total=f"{rows.total:,}"))
    notes += reading_of(rows)
    said = [*source_of(table, resource), age_of(table, known), *notes]
    told = [markdown_table(table.columns, table.rows), *(each.to(language) for each in said)]
    found = bool(rows.rows)
    return ToolResult(text="\n\n".join(told), parts=told, found=found, tables=[table] if found else [], notes=notes)


def listed(title: str, entries: Sequence[tuple[str, str, int | None]], language: Language) -> ToolResult:
    """Organisations, groups, tags or categories, each with its number of data sets."""
    heads = ("name", "title", "sets")
    table = _table(title, heads, [[name, label, count] for name, label, count in entries], language)
    parts = [f"{label} ({name}{f', {count}' if count is not None else ''})" for name, label, count in entries]
    return ToolResult(text="\n".join(parts), parts=parts, found=bool(entries), tables=[table] if entries else [])


def _table(title: str, heads: Sequence[str], rows: list[list[Cell]], language: Language) -> FoundTable:
    columns = [message(f"tools.datagov.heads.{head}").to(language) for head in heads]
    return FoundTable(title=title, columns=columns, rows=rows, total=len(rows))
