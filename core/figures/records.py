"""Defines the records for answering: evidence from tables and sentences, questions and candidates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from core.figures.quarters import OwnQuarter
from core.language.normalisation import fold
from core.library.tables.records import Table
from core.records.answer import Answer, CellReference
from core.words import Words

Similar = Callable[[str, Sequence[str]], Awaitable[list[float]]]
"""Takes a phrase and texts; returns the similarity of each text to the phrase by embeddings, 0..1 (calibrated). The
code that provides the function limits its time."""


@dataclass(frozen=True)
class Origin:
    """The document that a piece of evidence is from: ``number`` is its citation number N in [N]; ``names`` are the
    names of its organisations; ``periods`` are the periods that it covers, under all their names (keys of
    ``core.language.entities.periods``). ``quarter`` is the quarter that it reports on."""

    number: int
    document_id: str
    title: str = ""
    filename: str = ""
    kind: str = "other"
    names: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    quarter: OwnQuarter | None = None

    @property
    def organisation(self) -> str:
        """The organisation's short name; empty if unknown."""
        return next(iter(self.names[1:2] or self.names[:1]), "")

    def may_be_by(self, others: Sequence[str]) -> bool:
        """Returns whether the document may be by one of the organisations ``others``; true if the names are unknown."""
        own, asked = ([fold(name) for name in names] for names in (self.names, others))
        return not own or not asked or any(one in other or other in one for one in own for other in asked)


@dataclass(frozen=True)
class TableEvidence:
    """A table as evidence; ``index`` is its number in its document, ``item_id`` the id of the best passage made from
    it; ``score`` is that passage's search score divided by the best one of all, 0..1; ``path`` are the headings
    above the table."""

    origin: Origin
    index: int
    table: Table
    item_id: str = ""
    path: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True)
class TextEvidence:
    """A passage; ``score`` as in :class:`TableEvidence`. ``is_table``: it was made from a table's rows."""

    origin: Origin
    item_id: str
    text: str
    path: tuple[str, ...] = ()
    page: int | None = None
    score: float = 0.0
    is_table: bool = False

    def reference(
        self,
        text: str,
        unit: str | None = None,
        scale: float = 1.0,
        currency: str | None = None,
        period: str | None = None,
    ) -> CellReference:
        """Returns a reference to ``text`` in this passage for an answer, with the figure that it states."""
        return CellReference(
            number=self.origin.number, document_id=self.origin.document_id, item_id=self.item_id, text=text, unit=unit,
            scale=scale, currency=currency, period=period, page=self.page,
        )  # fmt: skip


@dataclass(frozen=True)
class Evidence:
    """Tables and texts, best first."""

    tables: tuple[TableEvidence, ...] = ()
    texts: tuple[TextEvidence, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A possible answer; ``sureness`` is its certainty, 0..1: the share of such answers that are correct. ``reasons``
    are the features from which it was computed (name → 0..1), kept for calibration."""

    answer: Answer
    sureness: float
    reasons: dict[str, float] = field(default_factory=dict)

    def doubted(self, doubt: Words | None, most: float = 1.0) -> Candidate:
        """Returns the candidate with the given warning, or without one if none is given, and with certainty at most
        ``most``."""
        answer = self.answer.model_copy(update={"doubt": doubt})
        return replace(self, answer=answer, sureness=min(self.sureness, most))
