"""Describes results: the table, its source, its age, its totals, and notes for the reader."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.language.expansions import domains
from core.language.vocabulary import Entry, file_of
from core.messages import message
from core.tools.datagov.catalogue import Searchable
from core.tools.datagov.column_kinds import ColumnKind, serves
from core.tools.datagov.decomposition import AskedData
from core.tools.datagov.markdown import ROWS, markdown_table, telling_first
from core.tools.datagov.narrowing import Narrowed
from core.tools.datagov.reading import Rows
from core.tools.datagov.records import Column, Dataset, Resource, ResourceMap
from core.tools.datagov.search import Candidate, Found
from core.tools.datagov.totals import ColumnSum
from core.tools.datagov.word_groups import groups_by_domain
from core.tools.tool import ColumnRole, FoundTable, ToolResult
from core.words import Language, Words

_ROLES: dict[ColumnKind, ColumnRole] = {
    "city": "place", "address": "place", "district": "place", "date": "date", "year": "year", "month": "year",
    "money": "number", "quantity": "number", "share": "number", "price": "number",
}  # fmt: skip
OFFERED = 6
"""Number of categories suggested for a question that is too vague."""


@dataclass(frozen=True)
class Answer:
    """Everything that was found for a question; ``limit``: maximum number of rows to show."""

    asked: AskedData
    found: Found
    chosen: Candidate
    rows: Rows
    sums: list[ColumnSum]
    narrowed: Narrowed
    current: Searchable
    old: bool
    hint: Words | None
    limit: int


def tell(answer: Answer, language: Language) -> ToolResult:
    """The rows as a table, and a text from which a model can answer; users see the same facts in the notes."""
    table = _table(answer)
    counts, others, age = _counts(answer, table), _notes(answer, table), age_of(table, answer.current.map)
    text = ["\n".join(each.to(language) for each in counts)]
    if table.rows:
        text.append(markdown_table(table.columns, table.rows))
    text.append(
        "\n".join([*(each.to(language) for each in source_of(table, answer.chosen.resource)), age.to(language)])
    )
    text += [note.to(language) for note in others]
    beside = [each for each in answer.found.candidates if each.dataset.id != answer.chosen.dataset.id]
    if beside:
        titles = "; ".join(each.dataset.title for each in beside[:3])
        text.append(message("tools.datagov.others", titles=titles).to(language))
    parts = [part for part in text if part]
    return ToolResult(
        text="\n\n".join(parts),
        parts=parts,
        found=bool(table.rows),
        tables=[table] if table.rows else [],
        notes=[*counts, *others, age],
    )


def _table(answer: Answer) -> FoundTable:
    """The table with the most informative columns first."""
    rows, dataset = answer.rows, answer.chosen.dataset
    order = telling_first(rows.columns, answer.asked.columns)
    columns = [rows.columns[place] for place in order]
    resource = answer.chosen.resource
    return FoundTable(
        title=dataset.title,
        columns=[column.name for column in columns],
        rows=[[row[place] for place in order] for row in rows.rows[: answer.limit]],
        total=rows.total,
        url=answer.current.map.page(dataset),
        changed=((resource.changed if resource else "") or dataset.changed)[:10],
        roles=[role_of(column) for column in columns],
        publisher=dataset.publisher,
    )


def role_of(column: Column) -> ColumnRole:
    """The role of a column in sorting, charts and maps."""
    if column.kind == "coordinates":
        return _axis(column.name)
    return _ROLES.get(column.kind, "text") if column.kind else "text"


def _axis(name: str) -> ColumnRole:
    plain = name.strip().lower()
    if plain.startswith(("lat", "y")):
        return "latitude"
    return "longitude" if plain.startswith(("lon", "lng", "x")) else "text"


def _counts(answer: Answer, table: FoundTable) -> list[Words]:
    """The number of rows and the sums, which answer "how many"."""
    if not table.rows:
        key = "tools.datagov.no_row_there" if answer.narrowed.missed else "tools.datagov.no_rows"
        return [message(key, title=table.title)]
    said = []
    if answer.asked.counted or answer.asked.added_up:
        said.append(message("tools.datagov.count", count=answer.rows.total or len(answer.rows.rows)))
    return [*said, *(_sum(each, answer.rows) for each in answer.sums)]


def _sum(each: ColumnSum, rows: Rows) -> Words:
    """A column's sum as text; if it is partial, the text says how many rows it covers."""
    amount = f"{each.total:,.0f}" if each.total == int(each.total) else f"{each.total:,.2f}"
    told = message("tools.datagov.sum", column=each.column, total=amount)
    if each.year is not None:
        told = Words.joined([told, message("tools.datagov.sum_of_year", year=each.year)])
    if rows.complete:
        return told
    of = f"{rows.total:,}" if rows.total is not None else "?"
    return Words.joined([told, message("tools.datagov.sum_of_part", rows=f"{len(rows.rows):,}", of=of)])


