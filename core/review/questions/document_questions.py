"""Makes questions that one document answers: takes its tables, passages and sections; returns candidates.

They ask for figures of several periods, values under labels, cells of named rows and columns, defined terms, and for
what sentences state. Whether they are answered is tried afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.answering.prose.document_units import Unit, document_units
from core.figures.records import Origin, TextEvidence
from core.language.normalisation import fold
from core.library.records import Document
from core.library.tables.records import Table
from core.review.actions.table_questions import CitedTables, PastQuestions, is_subject, label_of, row_questions
from core.review.actions.themes import bare_title
from core.review.questions.candidate import CandidateQuestion
from core.review.questions.statement_questions import LONGEST_VALUE, Phrasing, is_label, is_row, is_topic, states_value
from core.store.items import MemoryItem
from core.words import Language

MOST_ROWS = 40
"""Maximum number of a table's rows that questions are made from."""
MOST_TABLES = 12
MOST_BELOW = 4
"""Maximum number of units under a heading that is asked about."""
MOST_BARE = 5
"""Number of labels with bare numbers from which a document is an index, whose numbers are pages."""

Made = tuple[str, str, str]
"""A question, what it asks about, and words that its answer has to contain."""


@dataclass(frozen=True)
class DocumentContent:
    """A document with its tables and passages; its ``units`` take time to compute."""

    document: Document
    tables: Sequence[Table] = ()
    passages: Sequence[MemoryItem] = ()

    def units(self) -> list[Unit]:
        origin = Origin(1, self.document.id, self.document.metadata.title, self.document.filename)
        return document_units(
            [
                TextEvidence(origin, each.id, each.text, tuple(book.path), book.page, is_table=book.table is not None)
                for each in self.passages
                if (book := each.source.book) is not None and book.role != "contents"
            ]
        )


def document_questions(
    content: DocumentContent, name: str, language: Language, asked: PastQuestions | None = None
) -> Iterator[CandidateQuestion]:
    """Yields questions about a document that is named ``name`` in them, those of each kind in turn."""
    past = asked or PastQuestions(frozenset(), frozenset())
    held = CitedTables.of(content.document, content.tables)
    units = content.units()
    phrasing = _phrasing(name, language, units)
    figures = ((text, text, "") for text in row_questions(held, past, language, known=asked is None))
    kinds = [
        _sentences(units, phrasing), _labels(content, units, phrasing, past), _cells(content, phrasing, past),
        _headings(units, phrasing, past),
    ]  # fmt: skip
    title, seen = fold(name), set[str]()
    for text, subject, expected in _in_turn([figures, *kinds] if held.organisation else kinds):
        key = fold(subject)
        if key not in seen and key not in title and key not in fold(content.document.metadata.title):
            seen.add(key)
            yield CandidateQuestion(text, content.document.id, subject, expected)


def _phrasing(name: str, language: Language, units: Sequence[Unit]) -> Phrasing:
    prose = "\n".join(unit.text for unit in units if unit.kind in ("sentence", "item"))
    labels = [unit.label for unit in units if unit.kind == "field" and " " in unit.label]
    titled = sum(label.istitle() for label in labels) * 2 > len(labels)
    return Phrasing(language, name, prose, titled)


def _labels(content: DocumentContent, units: Sequence[Unit], phrasing: Phrasing, past: PastQuestions) -> Iterator[Made]:
    """Yields questions for the values of labels that occur once, and are no heading or row of a table with columns."""
    labels = Counter(fold(label_of(unit.label)) for unit in units if unit.label)
    heads = {fold(each.stub or "") for each in content.tables} | _rows_of_named_columns(content.tables)
    fields = [unit for unit in units if unit.kind == "field" and not unit.empty and _is_labelled(unit)]
    index = sum(not any(map(str.isalpha, unit.text)) for unit in fields) >= MOST_BARE
    for unit in fields:
        label = label_of(unit.label)
        if labels[fold(label)] > 1 or fold(label) in heads or (index and not any(map(str.isalpha, unit.text))):
            continue
        if is_label(label) and states_value(unit.text) and is_subject(label, past):
            yield phrasing.label(label), label, unit.text


def _rows_of_named_columns(tables: Sequence[Table]) -> set[str]:
    named = [each for each in tables if any(column.header for column in each.columns)]
    return {fold(label_of(row.label)) for table in named for row in table.rows}


def _is_labelled(unit: Unit) -> bool:
    """Returns whether a label is marked as one, or has a figure in a table; two pieces of text side by side may be
    anything."""
    marked = unit.quote[len(unit.label) :].lstrip(" |*").startswith(":")
    return marked or (unit.passage.is_table and any(map(str.isdigit, unit.text)))


def _sentences(units: Sequence[Unit], phrasing: Phrasing) -> Iterator[Made]:
    """Yields questions that sentences answer: first those with a number, then the others."""
    said = [unit for unit in units if unit.kind in ("sentence", "item")]
    for unit in sorted(said, key=lambda each: not any(map(str.isdigit, each.text))):
        if made := phrasing.sentence(unit.text):
            yield (*made, unit.text)


def _cells(content: DocumentContent, phrasing: Phrasing, past: PastQuestions) -> Iterator[Made]:
    """Yields questions for the cells of rows and columns with a name, one of each row."""
    for table in content.tables[:MOST_TABLES]:
        columns = [label_of(column.header[-1]) if column.header else "" for column in table.columns]
        for place, row in enumerate(table.rows[:MOST_ROWS]):
            named = [
                (column, cell)
                for column, cell in zip(columns, row.cells, strict=False)
                if states_value(cell.text) and is_label(column) and is_subject(column, past)
            ]
            label = label_of(row.label)
            if named and is_row(label):
                column, cell = named[place % len(named)]
                text = phrasing.cell(column, label, is_number=cell.kind == "number")
                yield text, f"{column} {label}", cell.text


def _headings(units: Sequence[Unit], phrasing: Phrasing, past: PastQuestions) -> Iterator[Made]:
    """Yields questions for what is under a heading, if that is short."""
    for place, unit in enumerate(units):
        heading = label_of(bare_title(unit.text))
        below = list(takewhile(lambda each: each.kind != "heading", units[place + 1 : place + 2 + MOST_BELOW]))
        if unit.kind != "heading" or not 0 < len(below) <= MOST_BELOW:
            continue
        if is_topic(heading) and states_value(below[0].text[:LONGEST_VALUE]) and is_subject(heading, past):
            yield phrasing.heading(heading), heading, below[0].text


def _in_turn(kinds: Sequence[Iterator[Made]]) -> Iterator[Made]:
    """Yields one question of each kind, then a second of each, and so on."""
    waiting = list(kinds)
    while waiting:
        for each in list(waiting):
            made = next(each, None)
            if made is None:
                waiting.remove(each)
            else:
                yield made
