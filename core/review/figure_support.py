"""Checks the numbers of a claim against the figures that its sources print, with their scale, unit and period.

A number is *found* when a cell or a sentence prints it for what the claim names, *computed* when it follows from
figures that the claim or its sources give (a change, a share, a difference, a sum), and *contradicted* when the row and
the column that the claim names print another value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from core.language import hebrew
from core.language.entities.dates import dates_in
from core.language.entities.facts import prepared
from core.language.entities.numerals import IN_DAYS
from core.language.entities.quantities import quantities
from core.language.vocabulary import words_of
from core.review.claims import Claim
from core.review.direction import FALL, RISE
from core.review.figure_direction import moves_agree
from core.review.lexicon import Term, is_held, keys, terms
from core.review.polarity import polarity
from core.review.printed_figures import PrintedFigure, labels_of, years_of
from core.review.relevance import capitalised
from core.review.superlatives import Superlative, ranked, superlative_in, without_superlative
from core.review.translated_terms import is_unknown, shared_terms

Outcome = Literal["found", "computed", "contradicted", "open"]

_LABEL = 0.5
"""Share of a row label's terms that a claim must hold."""
_COVERED = 0.75
"""Share of a claim's terms that the labels, columns, titles and sentences of its figures must hold."""
_NEARLY = 0.9
"""The same share for a figure that contradicts the claim."""
_LINE = 0.5
"""Share of a claim's terms that a sentence must hold for its amounts to be those of the claim."""
_BARE = 3
"""Terms up to which a claim is a cell: its table says what scale it is in."""
_YEAR_BEFORE = "=year_before"
_YEARS_STEP = 1_000
"""Largest value of the last digit of a year: 10 for 2020. A currency sign after a year belongs to the next number."""
_FEW = 12
"""Up to which a bare whole number counts things of the sentence itself: "these two figures"."""
_LIGHT = frozenset(key for word in words_of("grounding/patterns.figure_support.light") for key in keys(word))
_LIGHT |= {RISE, FALL}
_COMBINED = frozenset(key for word in words_of("grounding/patterns.figure_support.combined") for key in keys(word))
_COMBINED |= {RISE, FALL}


@dataclass(frozen=True)
class FigureCheck:
    """``shown`` says what decides: a line of a passage, or a calculation; ``figure`` is the cell it comes from.
    ``printed``: every number of the claim is printed somewhere, in this unit and scale."""

    outcome: Outcome
    figure: PrintedFigure | None = None
    shown: str = ""
    printed: bool = False


@dataclass(frozen=True)
class Amount:
    """A number of a claim in plain units; ``step`` is the value of its last digit, ``start`` its place."""

    value: float
    step: float
    unit: str
    start: int


@dataclass(frozen=True)
class Calculation:
    """A value computed from two figures; ``shown`` is the formula with their printed values: "15,758 ÷ 81,797"."""

    shown: str
    operands: tuple[PrintedFigure, PrintedFigure]


def check_figures(claim: Claim, question: str, figures: Sequence[PrintedFigure], titles: Sequence[str]) -> FigureCheck:
    """Checks every number of ``claim``.

    Args:
        claim: One sentence or cell of an answer.
        question: What was asked; with the claim's context it says what a short claim is about.
        figures: The figures of the sources that the claim cites.
        titles: The titles of these sources.
    """
    return _Check(claim, question, figures, titles).outcome()


def amounts_in(claim: str) -> list[Amount]:
    """The numbers that measure something: without years, lengths of time, and small counts next to other numbers."""
    years = years_of(claim)
    found = [
        Amount(value, quantity.step or 1.0, quantity.unit, quantity.start)
        for quantity in quantities(claim)
        if quantity.unit not in IN_DAYS
        for value in dict.fromkeys((quantity.low, quantity.high))
        if not (value in years and quantity.step <= _YEARS_STEP)
    ]
    larger = [amount for amount in found if amount.unit or amount.value > _FEW or not amount.value.is_integer()]
    return larger or found


