"""Identifies a document's tables as financial statements, and indexes their rows by figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from threading import Lock

from core.figures.measures.labels import Words, ends_with, exactness, forms_of, words_of
from core.figures.records import Origin, TableEvidence
from core.language.fields import figures, statements
from core.language.vocabulary import pattern_of
from core.library.tables.records import Row, Table
from core.lru_cache import LruCache

FULL_STATEMENT = 6
"""Number of matching row labels from which a table is certainly that statement."""
_TITLED = 0.85
"""Minimum similarity for a table whose title names the statement; it is low, since a continuation page may have few of
the statement's rows."""
_WHOLE = 0.8
_CASH_FLOW, _CASH = "cash flow statement", "cash"
_SUPPLEMENT = 0.15
_LONGEST_TITLE = 9
_CACHED = 4096
_PARTIAL = pattern_of("answering/measures.statements.partial")
_OF_OTHERS = pattern_of("answering/measures.statements.of_others")
"""Entities such as guarantors, in the title of a table that looks like a statement but is not the company's own."""
_CONSOLIDATED = pattern_of("answering/measures.statements.consolidated")


@dataclass(frozen=True)
class RowMatch:
    """A row that states a figure: how exactly its label matches, and the label's position in the vocabulary."""

    row: int
    exactness: float
    order: int


@dataclass(frozen=True, eq=False)
class Statement:
    """A table with an index of its rows as a financial statement.

    ``likeness`` is its similarity to each kind of statement; ``hits`` are the rows that state each figure, ``headings``
    the rows with a figure's name but without values; ``words`` are those of its labels and headings; ``partial``: the
    table covers only a part of the company, or is not the statement itself; ``of_others``: it is of guarantors, of only
    the parent company, or of associated companies.
    """

    evidence: TableEvidence
    likeness: dict[str, float]
    hits: dict[str, list[RowMatch]]
    headings: dict[str, list[RowMatch]]
    words: frozenset[str]
    partial: bool
    consolidated: bool
    of_others: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the periods of its columns."""
        return frozenset(column.period for column in self.table.columns if column.period)

    @property
    def table(self) -> Table:
        return self.evidence.table


@dataclass(frozen=True)
class DocumentStatements:
    """One document with its tables indexed as statements."""

    origin: Origin
    statements: tuple[Statement, ...] = field(default=(), repr=False)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all its labels and headings."""
        return frozenset().union(*(each.words for each in self.statements))

    @cached_property
    def principal(self) -> dict[str, frozenset[int]]:
        """For each kind of statement, the numbers of the tables that form it: the first complete one and its
        continuations. Statements of guarantors, of only the parent company, or under other accounting standards rank
        lower."""
        return {kind: frozenset(self._principal(kind)) for kind in statements()}

    def _principal(self, kind: str) -> Iterator[int]:
        like = [each for each in self.statements if each.likeness.get(kind, 0.0) >= _WHOLE and not each.partial]
        first = next((each for each in like if each.consolidated), like[0] if like else None)
        if first is None:
            return
        page = first.table.page
        for each in like:
            near = page is None or each.table.page is None or 0 <= each.table.page - page <= 1
            if each is first or (near and each.consolidated and each.keys == first.keys):
                yield each.evidence.index


def statements_by_document(evidence: Sequence[TableEvidence]) -> list[DocumentStatements]:
    """Groups ``evidence`` by document, in its order."""
    parted: dict[str, list[TableEvidence]] = {}
    for each in evidence:
        parted.setdefault(each.origin.document_id, []).append(each)
    return [DocumentStatements(own[0].origin, tuple(map(_cached, own))) for own in parted.values()]


_kept: LruCache[tuple[str, int, tuple[str, ...]], tuple[Table, Statement]] = LruCache(_CACHED)
_keeping = Lock()


def _cached(evidence: TableEvidence) -> Statement:
    """Indexes a document's table once, and again only when it changes."""
    key = (evidence.origin.document_id, evidence.index, evidence.path)
    with _keeping:
        kept = _kept.get(key)
    if kept and (kept[0] is evidence.table or kept[0] == evidence.table):
        known = kept[1]
        return replace(known, evidence=evidence)
    made = _indexed(evidence)
    with _keeping:
        _kept[key] = (evidence.table, made)
    return made


