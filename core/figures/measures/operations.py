"""Runs an operation (value, change, average, trend) on a measure: returns line, value and calculation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.figures.measures.amounts import Amount, ratio
from core.figures.measures.columns import newest_year, year_before
from core.figures.measures.results import Result, amount, amount_of, printed, results, series
from core.figures.measures.statements import DocumentStatements
from core.figures.measures.wording import entity_of, name_of, period_text, sources, when
from core.question.analysed import AnalysedQuestion
from core.question.measures.formulas import Formula, formulas_of, is_averaged
from core.question.measures.question import Measure, MeasureQuestion, Operation, years_from
from core.question.measures.vocabulary import asks, line, piece, says
from core.records.answer import AnswerKind
from core.words import Language

_USUAL_YEARS = 3


@dataclass(frozen=True)
class MeasureOutcome:
    """The result of an operation; ``amount`` is set if the answer is a number, ``verdict`` if it is a word; ``results``
    are the figures it is based on."""

    kind: AnswerKind
    line: str
    results: tuple[Result, ...]
    calculation: str
    amount: Amount | None = None
    verdict: str | None = None
    others: tuple[Result, ...] = ()
    threshold: float | None = None


@dataclass(frozen=True)
class Case:
    """One requested measure, with the documents to read it from (``books``) and the resolved periods."""

    question: AnalysedQuestion
    asked: MeasureQuestion
    measure: Measure
    books: tuple[DocumentStatements, ...]
    periods: tuple[str, ...]

    def name(self) -> str:
        return name_of(self.measure, self.question.language)

    def entity(self, result: Result) -> str:
        return entity_of(self.question, result)

    def when(self, period: str) -> str:
        return when(self.measure, period, self.question.language)

    def amount(self, result: Result) -> Amount:
        return amount(result, self.measure, self.asked)

    def text(self, result: Result) -> str:
        return self.amount(result).text(self.language)

    @property
    def language(self) -> Language:
        return self.question.language

    def line(self, wording: str, of: Result, results: Sequence[Result], **parts: str) -> str:
        """Builds a sentence about the measure from the template ``wording``, for the document of the result ``of``,
        with citations of ``results``."""
        named = {"figure": self.name(), "entity": self.entity(of), "sources": sources(results)}
        return line(wording, self.language, **named, **parts)


def periods_to_read(asked: MeasureQuestion, books: Sequence[DocumentStatements]) -> tuple[str, ...]:
    """Returns the periods for which figures are needed: those that the question names, or else the newest, and any
    others that the operation needs."""
    named = asked.periods
    if not named:
        years = [newest_year((each.table for each in book.statements if each.likeness), book.origin) for book in books]
        named = tuple(sorted(year for year in years if year)[-1:])
    if not named:
        return ()
    if asked.operation in ("average", "steady", "sum", "compound") or (asked.operation == "value" and asked.years):
        if len(named) == 1:
            back = (asked.years or _USUAL_YEARS) - 1
            return tuple(years_from(str(int(named[0]) - back), named[0])) if named[0].isdigit() else named
        return tuple(years_from(named[0], named[-1]))
    if asked.operation in ("change", "percent change", "trend"):
        return (year_before(named[0]), named[0]) if len(named) == 1 else (named[0], named[-1])
    return named


def value(case: Case) -> MeasureOutcome | None:
    """Returns the measure at each period; if a later filing states a different value, returns both."""
    found = [results(case.books, case.measure, period, closing=case.asked.closing) for period in case.periods]
    if not all(found):
        return None
    best = [each[0] for each in found]
    if len(best) == 1:
        told = case.text(best[0]) + _closing(case, best[0])
        text = case.line("value", best[0], best, when=case.when(best[0].period), value=told)
    else:
        each = ", ".join(f"{case.text(result)} {case.when(result.period)}" for result in best)
        text = case.line("value", best[0], best, when="", value=each).replace(" :", ":")
    others = _conflicting_results(case, found[0]) if len(best) == 1 else ()
    for other in others:
        origin = other.book.origin
        source, number = origin.title or origin.filename, str(origin.number)
        text += piece("also", case.language, source=source, value=case.text(other), number=number)
    kind: AnswerKind = "figure" if len(best[-1].worked.inputs) == 1 else "calculation"
    return MeasureOutcome(kind, text, tuple(best), calculation(case, best[-1]), case.amount(best[-1]), others=others)


def _closing(case: Case, result: Result) -> str:
    """Returns the measure based on year-end balances, if the usual definition uses the average of two."""
    what = case.measure.what
    if case.measure.defined or case.asked.closing or isinstance(what, Formula):
        return ""
    if not any(map(is_averaged, formulas_of(what.key)[:1])):
        return ""
    other = next((each for each in results([result.book], case.measure, result.period, closing=True)), None)
    if other is None or case.text(other) == case.text(result):
        return ""
    return piece("closing", case.language, value=case.text(other))


def _conflicting_results(case: Case, found: Sequence[Result]) -> tuple[Result, ...]:
    """Returns results from other documents that differ from the result of the first document."""
    first = found[0]
    return tuple(
        other
        for other in found[1:]
        if case.amount(other).text() != case.amount(first).text()
        and abs(other.worked.value - first.worked.value) > 1e-3 * max(abs(first.worked.value), 1e-9)
    )


def calculation(case: Case, result: Result) -> str:
    """Returns the calculation as text: "6,098 ÷ 17,606 = 34.6 %"; empty if the value is read from a single cell."""
    if len(result.worked.inputs) == 1 and not isinstance(case.measure.what, Formula):
        return ""
    return f"{_unbracketed(result.worked.shown)} = {case.text(result)}"


def _unbracketed(shown: str) -> str:
    return shown[1:-1] if shown.startswith("(") and shown.endswith(")") and shown.count("(") == 1 else shown


def ends(case: Case) -> tuple[Result, Result] | None:
    """Returns the results of the first and the last period, if both exist."""
    both = (case.periods[0], case.periods[-1])
    before, now = series(case.books, case.measure, both, closing=case.asked.closing)
    if before and now and before.worked.whole != now.worked.whole:
        before, now = series(case.books, case.measure, both, closing=True)
    return (before, now) if before and now else None


def change(case: Case) -> MeasureOutcome | None:
    """Returns the change from the first to the last period, in its unit or in per cent of the first."""
    two = ends(case)
    if two is None:
        return None
    before, now = two
    moved = share_moved(case, before, now) if case.asked.operation == "percent change" else moved_by(case, before, now)
    if moved is None:
        return None
    up = now.worked.value >= before.worked.value
    went = says("went up" if up else "went down", case.language)
    by = replace(moved, value=abs(moved.value)).text(case.language)
    text = case.line("change", now, two, went=went, value=by, **_both_ends(case, before, now))
    return MeasureOutcome("calculation", text, two, _change_shown(case, before, now, moved), moved)


def _both_ends(case: Case, before: Result, now: Result) -> dict[str, str]:
    return {
        "before": case.text(before), "earlier": case.when(before.period),
        "now": case.text(now), "later": case.when(now.period),
    }  # fmt: skip


def share_moved(case: Case, before: Result, now: Result) -> Amount | None:
    """Returns the change in per cent of the first value."""
    if before.worked.value == 0:
        return None
    return ratio((now.worked.value - before.worked.value) / abs(before.worked.value), "%", case.asked.decimals)


def moved_by(case: Case, before: Result, now: Result) -> Amount:
    """Returns the difference in the measure's unit; for percentages, in percentage points."""
    moved = now.worked.value - before.worked.value
    if case.amount(now).unit == "%":
        return ratio(moved, "points", case.asked.decimals or 1)
    return amount_of(moved, now.worked, case.measure, case.asked)