class _Check:
    def __init__(self, claim: Claim, question: str, figures: Sequence[PrintedFigure], titles: Sequence[str]) -> None:
        context = f"{question} . {claim.context}"
        self.claim, self.titles, self.figures = claim.text, titles, figures
        self.amounts = amounts_in(self.claim)
        self.superlative = superlative_in(self.claim)
        self.terms = without_superlative(own_terms(self.claim), self.superlative)
        said = f"{context} . {self.claim}"
        self.held = keys(said) | shared_terms(said, labels_of(figures)).theirs
        self.is_bare = len(self.terms) <= _BARE
        # A short cell says little without its row label and column heading; a sentence names its own subject.
        depends = not self.terms or (claim.is_cell and self.is_bare)
        self.subject = [*self.terms, *own_terms(claim.subject)] if depends else self.terms
        self.years = years_of(self.claim) or years_of(context)
        self.days = _days([self.claim]) or _days([context])
        self.before = frozenset(year - 1 for year in self.years)
        self.fitting_years = self.years | self.before if self._compares_years() else self.years
        self.is_fiscal = bool(self.years & years_of(" ".join(titles)))
        self.near = [figure for figure in figures if self._is_about(figure)] if self.amounts else []
        self.open = FigureCheck(
            "open", printed=all(any(self._prints(figure, amount) for figure in figures) for amount in self.amounts)
        )

    def outcome(self) -> FigureCheck:
        if not self.amounts or not self.near:
            return self.open
        printed = {amount: [figure for figure in self.near if self._prints(figure, amount)] for amount in self.amounts}
        fitting = {amount: [each for each in found if self._fits(each)] for amount, found in printed.items()}
        worked = {amount: self._calculation(amount, fitting) for amount, found in fitting.items() if not found}
        calculations = {amount: calculation for amount, calculation in worked.items() if calculation}
        given = {**fitting, **{amount: list(each.operands) for amount, each in calculations.items()}}
        for amount in worked.keys() - calculations.keys():
            given[amount] = _difference(amount, given)
        if not all(given.values()):
            return self._of_another_period(printed) or self._contradicted(printed, fitting) or self.open
        evidence = [figure for figures in given.values() for figure in figures]
        if not all(any(each.is_cell for each in figures) for figures in given.values()):
            return self._of_another_period(printed) or self._contradicted(printed, fitting) or self.open
        if polarity(self.claim).count or not self._is_covered(evidence) or not moves_agree(self.claim, given):
            return self._of_another_period(printed) or self.open
        if self.superlative is not None:
            return self._ranked(self.superlative, fitting)
        if calculations:
            calculation = next(iter(calculations.values()))
            return FigureCheck("computed", calculation.operands[0], calculation.shown)
        return FigureCheck("found", evidence[0], evidence[0].line)

    def _ranked(self, superlative: Superlative, fitting: Mapping[Amount, Sequence[PrintedFigure]]) -> FigureCheck:
        """Checks that the amount next to a superlative is above, or below, the cells that it is compared with."""
        amounts = sorted(fitting, key=lambda amount: amount.start)
        behind = [amount for amount in amounts if amount.start >= superlative.end]
        cells = [each for each in fitting[(behind or amounts[-1:])[0]] if each.is_cell]
        found = [(cell, result) for cell in cells if (result := ranked(superlative, cell, self.figures))]
        for cell, result in found:
            if result.holds:
                return FigureCheck("computed", cell, result.shown)
        for _, result in found:
            if result.is_exact and result.rival is not None:
                return FigureCheck("contradicted", result.rival, result.shown)
        return self.open

    def _is_about(self, figure: PrintedFigure) -> bool:
        """Whether the claim names the figure's row or the days above it, or is about what its sentence says."""
        if not figure.is_cell:
            return share_held(self.terms, keys(figure.line)) >= _LINE
        days = _days([figure.label])
        if days and days <= self.days:
            return True
        own = terms(figure.row) or terms(figure.column)
        return not own or share_held(own, self.held) >= _LABEL

    def _compares_years(self) -> bool:
        """Whether the claim names the year before, or moves from one amount to another."""
        named = keys(self.claim) if years_of(self.claim) else self.held
        units = [amount.unit for amount in self.amounts]
        return _YEAR_BEFORE in named or (bool(named & {RISE, FALL}) and len(set(units)) < len(units))

    def _fits(self, figure: PrintedFigure) -> bool:
        """Whether the claim may be about the period of the figure's column."""
        own = years_of(figure.column)
        return not own or not self.years or bool(own & self._years_for(figure))

    def _years_for(self, figure: PrintedFigure) -> frozenset[int]:
        """Returns the calendar years of columns that the claim may be about in the figure's row.

        The fiscal year of a document may begin in the calendar year before. It does so only where no column of the row
        is in the year that the claim names: next to "February 2, 2019", the year 2019 is not "February 3, 2018". If the
        newest column is in the year before the claim's newest year, all years of the claim are one year later.
        """
        columns = frozenset(year for cell in figure.cells for year in years_of(cell.column))
        if self.is_fiscal and columns and not self.days and max(self.years) == max(columns) + 1:
            return frozenset(year - 1 for year in self.fitting_years)
        if self.is_fiscal and not columns & self.years:
            return self.fitting_years | self.before
        return self.fitting_years

    def _prints(self, figure: PrintedFigure, amount: Amount) -> bool:
        """Whether the figure is the amount, in a scale that its table and the claim allow.

        A sentence that says "$1,204" of a table in millions is wrong; a cell of the answer's own table is not.
        """
        if not _same_unit(figure, amount):
            return False
        as_printed = self.is_bare or not amount.unit or figure.step < 1 or figure.unit == "percent"
        scales = figure.scales if as_printed else figure.scales[:-1] or (1.0,)
        scales = (1.0,) if figure.unit == "percent" else scales
        return any(_equal(amount, figure.value * scale, figure.step * scale) for scale in scales)

    def _calculation(
        self, amount: Amount, fitting: dict[Amount, list[PrintedFigure]], combined: bool = False
    ) -> Calculation | None:
        """Returns two figures from which ``amount`` follows: those of the claim itself first. ``combined``: no word of
        the claim needs to say that it is a change, a difference or a sum."""
        together = combined or bool(self.held & _COMBINED)
        own = [figure for other, found in fitting.items() if other != amount for figure in found[:3]]
        named = [each for each in self.near if each.is_cell and self._fits(each) and self._names(each)]
        for operands in (own, named):
            for one, other in combinations(operands, 2):
                if self._belong_together(one, other):
                    found = next(
                        (shown for shown, value in results(one, other, amount, together) if _equal(amount, value, 0.0)),
                        None,
                    )
                    if found:
                        return Calculation(found, (one, other))
        return None

    def _names(self, figure: PrintedFigure) -> bool:
        own = terms(figure.row)
        return bool(own) and share_held(own, self.held) >= 1.0

    @staticmethod
    def _belong_together(one: PrintedFigure, other: PrintedFigure) -> bool:
        """Whether both are of one row, or of one column."""
        return one.value != other.value and (one.row == other.row or one.column == other.column)

    def _is_covered(self, evidence: Sequence[PrintedFigure]) -> bool:
        texts = [*self.titles, *(_text(each) for each in evidence)]
        return (
            self._explains(evidence)
            and _lengths([self.claim]) <= _lengths(texts)
            and _days([self.claim]) <= _days(texts)
            and years_of(self.claim) <= years_of(" . ".join(texts))
        )

    def _explains(
        self, evidence: Sequence[PrintedFigure], share: float = _COVERED, subject: Sequence[Term] | None = None
    ) -> bool:
        """Whether the figures' texts and the titles hold what the claim says apart from its numbers, and each name.

        ``subject``: terms to hold instead of the claim's own.
        """
        text = " . ".join([*self.titles, *(_text(each) for each in evidence)])
        held, names = keys(text), capitalised(self.claim)
        if hebrew.is_hebrew(self.claim) != hebrew.is_hebrew(text):
            held |= shared_terms(self.claim, text).ours
            names |= {term.word for term in self.terms if not term.is_concept and is_unknown(term.word)}
        return share_held(self.terms if subject is None else subject, held) >= share and all(
            is_held(term, held) for term in self.terms if term.word in names
        )

    def _of_another_period(self, printed: dict[Amount, list[PrintedFigure]]) -> FigureCheck | None:
        """Returns the figure that prints the claim's numbers for a period other than the claim's."""
        evidence = [figure for found in printed.values() for figure in found]
        years = years_of(self.claim)
        if not years or not all(printed.values()) or not self._explains(evidence, _NEARLY, self.subject):
            return None
        dated = [figure for figure in evidence if years_of(f"{figure.column} {figure.line}")]
        known = years_of(" . ".join([*self.titles, *(_text(figure) for figure in evidence)]))
        return FigureCheck("contradicted", dated[0], dated[0].line) if dated and not years <= known else None

    def _contradicted(
        self, printed: dict[Amount, list[PrintedFigure]], fitting: dict[Amount, list[PrintedFigure]]
    ) -> FigureCheck | None:
        """Returns the figure that the sources have in place of the one number of the claim that they do not print.

        Its row or sentence, with those of the other numbers, must explain all of the claim but that number. A number
        that only the columns of earlier years print is not printed either.
        """
        lacking = [amount for amount, found in printed.items() if not found]
        lacking = lacking or [
            amount for amount, found in fitting.items() if not found and all(map(self._is_earlier, printed[amount]))
        ]
        if len(lacking) != 1:
            return None
        used = [figure for found in printed.values() for figure in found]
        amount = lacking[0]
        if self._calculation(amount, printed, combined=True) or _difference(amount, printed):
            return None
        others = [
            each
            for each in self.near
            if _same_unit(each, amount) and not any(self._prints(each, one) for one in self.amounts)
        ]
        rows = [each for each in others if each.is_cell and self._names(each) and self._is_column(each)]
        rows = [each for each in rows if self._explains([each, *used], subject=self.subject)]
        most = max((len(terms(each.row)) for each in rows), default=0)
        is_counted = bool(amount.unit) or amount.value > _FEW
        rows = [each for each in rows if len(terms(each.row)) == most and (is_counted or max(each.scales) == 1.0)]
        if rows:
            return FigureCheck("contradicted", rows[0], rows[0].line)
        for figure in others if self.subject and is_counted else ():
            rivals = [each for each in others if each.line == figure.line]
            if not figure.is_cell and len(rivals) == 1 and self._is_otherwise(figure):
                return FigureCheck("contradicted", figure, figure.line)
        return None

    def _is_earlier(self, figure: PrintedFigure) -> bool:
        """Whether the figure's column is before the one year of the claim; a fiscal year may end in the year after."""
        own = years_of(figure.column)
        return bool(own) and len(self.years) == 1 and max(own) < min(self.years)

    def _is_otherwise(self, figure: PrintedFigure) -> bool:
        """Whether the figure's sentence is about the claim's subject and, if it names years, about all of its years."""
        years = years_of(figure.line)
        return self._explains([figure], _NEARLY, self.subject) and (not years or years_of(self.claim) <= years)

    def _is_column(self, figure: PrintedFigure) -> bool:
        """Whether the claim names the period of the figure's column."""
        own = _days([figure.column])
        if own and self.days:
            return own <= self.days
        years = years_of(figure.column)
        return bool(years) and years <= self._years_for(figure)