def _indexed(evidence: TableEvidence) -> Statement:
    table = evidence.table
    hits: dict[str, list[RowMatch]] = {}
    headings: dict[str, list[RowMatch]] = {}
    lines: dict[str, set[str]] = {}
    spoken = {word for column in table.columns for part in column.header for word in words_of(part)}
    for number, row in enumerate(table.rows):
        for form in forms_of(row.label):
            spoken.update(form)
            for kind, line in _statement_lines(form):
                lines.setdefault(kind, set()).add(line)
            found = hits if any(cell.value is not None for cell in row.cells) else headings
            for key, hit in _hits(form, number, row, table):
                found.setdefault(key, []).append(hit)
    about = " ".join(filter(None, (table.caption, table.stub, *evidence.path[-2:])))
    headers = " ".join(part for column in table.columns for part in column.header)
    likeness = {kind: min(1.0, len(found) / FULL_STATEMENT) for kind, found in lines.items()}
    for kind in _statements_titled(table.caption or ""):
        if lines.get(kind):
            likeness[kind] = max(_TITLED, likeness[kind])
    if likeness.get(_CASH_FLOW, 0.0) >= _WHOLE:
        hits = _with_supplement_last(hits)
    text = f"{about} {headers}"
    partial, whole = bool(_PARTIAL.search(text)), bool(_CONSOLIDATED.search(text))
    others = bool(_OF_OTHERS.search(about))
    return Statement(evidence, likeness, hits, headings, frozenset(spoken), partial, whole, others)


def _with_supplement_last(hits: dict[str, list[RowMatch]]) -> dict[str, list[RowMatch]]:
    """Returns the rows of a cash flow statement with those below its closing balance of cash ranked lower: these are
    disclosures, such as purchases that are not paid yet."""
    closing = max((hit.row for hit in hits.get(_CASH, ())), default=None)
    if closing is None:
        return hits
    return {
        key: [replace(hit, exactness=hit.exactness - _SUPPLEMENT) if hit.row > closing else hit for hit in found]
        for key, found in hits.items()
    }


def _statements_titled(caption: str) -> Iterator[str]:
    """Yields the kinds of statement that the caption names: "Consolidated Statement of Cash Flows (continued)"."""
    parts = [words_of(part) for part in caption.split(" · ")] if caption else []
    short = " | ".join(" ".join(part) for part in parts if len(part) <= _LONGEST_TITLE)
    if short:
        yield from (kind for kind, name in _statement_titles() if f" {name} " in f" {short} ")


@cache
def _statement_titles() -> list[tuple[str, str]]:
    names = [(kind, words_of(name)) for kind, statement in statements().items() for name in statement.names]
    return [(kind, " ".join(name)) for kind, name in names if len(name) > 1]


def _hits(form: Words, number: int, row: Row, table: Table) -> Iterator[tuple[str, RowMatch]]:
    for line in _by_first_word().get(form[0] if form else "", ()):
        if form[: len(line.words)] != line.words:
            continue
        exact = exactness(form, line.words) if not line.later else ends_with(form, line.words, line.later)
        if exact and line.parent and not _stands_under(row, line.parent):
            continue
        if exact and line.below and not _stands_above(table, number, line.below):
            continue
        if exact:
            yield line.figure, RowMatch(number, exact, line.order)


def _stands_under(row: Row, parent: Words) -> bool:
    return any(set(parent) <= set(words_of(each)) for each in row.parents)


def _stands_above(table: Table, number: int, below: Words) -> bool:
    return any(words_of(row.label)[: len(below)] == below for row in table.rows[number + 1 :])


@dataclass(frozen=True)
class Line:
    """A printed label of a figure, from the vocabulary; ``order`` is its position among the figure's labels; ``parent``
    is the label of the heading above, ``below`` that of the row below, ``later`` are words later in the same label."""

    figure: str
    words: Words
    order: int
    parent: Words = ()
    below: Words = ()
    later: Words = ()


def line_of(figure: str, text: str, order: int = 0) -> Line:
    """Parses a label from the vocabulary, "parent > label ... later < row below", into the words of each part."""
    label, _, below = text.partition(" < ")
    parent, _, own = label.rpartition(" > ")
    begin, _, later = own.partition(" ... ")
    return Line(figure, words_of(begin), order, words_of(parent), words_of(below), words_of(later))


@cache
def _by_first_word() -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for key, figure in figures().items():
        for order, text in enumerate(figure.lines):
            line = line_of(key, text, order)
            found.setdefault(line.words[0], []).append(line)
    return found


@cache
def _lines_of_statements() -> dict[str, list[tuple[str, Words]]]:
    found: dict[str, list[tuple[str, Words]]] = {}
    for kind, statement in statements().items():
        for text in statement.lines:
            words = words_of(text)
            found.setdefault(words[0], []).append((kind, words))
    return found


def _statement_lines(form: Words) -> Iterator[tuple[str, str]]:
    for kind, line in _lines_of_statements().get(form[0] if form else "", ()):
        if form[: len(line)] == line:
            yield kind, " ".join(line)
