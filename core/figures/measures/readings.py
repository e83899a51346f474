"""Finds a figure's cell in one document: takes a figure and a period; returns the cells that may contain it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.figures.measures.columns import Place, columns_for
from core.figures.measures.labels import EXACT, exactness, forms_of
from core.figures.measures.statements import DocumentStatements, Line, RowMatch, Statement, line_of
from core.language.fields import Figure
from core.language.vocabulary import pattern_of
from core.library.tables.records import Cell, Row
from core.records.answer import CellReference

LEAST = 0.5
"""Minimum score of a reading."""
FIRM = 0.66
"""Score below which a reading carries a warning."""
_NEAR = 0.12
"""If a reading with a different value has a score this close to the best one, the best one is uncertain."""
_ROUNDING = 0.006
_LABEL, _STATEMENT, _CONSOLIDATED, _ORDER = 0.5, 0.38, 0.12, 0.004
_PARTIAL = 0.25
_OTHER_KIND = 0.25
_BEHIND = 0.13
"""Score penalty for a table that only resembles a statement, if the document contains the statement itself."""
_UNSAID_SCALE = 0.05
_PER_SHARE = pattern_of("answering/measures.readings.per_share")
_OUT_IN_BRACKETS = re.compile(r"\((?:expense|provision|loss|payment)[^()]*\)|^\(?provision for\)", re.IGNORECASE)
_IN_IN_BRACKETS = re.compile(r"\((?:income|benefit|credit|gain)[^()]*\)", re.IGNORECASE)
_RUN_IN = re.compile(r"(?:\bnet|[a-z]{4}) [A-Z][a-z]+ [a-z]")
"""Matches the start of a second label in a label that was merged from two rows."""
_LOSS = re.compile(r"^(?:net |operating )?loss\b(?!es)", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A figure read from a cell; ``value`` is unscaled, with the sign that the figure's name implies; ``score`` is the
    certainty, 0..1; ``place`` is its column."""

    key: str
    value: float
    statement: Statement
    row: int
    place: Place
    scale: float
    currency: str | None
    score: float
    hit: tuple[float, int] = (0.0, 0)

    @property
    def cell(self) -> Cell:
        return self.statement.table.rows[self.row].cells[self.place.column]

    def reference(self) -> CellReference:
        evidence, table = self.statement.evidence, self.statement.table
        row = table.rows[self.row]
        header = [part for part in table.columns[self.place.column].header if part]
        return CellReference(
            number=evidence.origin.number, document_id=evidence.origin.document_id, item_id=evidence.item_id,
            table=evidence.index, row=self.row, column=self.place.column, label=row.label, header=" ".join(header[-1:]),
            text=self.cell.text, value=self.cell.value, scale=self.scale, currency=self.currency,
            period=self.place.key, page=row.page or table.page,
        )  # fmt: skip


def readings(book: DocumentStatements, key: str, figure: Figure, period: str) -> list[Reading]:
    """Returns the readings of ``figure``, best first. The figure is from the vocabulary (``key``), or has the
    question's words as its labels."""
    found = [
        reading
        for statement in book.statements
        if not _is_of_others(book, statement, figure)
        for hit in _hits(statement, key, figure)
        for reading in _of_row(book, statement, hit, key, figure, period)
    ]
    found.sort(key=lambda each: -each.score)
    cells: dict[tuple[int, int, int], Reading] = {}
    for each in found:
        cells.setdefault((each.statement.evidence.index, each.row, each.place.column), each)
    return [each for each in cells.values() if each.score >= LEAST]


def parts(book: DocumentStatements, key: str, figure: Figure, period: str) -> list[Reading]:
    """Returns the rows under a heading that has the figure's name but no values itself; they add up to the figure.
    Empty for a per-share figure."""
    if figure.unit == "per share":
        return []
    own = book.principal.get(figure.statement or "", frozenset())
    for statement in book.statements:
        for hit in statement.headings.get(key, ()) if statement.evidence.index in own else ():
            rows = statement.table.rows
            heading = rows[hit.row].label.rstrip(" :")
            under = [at for at, row in enumerate(rows) if at > hit.row and row.parents[-1:] == [heading]]
            found = [
                reading
                for at in under
                for reading in _of_row(book, statement, replace(hit, row=at), key, figure, period)
            ]
            if len(found) == len(under) and len(found) > 1:
                return found
    return []


def run_in(book: DocumentStatements, best: Reading, figure: Figure, period: str) -> list[Reading]:
    """If the label of ``best`` is a heading merged with the row below it ("Inventories, net Raw materials" above "Work
    in process"), returns that row and the other rows of this heading, which add up to the figure."""
    rows = best.statement.table.rows
    label = rows[best.row].label
    if best.hit[0] >= EXACT or not _RUN_IN.search(label):
        return []
    under = [at for at in range(best.row + 1, len(rows)) if rows[at].parents[-1:] == [label.rstrip(" :")]]
    hit = RowMatch(best.row, *best.hit)
    found = [
        reading
        for at in under
        for reading in _of_row(book, best.statement, replace(hit, row=at), best.key, figure, period)
        if reading.place.column == best.place.column
    ]
    return [best, *found] if found and len(found) == len(under) else []


