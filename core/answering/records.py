"""What an answer may rest on, and what was made of it: tables and sentences of the documents found → candidates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from core.language.normalisation import fold
from core.library.tables.records import Table
from core.records.answer import Answer, CellReference
from core.words import Language, Words

Similar = Callable[[str, Sequence[str]], Awaitable[list[float]]]
"""A phrase and texts → how alike each is in meaning, 0..1 (calibrated); bounded in time by whoever made it."""


@dataclass(frozen=True)
class Origin:
    """The document that evidence stands in: ``number`` is its N of [N]; ``names`` are those of whom it is by and
    ``periods`` those that it covers, under all their names (keys of ``core.language.entities.periods``)."""

    number: int
    document_id: str
    title: str = ""
    filename: str = ""
    kind: str = "other"
    names: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()

    @property
    def organisation(self) -> str:
        """Whom the document is by, in short; empty where that is not known."""
        return next(iter(self.names[1:2] or self.names[:1]), "")

    def may_be_by(self, others: Sequence[str]) -> bool:
        """Whether it is by one of ``others``, as far as these and its own names are known."""
        own, asked = ([fold(name) for name in names] for names in (self.names, others))
        return not own or not asked or any(one in other or other in one for one in own for other in asked)


@dataclass(frozen=True)
class TableEvidence:
    """``index`` is the table's number in its document, ``item_id`` the best passage made of it; ``score`` what the
    search made of that passage, 0..1 beside the best one; ``path`` the headings above it."""

    origin: Origin
    index: int
    table: Table
    item_id: str = ""
    path: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True)
class TextEvidence:
    """A passage; ``score`` as in :class:`TableEvidence`. ``is_table``: it was made of a table's rows."""

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
        """What of it an answer stands on, with the figure that it states."""
        return CellReference(
            number=self.origin.number, document_id=self.origin.document_id, item_id=self.item_id, text=text, unit=unit,
            scale=scale, currency=currency, period=period, page=self.page,
        )  # fmt: skip


@dataclass(frozen=True)
class Evidence:
    """Best first."""

    tables: tuple[TableEvidence, ...] = ()
    texts: tuple[TextEvidence, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A possible answer; ``sureness`` in 0..1 is the share of such answers that are right, ``reasons`` what it was
    worked out of (a name → 0..1), for whoever calibrates it."""

    answer: Answer
    sureness: float
    reasons: dict[str, float] = field(default_factory=dict)

    def doubted(self, doubt: Words | None, most: float = 1.0) -> Candidate:
        """The same with that doubt, or without any; believed at the ``most`` so far."""
        answer = self.answer.model_copy(update={"doubt": doubt})
        return replace(self, answer=answer, sureness=min(self.sureness, most))


@dataclass(frozen=True)
class Question:
    """``text`` as asked, ``focus`` the part that asks, without how it is to be answered; ``entities`` and ``periods``
    (keys) that it is about, whoever settled them."""

    text: str
    language: Language
    focus: str
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()

    def owner(self, origin: Origin) -> str:
        """Whose figures a document of ``origin`` holds, as the question calls them where it names somebody."""
        return self.entities[0] if self.entities else origin.organisation