def own_terms(text: str) -> list[Term]:
    """Returns the terms of a text that its figures must explain: without years, directions and light words."""
    return [term for term in terms(text) if not (_is_light(term) or term.key.isdecimal() or years_of(term.word))]


def _is_light(term: Term) -> bool:
    forms = hebrew.variants(term.word) if hebrew.is_hebrew(term.word) else ()
    return term.key in _LIGHT or any(form in _LIGHT for form in forms)


def _difference(amount: Amount, given: Mapping[Amount, Sequence[PrintedFigure]]) -> list[PrintedFigure]:
    """Returns the figures of two other amounts of the claim whose difference is ``amount``: "from 17.6% to 19.3%, up
    1.7 points"."""
    known = [other for other, figures in given.items() if figures and other.unit == amount.unit]
    for one, other in combinations(known, 2):
        if _equal(amount, abs(one.value - other.value), 0.0):
            return [*given[one], *given[other]]
    return []


def _text(figure: PrintedFigure) -> str:
    return f"{figure.label} . {figure.column} . {figure.line}"


def _days(texts: Iterable[str]) -> set[tuple[int | None, int | None, int | None]]:
    spans = (span.day for text in texts for span in dates_in(prepared(text)))
    return {(day.year, day.month, day.day) for day in spans if day.day}


