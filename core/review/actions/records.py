"""Defines the inputs and results of document actions."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.events import Passage, Quote, Source
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.library.tables.inert_cells import inert
from core.models.meter import Usage
from core.models.quotable import Quotable, quotables
from core.records.answer import CellReference
from core.review.actions.pages import page_mark
from core.store.items import MemoryItem
from core.words import Language, Words

_NUMBERED = re.compile(phrase_of("graph/actions.records.numbered"))

Progress = Callable[[int, int, Words], None]
"""Reports progress: steps done, total steps and the current step's description."""


def no_progress(done: int, total: int, words: Words) -> None:
    """Ignores progress; used if there is no listener."""


@dataclass
class ActionResult:
    """An action's result; ``text`` is Markdown with [N] markers, N the number of one of ``sources``; ``generated`` is
    true if a model wrote it."""

    text: str
    language: Language
    sources: list[Source]
    quotes: list[Quote] = field(default_factory=list)
    generated: bool = False
    notices: list[Words] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Statement:
    """A document's sentence with its position; ``order`` is its index in the document."""

    number: int
    passage: Passage
    quote: Quotable
    order: int
    section: str = ""

    @property
    def text(self) -> str:
        """The sentence without its clause number."""
        return _NUMBERED.sub("", self.quote.text, count=1) or self.quote.text

    def cited(self, language: Language) -> str:
        """Returns the sentence as a Markdown line with its page and its citation marker."""
        return f"{plain(self.text)} {page_mark(self.passage.page, language)}[{self.number}]"

    def as_quote(self) -> Quote:
        return Quote(number=self.number, item_id=self.passage.item_id, text=self.text)


def summary_document(items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """Returns the passages of a document's body, or all passages if it has no body."""
    body = [item for item in items if item.source.book is None or item.source.book.role == "body"]
    return body or list(items)


def whole_source(number: int, items: Sequence[MemoryItem]) -> Source:
    """Returns a whole document as one source: its ``items`` in reading order. Raises ``ValueError`` if there are
    none."""
    if not items:
        raise ValueError("a document without passages cannot be read")
    book = items[0].source.book
    return Source(
        number=number,
        document_id=items[0].document_id or items[0].id,
        title=book.title if book else "",
        filename=book.filename if book else "",
        score=1.0,
        passages=[passage_of(item) for item in sorted(items, key=lambda item: item.place.order)],
    )


def passage_of(item: MemoryItem) -> Passage:
    """Makes a passage for a document that is used whole, so that no search found it."""
    book = item.source.book
    return Passage(
        item_id=item.id,
        text=item.text,
        page=book.page if book else None,
        section=book.section if book else None,
        table=book.table if book else None,
        position=item.place.order,
        score=1.0,
        accepted_by="document",
    )


def statements(source: Source) -> list[Statement]:
    """Returns a document's quotable sentences in reading order, each once (overlapping passages repeat some)."""
    found: dict[str, Statement] = {}
    for passage in source.passages:
        title = passage.section or ""
        for quote in quotables(passage.text, (source.title, title)):
            found.setdefault(fold(quote.text), Statement(source.number, passage, quote, len(found), title))
    return list(found.values())


def cell_quotes(source: Source, table: int, label: str, text: str) -> Iterator[Quote]:
    """Returns the first line, in the passages made from ``table``, that contains both cells; empty if there is none."""
    for passage in (each for each in source.passages if each.table == table):
        if line := _line_with_cell(passage, label, text):
            yield Quote(number=source.number, item_id=passage.item_id, text=line)
            return


def row_quotes(sources: Sequence[Source], cell: CellReference) -> Iterator[Quote]:
    """Returns the passage line that holds the row of ``cell``."""
    source = next((each for each in sources if each.number == cell.number), None)
    if source is not None and cell.table is not None:
        yield from cell_quotes(source, cell.table, cell.label, cell.text)


def _line_with_cell(passage: Passage, label: str, text: str) -> str:
    return next((line.strip() for line in passage.text.splitlines() if label in line and text in line), "")


def titles_of(source: Source) -> list[str]:
    """Returns the section titles of ``source`` in order, each once."""
    return list(dict.fromkeys(passage.section for passage in source.passages if passage.section))


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Formats CSV; no cell starts with a character that a spreadsheet would read as a formula."""
    sheet = io.StringIO()
    csv.writer(sheet).writerows([inert(cell) for cell in row] for row in rows)
    return sheet.getvalue()


def table_row(cells: Sequence[str]) -> str:
    """Formats a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Formats ``text`` as one Markdown line without table borders or citation markers."""
    line = " ".join(text.split()).strip("| ").replace(" | ", " · ").replace("|", "·")
    return line.replace("[", "(").replace("]", ")")