def source_of(table: FoundTable, resource: Resource | None) -> list[Words]:
    """The source of a table's rows, and how many of all rows are shown."""
    shown = min(len(table.rows), ROWS)
    total = f"{table.total:,}" if table.total is not None else "?"
    return [
        message("tools.datagov.source", title=table.title, publisher=table.publisher, url=table.url),
        message("tools.datagov.records", shown=shown, total=total, format=resource.format if resource else ""),
    ]


def age_of(table: FoundTable, known: ResourceMap) -> Words:
    """When the rows last changed, and the age of the catalogue map that was used to find them."""
    return message("tools.datagov.changed", changed=table.changed or "?", built=day(known.built_at))


def reading_of(rows: Rows) -> list[Words]:
    """Notes on how the rows were read."""
    said = {"from_file": rows.from_file, "miscounted": rows.miscounted}
    return [message(f"tools.datagov.{key}") for key, is_so in said.items() if is_so]


def _notes(answer: Answer, table: FoundTable) -> list[Words]:
    rows = answer.rows
    is_part = table.rows and rows.total is not None and len(table.rows) < rows.total
    part = [message("tools.datagov.part", shown=len(table.rows), total=f"{rows.total:,}")] if is_part else []
    return [*answer.narrowed.notes, *part, *_doubts(answer)]


def notes_of(answer: Answer) -> list[Words]:
    """Notes for a reader of a result that is computed from all rows."""
    return [*answer.narrowed.notes, *_doubts(answer)]


def _doubts(answer: Answer) -> list[Words]:
    notes: list[Words] = []
    rows = answer.rows
    lacking = _lacking(answer)
    if lacking is not None:
        notes.append(lacking)
    notes += reading_of(rows)
    if answer.old:
        notes.append(message("tools.datagov.old_map", built=day(answer.current.map.built_at)))
    if answer.chosen.confidence == "low":
        notes.append(message("tools.datagov.unsure"))
    if answer.hint is not None:
        notes.append(answer.hint)
    return notes


def _lacking(answer: Answer) -> Words | None:
    """Requested columns that the data set lacks; unknown columns are not mentioned."""
    kinds = [column.kind for column in answer.rows.columns]
    lacking = [kind for kind in answer.asked.columns if kinds and not serves(kind, kinds)]
    if not lacking:
        return None
    names = Words.joined([message(f"tools.datagov.kinds.{kind}") for kind in lacking], ", ")
    return message("tools.datagov.lacking", columns=names)


def not_found(asked: AskedData, found: Found, current: Searchable, language: Language) -> ToolResult:
    """A result without rows: data sets that may answer the question, or suggestions on what to ask."""
    said: list[Words] = []
    if found.candidates:
        said.append(message("tools.datagov.rows_unreadable"))
        said += [
            _listed(each.dataset, each.resource.format if each.resource else "", current) for each in found.candidates
        ]
    else:
        said += [message("tools.datagov.nothing"), category_hint(asked, current)]
    told = [each.to(language) for each in said]
    return ToolResult(text="\n".join(told), parts=told, found=bool(found.candidates), notes=said)


def _listed(dataset: Dataset, form: str, current: Searchable) -> Words:
    return message(
        "tools.datagov.listed",
        title=dataset.title,
        publisher=dataset.publisher,
        format=form or "?",
        url=current.map.page(dataset),
    )


class _Examples(Entry):
    en: list[str]
    he: list[str]


_examples = file_of("datagov/categories", dict[str, _Examples])


def category_hint(asked: AskedData, current: Searchable) -> Words:
    """Suggested categories: those that match the question, else those with the most data sets."""
    held = {category: len(sets) for category, sets in current.index.categories.items() if category in _examples()}
    touched = [
        domain
        for domain, groups in groups_by_domain().items()
        if domain in held and any(unit.text in group for group in groups for unit in asked.subject)
    ]
    chosen = (touched or sorted(held, key=lambda each: (-held[each], each)))[:OFFERED]
    examples = _examples()
    lines = [
        Words.model_validate({"en": ", ".join(examples[each].en), "he": ", ".join(examples[each].he)})
        for each in chosen
    ]
    return message("tools.datagov.hint", examples=Words.joined(lines, "; "))


def category_name(category: str, language: Language) -> str:
    """A category's display name."""
    domain = domains().get(category)
    if domain is None:
        return ""
    return domain.he if language == "he" else domain.en


def day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