def _lengths(texts: Iterable[str]) -> set[tuple[float, str]]:
    """The lengths of time that the texts name."""
    return {(each.low, each.unit) for text in texts for each in quantities(text) if each.unit in IN_DAYS}


def share_held(wanted: Sequence[Term], held: frozenset[str]) -> float:
    return sum(is_held(term, held) for term in wanted) / len(wanted) if wanted else 1.0


def _same_unit(figure: PrintedFigure, amount: Amount) -> bool:
    if (amount.unit == "percent") != (figure.unit == "percent"):
        return False
    return not amount.unit or not figure.unit or amount.unit == figure.unit


def _equal(amount: Amount, value: float, step: float) -> bool:
    """Whether ``amount`` is ``value``, or ``value`` rounded to the last digit of the amount."""
    slack = amount.step / 2 if step < amount.step <= max(abs(amount.value) / 9, 1.0) else 0.0
    return abs(amount.value - value) <= slack + 1e-9 * max(1.0, abs(value))


def results(one: PrintedFigure, other: PrintedFigure, amount: Amount, together: bool) -> Iterator[tuple[str, float]]:
    """Yields what two figures give: a share; with a word for it (``together``) a change, a difference and a sum."""
    a, b = one.value, other.value
    if amount.unit != "percent":
        for scale in one.scales if one.scales == other.scales and together else ():
            yield f"{max(a, b):,g} − {min(a, b):,g}", abs(a - b) * scale
            yield f"{a:,g} + {b:,g}", (a + b) * scale
        return
    if "percent" in (one.unit, other.unit):
        return
    for x, y in ((a, b), (b, a)):
        if y:
            yield f"{x:,g} ÷ {y:,g}", 100 * x / y
            if one.row == other.row and together:
                yield f"({x:,g} − {y:,g}) ÷ {y:,g}", 100 * abs(x - y) / y
