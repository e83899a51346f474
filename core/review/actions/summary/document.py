"""Holds a document for summarizing: its passages, kind, headings and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.events import Source
from core.figures.records import TableEvidence
from core.language.normalisation import fold
from core.library.records import Metadata
from core.review.actions.records import Statement, statements


@dataclass(frozen=True)
class DocumentDescription:
    """A document's metadata and structure; ``paths`` are the headings above each passage, by passage id."""

    metadata: Metadata
    pages: int | None = None
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tables: tuple[TableEvidence, ...] = ()


@dataclass(frozen=True)
class SummaryDocument:
    """A document to summarize; ``about`` is missing if nothing is known about it."""

    source: Source
    about: DocumentDescription | None = None

    @property
    def kind(self) -> str:
        return self.about.metadata.kind if self.about else "other"

    @property
    def periods(self) -> list[str]:
        """Returns the keys of the periods that the document covers, under the document's own names for them."""
        return list(dict.fromkeys(period.key for period in self.about.metadata.periods)) if self.about else []

    def column_name(self, key: str) -> str:
        """Returns the column name that the document's tables use for a fiscal year. If the year ends in the next
        calendar year, columns are headed by the end date."""
        if self.about is None:
            return key
        periods = self.about.metadata.periods
        ended = max((period.end[:4] for period in periods if period.end), default=key)
        own = {name for period in periods if period.key == key for name in period.names}
        return ended if key.isdigit() and ended in own else key

    @property
    def year(self) -> int | None:
        """Returns the newest year that the document covers, but only for reports: other documents mention past years
        freely."""
        reports = ("annual report", "quarterly report", "earnings release")
        years = [int(key[:4]) for key in self.periods if key[:4].isdigit()]
        return max(years) if years and self.kind in reports else None

    def path(self, statement: Statement) -> tuple[str, ...]:
        """Returns the headings above a statement, outermost first, without the document's title, which says nothing
        about a section."""
        known = self.about.paths.get(statement.passage.item_id) if self.about else None
        headings = known or ((statement.section,) if statement.section else ())
        title = fold(self.source.title)
        return tuple(heading for heading in headings if fold(heading) != title)

    def statements(self) -> list[Statement]:
        return statements(self.source)