def _change_shown(case: Case, before: Result, now: Result, moved: Amount) -> str:
    one, two = _printed_or_worked(case, before), _printed_or_worked(case, now)
    if moved.unit == "%" and case.asked.operation == "percent change":
        return f"({two} − {one}) ÷ {one} = {moved.text()}"
    shown = f"{two} − {one} = {moved.text()}"
    own = [calculation(case, each) for each in (before, now)]
    return "; ".join([each for each in own if each] + [shown])


def _printed_or_worked(case: Case, result: Result) -> str:
    return printed(result.worked.inputs[0]) if _is_cell(case, result) else case.text(result)


def _is_cell(case: Case, result: Result) -> bool:
    return len(result.worked.inputs) == 1 and result.worked.power == 1 and not isinstance(case.measure.what, Formula)


def average(case: Case) -> MeasureOutcome | None:
    """Returns the average of the measure over several years, or the average of its yearly growth."""
    if case.asked.operation == "average" and _is_growth(case):
        return _average_growth(case)
    found = series(case.books, case.measure, case.periods, closing=case.asked.closing)
    have = [each for each in found if each]
    if len(have) != len(found) or len(have) < 2:
        return None
    mean = sum(each.worked.value for each in have) / len(have)
    made = amount_of(mean, have[-1].worked, case.measure, case.asked)
    values = ", ".join(f"{case.text(each)} {case.when(each.period)}" for each in have)
    parts = " + ".join(case.text(each) for each in have)
    return _averaged(case, have, made, values, f"({parts}) ÷ {len(have)} = {made.text()}")