def rivals(found: list[Reading]) -> list[Reading]:
    """Returns readings that have another value but are as likely as the best one: from other tables, or from rows with
    the same name."""
    best = found[0]
    return [
        each
        for each in found[1:]
        if each.score > best.score - _NEAR and not is_same_value(each, best) and _is_rival(each, best)
    ]


def _is_of_others(book: DocumentStatements, statement: Statement, figure: Figure) -> bool:
    """Returns whether the table looks like the statement but is that of another entity, while the document also
    contains the company's own."""
    own = book.principal.get(figure.statement or "", frozenset())
    return statement.of_others and bool(own) and statement.evidence.index not in own


def _is_rival(other: Reading, best: Reading) -> bool:
    return other.statement is not best.statement or other.hit == best.hit or other.row == best.row


def is_same_value(one: Reading, other: Reading) -> bool:
    """Returns whether the values are equal apart from rounding."""
    return abs(one.value - other.value) <= max(_ROUNDING * abs(other.value), 0.51 * max(one.scale, other.scale))


def _hits(statement: Statement, key: str, figure: Figure) -> list[RowMatch]:
    if key in statement.hits:
        return statement.hits[key]
    return list(_hits_by_words(statement, [line_of(key, text) for text in figure.lines])) if not key else []


def _hits_by_words(statement: Statement, lines: list[Line]) -> Iterator[RowMatch]:
    for number, row in enumerate(statement.table.rows):
        exact = max((exactness(form, line.words) for form in forms_of(row.label) for line in lines), default=0.0)
        if exact:
            yield RowMatch(number, exact, 0)


def _of_row(
    book: DocumentStatements, statement: Statement, hit: RowMatch, key: str, figure: Figure, period: str
) -> Iterator[Reading]:
    table = statement.table
    row = table.rows[hit.row]
    if row.period and row.period[:4] != period[:4]:
        return
    places = [
        place
        for place in columns_for(table, period, book.origin, stock=figure.is_stock)
        if _is_of_kind(figure, row, row.cells[place.column], table.columns[place.column].unit)
    ]
    several = len({row.cells[place.column].value for place in places}) > 1
    for place in places:
        scale, units = _cell_scale(book, statement, figure, row, place.column)
        score = _reading_score(book, statement, hit, figure) * place.sure * (0.7 if several else 1.0) - (
            0 if units else _UNSAID_SCALE
        )
        cell = row.cells[place.column]
        value = _sign_corrected(figure, row.label, cell.value or 0.0) * scale
        currency = cell.currency or table.currency
        yield Reading(key, value, statement, hit.row, place, scale, currency, score, (hit.exactness, hit.order))


def _is_of_kind(figure: Figure, row: Row, cell: Cell, unit: str | None) -> bool:
    """Returns whether the cell contains the kind of value that the figure has; for net sales, a percentage of net sales
    is not."""
    if cell.value is None:
        return False
    is_share = cell.kind == "share" or unit == "%" or "%" in (row.unit or "")
    per_share = bool(_PER_SHARE.search(" ".join((*row.parents, row.label))))
    if figure.unit == "%":
        return is_share
    return not is_share and (figure.unit == "per share" or not per_share)


def _reading_score(book: DocumentStatements, statement: Statement, hit: RowMatch, figure: Figure) -> float:
    likeness = statement.likeness.get(figure.statement, 0.0) if figure.statement else 0.8
    score = -_OTHER_KIND * _is_other_kind(statement, figure)
    score += _LABEL * hit.exactness + _STATEMENT * likeness + _CONSOLIDATED * statement.consolidated
    own = book.principal.get(figure.statement or "", frozenset())
    behind = bool(own) and statement.evidence.index not in own
    return score - _ORDER * min(hit.order, 20) - _PARTIAL * statement.partial - _BEHIND * behind


def _is_other_kind(statement: Statement, figure: Figure) -> bool:
    """Returns whether the row is a balance in a flow statement, or a flow in a balance sheet. These must not be
    confused: changes in balances have the same labels as the balances."""
    if figure.statement is None or figure.formula:
        return False
    balance = statement.likeness.get("balance sheet", 0.0)
    flows = max(statement.likeness.get(kind, 0.0) for kind in ("income statement", "cash flow statement"))
    return flows > balance and flows >= 0.5 if figure.is_stock else balance > flows and balance >= 0.5


def _cell_scale(
    book: DocumentStatements, statement: Statement, figure: Figure, row: Row, column: int
) -> tuple[float, bool]:
    """Returns the cell's scale factor and whether it is stated: tables without one use the statements' scale."""
    table = statement.table
    if figure.unit in ("per share", "%"):
        return 1.0, True
    own = table.columns[column].scale or table.scale
    if own != 1.0 or table.units:
        return own, True
    usual = Counter(each.table.scale for each in book.statements if max(each.likeness.values(), default=0) >= 0.5)
    common = usual.most_common(1)[0][0] if usual else 1.0
    return common, common == 1.0


def _sign_corrected(figure: Figure, label: str, value: float) -> float:
    if figure.cost:
        if _IN_IN_BRACKETS.search(label):
            return value
        return -value if _OUT_IN_BRACKETS.search(label) else abs(value)
    return -value if _LOSS.search(label) and value > 0 else value