def _averaged(case: Case, have: list[Result], made: Amount, values: str, shown: str) -> MeasureOutcome:
    told = f"{made.text(case.language)} ({values})"
    text = case.line("average", have[-1], have, period=_period_range(case, have), value=told)
    own = [each for each in (calculation(case, result) for result in have) if each]
    return MeasureOutcome("calculation", text, tuple(have), "; ".join([*own, shown]), made)


def _period_range(case: Case, have: Sequence[Result]) -> str:
    first, last = (period_text(each.period, case.language) for each in (have[0], have[-1]))
    return f"{first}–{last}"


def _is_growth(case: Case) -> bool:
    return bool(asks("percent change", case.question.text)) and case.measure.is_money


def _average_growth(case: Case) -> MeasureOutcome | None:
    found = [each for each in series(case.books, case.measure, case.periods) if each]
    if len(found) < 3 or any(each.worked.value == 0 for each in found):
        return None
    rates = [now.worked.value / before.worked.value - 1 for before, now in pairwise(found)]
    made = ratio(sum(rates) / len(rates), "%", case.asked.decimals)
    each = [ratio(rate, "%", case.asked.decimals).text() for rate in rates]
    return _averaged(case, found, made, ", ".join(each), f"({' + '.join(each)}) ÷ {len(each)} = {made.text()}")


def compound(case: Case) -> MeasureOutcome | None:
    """Returns the compound annual growth rate from the first to the last year."""
    two = ends(case)
    years = int(case.periods[-1][:4]) - int(case.periods[0][:4]) if case.periods else 0
    if two is None or years < 1 or two[0].worked.value <= 0 or two[1].worked.value <= 0:
        return None
    before, now = two
    made = ratio((now.worked.value / before.worked.value) ** (1 / years) - 1, "%", case.asked.decimals)
    text = case.line("compound", now, two, value=made.text(case.language), **_both_ends(case, before, now))
    shown = f"({_printed_or_worked(case, now)} ÷ {_printed_or_worked(case, before)})^(1/{years}) − 1 = {made.text()}"
    return MeasureOutcome("calculation", text, two, shown, made)


def total(case: Case) -> MeasureOutcome | None:
    """Returns the sum over all periods."""
    found = series(case.books, case.measure, case.periods)
    have = [each for each in found if each]
    if len(have) != len(found) or len(have) < 2 or have[-1].worked.power != 1:
        return None
    made = amount_of(sum(each.worked.value for each in have), have[-1].worked, case.measure, case.asked)
    text = case.line("sum", have[-1], have, period=_period_range(case, have), value=made.text(case.language))
    shown = " + ".join(_printed_or_worked(case, each) for each in have)
    return MeasureOutcome("calculation", text, tuple(have), f"{shown} = {made.text()}", made)


Doing = Callable[[Case], MeasureOutcome | None]
OPERATIONS: dict[Operation, Doing] = {
    "value": value, "change": change, "percent change": change, "average": average, "compound": compound,
    "sum": total,
}  # fmt: skip
